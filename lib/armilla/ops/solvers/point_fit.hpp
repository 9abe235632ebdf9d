#pragma once

#include <armilla/core/aligned_buffer.hpp>
#include <armilla/ops/solvers/fit_problem.hpp>
#include <armilla/points/point_transform.hpp>

#include <memory>
#include <span>
#include <vector>

namespace armilla::ops {

/// The fit of values at points, with P = 1. Keeps references to its arguments.
template <class T>
class PointFit final : public FitProblem<T> {
 public:
  using typename FitProblem<T>::Alm;
  using Values = typename points::PointTransform<T>::Values;
  using ConstValues = typename points::PointTransform<T>::ConstValues;

  /// `weights` [own point], or one for all points; values are multiplied by scales[system].
  PointFit(points::PointTransform<T>& transform, ConstValues values, std::vector<double> scales,
           std::span<const double> weights);

  const comm::Communicator& comm() const override { return transform_.comm(); }
  std::shared_ptr<backend::Memory> memory() const override { return memory_; }
  std::size_t systems() const override { return core::at(maps()) * transform_.spec().kind.spin_fields().size(); }
  Index maps() const override { return transform_.spec().maps; }
  std::unique_ptr<Alm> make_alm() const override;
  void multiply(const Alm& a, Alm& b) override;
  void precondition(const Alm& a, Alm& b) override;
  std::vector<double> set_left(const Alm* alm) override;
  void adjoint_of_left(Alm& b) override { adjoint(left_.read(), b); }
  std::unique_ptr<FitVector<T>> vector_of_left() override;

 private:
  class Vector;
  /// Owns values [map, component][point], and spans of them.
  class Work {
   public:
    Work(Index fields, Index points);
    Values write() const { return write_; }
    ConstValues read() const { return read_; }

   private:
    core::AlignedBuffer<T> numbers_;
    std::vector<std::span<T>> write_;
    std::vector<std::span<const T>> read_;
  };

  /// y = a[s] x + b[s] y for each system s; if b[s] = 0, the input y is ignored.
  void combine(std::span<const double> a, ConstValues x, std::span<const double> b, Values y) const;
  /// b = Y^T W values; uses scratch.
  void adjoint(ConstValues values, Alm& b);
  /// Collective. Sum of W values^2 for each system; bitwise identical on any number of threads.
  std::vector<double> squares(ConstValues values) const;
  double weight(Index point) const { return weights_.size() == 1 ? weights_.front() : weights_[core::at(point)]; }

  points::PointTransform<T>& transform_;
  ConstValues values_;
  std::vector<double> scales_;
  std::span<const double> weights_;
  std::shared_ptr<backend::Memory> memory_;
  Work left_, scratch_;
};

}  // namespace armilla::ops
