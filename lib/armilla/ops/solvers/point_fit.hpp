#pragma once

#include <armilla/ops/solvers/fit_problem.hpp>
#include <armilla/points/point_field.hpp>
#include <armilla/points/point_transform.hpp>

#include <memory>
#include <span>
#include <vector>

namespace armilla::ops {

/// The fit of values at points, with P = 1. Refers to all that it is given.
template <class T>
class PointFit final : public FitProblem<T> {
 public:
  using typename FitProblem<T>::Alm;
  using Field = points::PointField<T>;

  /// Collective. `weights` [own point], or one for all; values are taken times `scale`.
  PointFit(points::PointTransform<T>& transform, const Field& values, double scale, std::span<const double> weights);

  const comm::Communicator& comm() const override { return transform_.comm(); }
  std::shared_ptr<backend::Memory> memory() const override { return memory_; }
  std::size_t systems() const override;
  Index maps() const override { return values_.maps(); }
  std::unique_ptr<Alm> make_alm() const override;
  void multiply(const Alm& a, Alm& b) override;
  void precondition(const Alm& a, Alm& b) override;
  std::vector<double> set_left(const Alm* alm) override;
  void adjoint_of_left(Alm& b) override { adjoint(left_, b); }
  std::unique_ptr<FitVector<T>> vector_of_left() override;

 private:
  class Vector;

  /// scratch = Y a.
  void synthesis(const Alm& a);
  /// b = Y^T W values, through scratch.
  void adjoint(const Field& values, Alm& b);
  /// Collective. Sum of W values^2 of each system; the same on any number of threads.
  std::vector<double> squares(const Field& values) const;
  double weight(Index point) const { return weights_.size() == 1 ? weights_.front() : weights_[core::at(point)]; }

  points::PointTransform<T>& transform_;
  const Field& values_;
  double scale_;
  std::span<const double> weights_;
  std::shared_ptr<backend::Memory> memory_;
  Field left_, scratch_;
};

}  // namespace armilla::ops
