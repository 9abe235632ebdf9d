#pragma once

#include <armilla/ops/solvers/fit_problem.hpp>
#include <armilla/ops/solvers/normal_equations.hpp>

#include <memory>
#include <vector>

namespace armilla::ops {

/// The fit of a batch of maps by normal equations. The equations and the map must outlive it. The residual is stored as
/// pixels, or as ring modes if these suffice for the fit.
template <class T>
class MapFit final : public FitProblem<T> {
 public:
  using typename FitProblem<T>::Alm;
  using Map = transform::MapField<T>;

  /// Collective. `keep_left`: whether vector_of_left() will be called. `map_squares`: map^T W map of each system.
  MapFit(NormalEquations<T>& equations, const Map& map, std::vector<double> map_squares, bool keep_left);

  const comm::Communicator& comm() const override { return equations_.comm(); }
  std::shared_ptr<backend::Memory> memory() const override { return equations_.memory(); }
  std::size_t systems() const override { return equations_.systems(); }
  Index maps() const override { return map_.maps(); }
  std::unique_ptr<Alm> make_alm() const override { return equations_.make_alm(); }
  void multiply(const Alm& a, Alm& b) override { equations_.multiply(a, b); }
  void precondition(const Alm& a, Alm& b) override { equations_.precondition(a, b); }
  std::vector<double> set_left(const Alm* alm) override;
  void adjoint_of_left(Alm& b) override { equations_.adjoint(left(), b); }
  std::unique_ptr<FitVector<T>> vector_of_left() override;
  void between_iterations() override { equations_.transform().delta().between_iterations(); }

 private:
  Map& left() { return own_left_ ? *own_left_ : equations_.scratch(); }

  NormalEquations<T>& equations_;
  const Map& map_;
  std::vector<double> map_squares_;
  std::unique_ptr<Map> own_left_;  ///< separate residual if LSMR needs it while scratch() is in use
};

}  // namespace armilla::ops
