#pragma once

#include <armilla/backend/context.hpp>
#include <armilla/backend/device_estimate.hpp>
#include <armilla/nufft/point_plan.hpp>
#include <armilla/points/point_owners.hpp>
#include <armilla/transform/field.hpp>
#include <armilla/transform/ring_halo.hpp>

#include <memory>
#include <span>
#include <vector>

namespace armilla::points {

/// Points of a rank whose windows are in one band of rows, placed on the host or in device memory.
template <class T>
struct DevicePart {
  nufft::Band band;
  const nufft::KernelTable<T>* table;
  std::span<const nufft::PointChunk> chunks;
  Index size;                                  ///< number of points
  std::span<const nufft::PlacedPoint> points;  ///< on the host; empty: in device memory
  std::span<const Index> numbers;              ///< of points on the host: indices of owned points; empty: all of them
  std::shared_ptr<const kernels::NufftPoint<T>> placed;

  /// Points of a plan; `numbers` as above.
  static DevicePart of(const nufft::PointPlan<T>& plan, std::span<const Index> numbers) {
    return {plan.band(), &plan.table(), plan.chunks(), plan.size(), plan.points(), numbers, {}};
  }
};

/// Sums at the points owned by a rank, on its device; rows of the fine grid and points stay in device memory. Rows are
/// exchanged with other ranks through the host; with a single rank there is no exchange. Holds a reference to the
/// communicator.
template <class T>
class DeviceSums {
 public:
  using Values = std::span<const std::span<T>>;  ///< [field][given point], on the host
  using ConstValues = std::span<const std::span<const T>>;

  /// Not collective. The parts need not outlive this object; `spins` is [field]. Bands must be covered by the halo.
  /// Points in device memory are the only part.
  /// Throws ResourceError if device memory is insufficient.
  DeviceSums(const comm::Communicator& comm, std::shared_ptr<backend::Context<T>> context,
             const dist::PixelDistribution& pixels, const transform::RingHalo<T>& halo,
             std::span<const DevicePart<T>> parts, std::span<const Index> spins, Index owned);

  /// Device memory, including the values of all owned points, for the bands of one rank of `ranks`.
  static backend::DeviceEstimate memory(const nufft::KernelChoice& kernel, std::span<const nufft::Band> bands,
                                        Index owned, Index fields, int ranks);

  /// Collective. Computes the values of the fields of `torus`, which is in device memory, at the points passed by this
  /// rank.
  void interpolate(const PointOwners& owners, transform::RingHalo<T>& halo, const transform::MapField<T>& torus,
                   Values values);
  /// Collective. The transpose; overwrites torus.
  void spread(const PointOwners& owners, transform::RingHalo<T>& halo, ConstValues values,
              transform::MapField<T>& torus);
  /// Collective. Variants for values in device memory, [field][owned point].
  void interpolate(transform::RingHalo<T>& halo, const transform::MapField<T>& torus, T* values);
  void spread(transform::RingHalo<T>& halo, const T* values, transform::MapField<T>& torus);

  const std::shared_ptr<backend::Memory>& memory() const { return memory_; }

 private:
  /// A row of another rank, and its index in the buffer that follows the fields.
  struct Foreign {
    Index row, place;
  };
  bool alone() const { return comm_.size() == 1; }
  /// Adds the rows of a band to the tables; returns the index of its first row.
  Index add_rows(const nufft::Band& band, const std::vector<Index>& own_places, backend::PointTables<T>& tables);
  void add_chunks(const DevicePart<T>& part, Index first_row, Index first_point, backend::PointTables<T>& tables) const;
  /// Calls move(host, index after the fields, count) for runs of rows of a field that belong to other ranks.
  template <class Move>
  void for_foreign(transform::RingHalo<T>& halo, Index field, const Move& move) const;
  T* value_array();
  std::vector<std::span<T>> lent_fields();

  const comm::Communicator& comm_;
  std::shared_ptr<backend::Context<T>> context_;
  std::shared_ptr<backend::Memory> memory_;
  Index rows_, columns_, fields_, field_size_, beside_size_ = 0, owned_;
  std::vector<Foreign> foreign_;
  std::vector<dist::PixelRange> lent_;
  std::unique_ptr<backend::PointEngine<T>> engine_;
  std::shared_ptr<void> beside_;
  std::shared_ptr<void> values_;        ///< [field][owned point]
  core::AlignedBuffer<T> fields_here_;  ///< with several ranks: the rows of the fields that other ranks need
};

}  // namespace armilla::points
