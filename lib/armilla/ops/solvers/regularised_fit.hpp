#pragma once

#include <armilla/ops/solvers/fit_problem.hpp>
#include <armilla/ops/solvers/least_squares.hpp>
#include <armilla/ops/solvers/regularisation.hpp>

#include <memory>
#include <span>
#include <vector>

namespace armilla::ops {

/// A fit with a penalty, in terms of the fit without it. Its unknowns are x = alm / E, where E^2 = 1 / (1 + r_l) and F
/// = r_l / (1 + r_l), so that E^2 + F = 1. Its operator is E Y^T W Y E + F, which is close to 1 wherever Y^T W Y is.
/// Its preconditioner is E P E + F, the pseudo-inverse of Seljebotn et al. 2019 with a prior. E = 0 where C_l = 0. LSMR
/// solves the equivalent system of the data and one additional row F^1/2 x = 0 for each unknown.
template <class T>
class RegularisedFit final : public FitProblem<T> {
 public:
  using typename FitProblem<T>::Alm;

  /// Collective. `scales` [system]: the weights W of `plain` relative to those as given. Keeps a reference to `plain`.
  RegularisedFit(FitProblem<T>& plain, const Regularisation& regularisation, std::span<const double> scales);

  const comm::Communicator& comm() const override { return plain_.comm(); }
  std::shared_ptr<backend::Memory> memory() const override { return plain_.memory(); }
  std::size_t systems() const override { return plain_.systems(); }
  Index maps() const override { return plain_.maps(); }
  std::unique_ptr<Alm> make_alm() const override { return plain_.make_alm(); }
  void multiply(const Alm& a, Alm& b) override;
  void precondition(const Alm& a, Alm& b) override;
  /// Returns the squares of the data alone. `x` must not change before adjoint_of_left() and vector_of_left().
  std::vector<double> set_left(const Alm* x) override;
  void adjoint_of_left(Alm& b) override;
  std::unique_ptr<FitVector<T>> vector_of_left() override;
  void between_iterations() override { plain_.between_iterations(); }

  /// Collective. Replaces x by alm = E x.
  void to_alm(Alm& x) const { multiply_degrees(root_, x); }

 private:
  class Vector;
  using Factors = std::vector<std::vector<double>>;  // [map, component][l]

  void multiply_degrees(const Factors& factors, Alm& alm) const;
  /// scratch = factors a.
  Alm& product(const Factors& factors, const Alm& a);
  /// b = E b + sign factors a.
  void add_to_rooted(const Factors& factors, T sign, const Alm& a, Alm& b);

  FitProblem<T>& plain_;
  Factors root_, rest_, root_of_rest_;  // E, F, F^1/2
  std::unique_ptr<Alm> scratch_;
  const Alm* x_ = nullptr;  // of set_left()
};

/// Collective. fit_in_rounds() with a penalty, if there is one. `scales` as for RegularisedFit.
template <class T>
std::vector<AnalysisOutcome> fit_regularised(FitProblem<T>& problem, transform::AlmField<T>& alm,
                                             FitAlgorithm algorithm, const FitTarget& target,
                                             const Regularisation& regularisation, std::span<const double> scales,
                                             iteration::Checkpoint<T>* checkpoint);

/// Number of fields of coefficients that fit_regularised() allocates.
inline Index fit_vectors(FitAlgorithm algorithm, const Regularisation& regularisation) {
  const bool is_lsmr = algorithm == FitAlgorithm::kLsmr;
  const Index of_penalty = is_lsmr ? 2 : 1;
  return Index{is_lsmr ? 5 : 3} + (regularisation.any() ? of_penalty : 0);
}

/// Bytes of the functions of l that it stores for `fields` components of all maps.
inline Index penalty_bytes(const Regularisation& regularisation, Index fields, Index lmax) {
  return regularisation.any() ? 3 * fields * (lmax + 1) * static_cast<Index>(sizeof(double)) : 0;
}

}  // namespace armilla::ops
