#pragma once

#include <armilla/backend/array_size.hpp>
#include <armilla/backend/device_estimate.hpp>
#include <armilla/fft/ring_transform.hpp>

#include <algorithm>
#include <complex>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include <kernels/rings/ring_chunk.hpp>

namespace armilla::backend {

using core::Index;

/// Rings that a device transforms in the same way.
struct RingGroup {
  enum class Method {
    kShort,  ///< by products with all roots of unity
    kPlain,  ///< FFTs of the rings' own length
    kChirp   ///< convolutions with chirps (Bluestein 1970) padded to one length
  };
  Method method;
  Index begin, end;  ///< of the units
  int column_lines;  ///< interleaved lines of a column
  int length;        ///< of a line; 0 for short rings
  int fft_lines;     ///< per call of FFTs, always the same number
  int columns;       ///< maximum number of columns per chunk
  int max_nphi;
  int max_m;
  std::vector<int> chirps;  ///< indices of the chirps in use within a line, ascending

  Index units() const { return end - begin; }
  /// The lines of a chunk of `count` columns, rounded up to whole calls of FFTs.
  int lines(Index count) const;
  /// Values in the lines of the largest chunk, with `width` columns per unit.
  Index numbers(Index width) const { return Index{length} * lines(std::min(units() * width, Index{columns})); }
  int max_line() const { return max_nphi / column_lines; }
  /// Number of chunks, with `width` columns per unit. Short rings are one chunk.
  Index chunks(Index width) const;
  /// Maximum number of chirps whose tables a chunk needs, with `width` columns per unit.
  Index max_chirps(Index width) const;
};

/// Number of values that a device processes at a time. One call of FFTs takes about `lines` lines, to fill a GPU, but
/// at least `least` and at most `most` values. Several calls form a chunk of at most `most` values. A chunk stays in
/// the L2 cache (16 MiB in double precision) from one kernel to the next.
struct ChunkSize {
  Index lines = 256;
  Index least = Index{1} << 18;
  Index most = Index{1} << 20;

  /// Lines of this length in one call, a multiple of 4. It depends only on the length, because cuFFT may sum in a
  /// different order for another number.
  int lines_of(Index length) const;
};

/// Ring lengths transformed without padding, with one FFT plan each, out of all ring lengths `nphi` (each length
/// repeated once per ring). They have small prime factors, and are shared by enough rings to fill a launch or by a
/// quarter of all rings. Lengths below kernels::kShortRing are excluded.
std::set<Index> plain_lengths(std::span<const Index> nphi, const ChunkSize& size = {});

struct RingOptions {
  ChunkSize size = {};
  /// plain_lengths of the whole grid; if unset, of the rings of the task. The last bits of a ring depend on whether its
  /// length is included.
  std::optional<std::set<Index>> plain = {};
};

/// Workspace of the ring stage in bytes: chirps, and the lines of one chunk for each lane. Chunks in different lanes
/// are transformed at the same time.
struct RingWork {
  static constexpr Index kMaxLanes = 4;

  Index lane;             ///< values of the largest chunk, and the workspace of its FFTs
  Index chirps_of_chunk;  ///< tables of chirps recomputed for each chunk
  Index all_chirps;       ///< tables of chirps computed once
  Index chunks;           ///< number of chunks of a transform

  bool keeps_chirps(Index bytes) const { return lane + all_chirps <= bytes; }
  /// As many lanes as fit, but only one if chirps are recomputed.
  Index lanes(Index bytes) const {
    if (!keeps_chirps(bytes)) return 1;
    return std::min(most_lanes(), (bytes - all_chirps) / std::max(Index{1}, lane));
  }
  WorkSpace space() const { return {lane + chirps_of_chunk, most_lanes() * lane + all_chirps}; }

 private:
  Index most_lanes() const { return std::clamp(chunks, Index{1}, kMaxLanes); }
};

/// How the rings of a task are transformed on a device: pairs that share a complex transform, sorted into groups of the
/// same kind. Rings of plain lengths are not padded. All others are chirped, as four interleaved lines if 4 divides
/// their length, and padded to 2^k or 3 * 2^k (at least 128). The choice does not depend on the number of maps.
class RingGroups {
 public:
  /// Throws ResourceError for rings of more than 2^21 pixels.
  explicit RingGroups(const fft::RingTask& task, const RingOptions& options = {});

  const std::vector<RingGroup>& groups() const { return groups_; }
  const std::vector<kernels::RingUnit>& units() const { return units_; }

  /// Lines of kernels::PhaseTables, and the length of one line.
  const std::vector<std::complex<double>>& phases() const { return phases_; }
  Index phase_stride() const { return phase_stride_; }

  /// Device memory of the ring stage, without Delta and the map: tables of rings, and one workspace, work().
  /// `bytes_of_real` is 4 or 8. `fft_work` is the workspace of FFTs in bytes; if negative, it is as large as their
  /// data.
  DeviceEstimate memory(const fft::RingTask& task, Index bytes_of_real, Index fft_work = -1) const;
  RingWork work(Index width, Index bytes_of_real, Index fft_work = -1) const;

 private:
  void make_units(const fft::RingTask& task);
  void make_phases(const fft::RingTask& task);
  void make_groups(const fft::RingTask& task, const RingOptions& options);

  std::vector<kernels::RingUnit> units_;
  std::vector<RingGroup> groups_;
  std::vector<std::complex<double>> phases_;
  Index phase_stride_ = 0;
};

/// The smallest 2^k or 3 * 2^k that is at least 2 line - 1 and at least 128.
int padded_chirp_length(Index line);

/// Factors of rings in CudaStages, [slot].
inline ArraySize<double> ring_factors(const fft::RingTask& task) { return {static_cast<Index>(task.rings.size())}; }

}  // namespace armilla::backend
