#pragma once

#include <armilla/backend/dual_buffer.hpp>
#include <armilla/ops/solvers/fit_problem.hpp>
#include <armilla/points/point_transform.hpp>

#include <memory>
#include <span>
#include <vector>

namespace armilla::ops {

/// The fit of values at points, with P = 1. Keeps references to its arguments. Coefficients are in the memory of the
/// transform, and so are values, [map, component][point], on a single rank. On several ranks they are on the host,
/// where ranks exchange them.
template <class T>
class PointFit final : public FitProblem<T> {
 public:
  using typename FitProblem<T>::Alm;
  using Values = backend::DualBuffer<T>;

  /// Not collective. `weights` [own point], or one for all points; values are multiplied by scales[system].
  PointFit(points::PointTransform<T>& transform, const Values& values, std::vector<double> scales,
           std::span<const double> weights);

  const comm::Communicator& comm() const override { return transform_.comm(); }
  std::shared_ptr<backend::Memory> memory() const override { return transform_.memory(); }
  std::size_t systems() const override { return core::at(maps()) * transform_.spec().kind.spin_fields().size(); }
  Index maps() const override { return transform_.spec().maps; }
  std::unique_ptr<Alm> make_alm() const override;
  void multiply(const Alm& a, Alm& b) override;
  void precondition(const Alm& a, Alm& b) override;
  std::vector<double> set_left(const Alm* alm) override;
  void adjoint_of_left(Alm& b) override { adjoint(left_, b); }
  std::unique_ptr<FitVector<T>> vector_of_left() override;

  /// Values that it allocates, for `fields` of `points`, with weights.
  static Index allocated(Index fields, Index points) { return (2 * fields + 1) * points; }

 private:
  class Vector;

  /// y = a[s] x + b[s] y for each system s.
  void combine(std::span<const double> a, const Values& x, std::span<const double> b, Values& y) const;
  /// b = Y^T W values; uses scratch.
  void adjoint(const Values& values, Alm& b);
  /// Collective. Sum of W values^2 for each system; bitwise identical in host and device memory and on any number of
  /// threads.
  std::vector<double> squares(const Values& values) const;
  Index fields() const { return maps() * transform_.spec().kind.components(); }

  points::PointTransform<T>& transform_;
  const Values& values_;
  std::vector<double> scales_;
  std::shared_ptr<backend::Memory> memory_;  ///< of values
  Values weights_;                           ///< [own point]; empty: `weight_` for all
  double weight_ = 1;
  Values left_, scratch_;
};

}  // namespace armilla::ops
