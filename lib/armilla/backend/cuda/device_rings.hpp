#pragma once

#include <armilla/backend/cuda/device_numbers.hpp>
#include <armilla/backend/ring_groups.hpp>

#include <complex>
#include <map>
#include <optional>
#include <vector>

#include <kernels/core/memory.hpp>
#include <kernels/core/stream.hpp>
#include <kernels/fft/fft_plan.hpp>
#include <kernels/rings/ring_chunk.hpp>

namespace armilla::backend {

/// The ring stage on a GPU: the operation of fft::RingTransform as a sequence of kernels and batched FFTs. A chunk of
/// rings of one group (RingGroups) passes through all steps before the next chunk of the same lane, so that it stays in
/// the L2 cache. Each lane has its own stream. Results are bitwise identical in every run, for any batch and any
/// workspace size. With RingOptions::plain of the
/// whole grid they are also identical on any number of ranks.
template <class T>
class DeviceRings {
 public:
  /// Allocates tables and workspace on the current device. The workspace uses at most `work_bytes`, including tables of
  /// chirps. Chirps are kept if they fit, otherwise recomputed for each chunk; then there are as many lanes as fit
  /// (RingWork). Throws ResourceError if `work_bytes` is
  /// too small for one chunk, or if cuFFT cannot be loaded.
  DeviceRings(const fft::RingTask& task, Index work_bytes, const kernels::Stream& stream,
              const RingOptions& options = {});

  /// Like fft::RingTransform::synthesis and adjoint, in stream order. All pointers are device pointers; `factor` [slot]
  /// is null for 1. One call at a time, in the order of one stream, because calls share the workspace.
  void synthesis(DevicePointer<const std::complex<T>> delta, DevicePointer<const double> factor, DevicePointer<T> map,
                 const kernels::Stream& stream);
  void adjoint(DevicePointer<const T> map, DevicePointer<const double> factor, DevicePointer<std::complex<T>> delta,
               const kernels::Stream& stream);

  bool keeps_chirps() const { return keeps_chirps_; }
  Index lanes() const { return static_cast<Index>(lanes_.size()); }

 private:
  // Offsets of a group's chirp tables: in values, but `lines` in chirps.
  struct ChirpOffsets {
    Index tables, filters, lines;
  };

  /// Chunks transformed one after the other.
  struct Lane {
    kernels::DeviceBuffer<T> values;  ///< the lines of a chunk
    kernels::DeviceBuffer<char> fft_work;
    std::optional<kernels::Stream> own;  ///< null for the first lane, which uses the stream of the call
    kernels::Event joined;
  };
  /// A lane during a call.
  struct LaneInUse {
    Lane& lane;
    const kernels::Stream& stream;
  };

  void allocate(const fft::RingTask& task, Index lanes, Index fft_work, const kernels::Stream& stream);
  void make_chirps(std::size_t group, int first, int count, const LaneInUse& in);
  kernels::DeviceChirpTables<T> chirps_of(std::size_t group, int first, int count, const LaneInUse& in);
  /// Calls work(group, chunk, lane) for all chunks in order, each in the lane that has been given least so far.
  template <class Work>
  void for_each_chunk(const kernels::Stream& stream, const Work& work);
  template <class Work>
  void give_chunks(const kernels::Stream& stream, const Work& work);
  /// Both transforms of chirped lines, or the single one of other lines.
  void transform(const RingGroup& group, const kernels::DeviceRingChunk<T>& chunk, const LaneInUse& in);
  /// FFTs of the first `lines` lines of the values, in calls of equal size.
  void run(const RingGroup& group, int lines, kernels::FftDirection direction, const LaneInUse& in);
  kernels::DevicePhaseTables<T> phases() const { return {phases_.data(), groups_.phase_stride()}; }

  RingGroups groups_;
  Index width_;
  bool keeps_chirps_ = false;
  kernels::DeviceRingLayout layout_;
  std::map<int, kernels::FftPlan<T>> ffts_;  ///< by length
  std::vector<ChirpOffsets> offsets_;        ///< [group]
  kernels::DeviceBuffer<kernels::RingUnit> units_;
  kernels::DeviceBuffer<Index> m_shift_;
  kernels::DeviceBuffer<int> chirp_lines_;  ///< RingGroup::chirps of all groups
  kernels::DeviceBuffer<T> phases_;
  std::vector<Lane> lanes_;
  kernels::Event forked_;
  kernels::DeviceBuffer<T> chirps_;
  kernels::DeviceBuffer<T> twiddles_;
  kernels::DeviceBuffer<T> filters_;
};

}  // namespace armilla::backend
