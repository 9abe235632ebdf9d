#pragma once

#include <armilla/backend/scalar_stage_shape.hpp>
#include <armilla/legendre/task.hpp>

#include <span>
#include <vector>

#include <kernels/legendre/scalar_stage.hpp>

namespace armilla::backend {

using core::Index;

/// Host tables of the Legendre stage by the scalar recurrence, from which devices have theirs.
class ScalarStageTables {
 public:
  explicit ScalarStageTables(const legendre::Task& task, core::Precision sums = core::Precision::kDouble,
                             Products products = Products::kByCampaign);

  /// All that kernels read of numbers and of indices, each as one array.
  const std::vector<double>& numbers() const { return numbers_; }
  const std::vector<Index>& indices() const { return indices_; }
  /// The stage of some own m, with pointers into copies of these arrays; without blocks of pairs and scratch. Pointer:
  /// kernels::DevicePointer, or kernels::KernelPointer for arrays of the host.
  template <template <class> class Pointer>
  kernels::ScalarStageOf<Pointer> stage(const OrderRange& range, Pointer<const double> numbers,
                                        Pointer<const Index> indices) const;

  const ScalarStageShape& shape() const { return shape_; }

  /// Bytes of the tables of a task.
  static Index bytes(const legendre::Task& task);

 private:
  // Places in numbers_ and indices_ of what a stage points to, as whole numbers.
  template <class T>
  static Index append(std::vector<T>& all, std::span<const T> part);

  struct ProductPlaces {
    Index distance, degree[2];
  };
  struct Places {
    ProductPlaces alpha, low, high, row, equator;
    Index row_b[2], alpha_scale, row_scale, root, band_a[kernels::kMaxBands], band_b[kernels::kMaxBands],
        band_c[kernels::kMaxBands];
    Index variable, even_factor, odd_factor, power_low, power_high, power_scale, start_norm;
    Index block, north_slot, south_slot, m, first_step, first_pair, alm_offset, block_shift;
  };
  void append_degrees(const legendre::Task& task);
  void append_pairs(const legendre::Task& task);
  void append_orders(const legendre::Task& task);

  ScalarStageShape shape_;
  kernels::DeviceScalarStage plain_{};  ///< without pointers
  Places places_{};
  std::vector<double> numbers_;
  std::vector<Index> indices_;
};

}  // namespace armilla::backend
