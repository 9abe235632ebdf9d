#pragma once

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

/// Rings that a device transforms alike.
struct RingGroup {
  enum class Method {
    kShort,  ///< by products with all roots of unity
    kPlain,  ///< FFTs of the rings' own length
    kChirp   ///< convolutions with chirps (Bluestein 1970) of one padded length
  };
  Method method;
  Index begin, end;  ///< of the units
  int column_lines;  ///< interleaved lines of a column
  int length;        ///< of a line; 0 for short rings
  int fft_lines;     ///< that one call of FFTs transforms, always as many
  int columns;       ///< that one chunk takes at most
  int max_nphi;
  int max_m;
  std::vector<int> chirps;  ///< numbers of a line that count, ascending: a chirp each

  Index units() const { return end - begin; }
  /// The lines of a chunk of `count` columns, in whole calls of FFTs.
  int lines(Index count) const;
  /// Numbers in the lines of the largest chunk, with `width` columns to a unit.
  Index numbers(Index width) const { return Index{length} * lines(std::min(units() * width, Index{columns})); }
  int max_line() const { return max_nphi / column_lines; }
  /// Chirps whose tables a chunk needs at most, with `width` columns to a unit.
  Index max_chirps(Index width) const;
};

/// How many numbers a device works on at a time. One call of FFTs takes about `lines` lines, so that a GPU is full, but
/// at least `least` numbers and at most `most`. Several calls make a chunk of at most `most` numbers, which stay in the
/// second-level cache (16 MiB in double precision) from one kernel to the next.
struct ChunkSize {
  Index lines = 256;
  Index least = Index{1} << 18;
  Index most = Index{1} << 20;

  /// Lines of this length in one call, a multiple of 4. It depends on nothing else: with another number cuFFT may add
  /// up in another order.
  int lines_of(Index length) const;
};

/// Lengths that rings keep, one plan of FFTs each, of all ring lengths `nphi` (a length as often as there are rings):
/// those with small prime factors that enough rings share to fill a launch, or that a quarter of all rings have.
/// Shorter ones than kernels::kShortRing are not among them.
std::set<Index> plain_lengths(std::span<const Index> nphi, const ChunkSize& size = {});

struct RingOptions {
  ChunkSize size = {};
  /// plain_lengths of the whole grid; without, of the rings of the task. The last bits of a ring depend on whether its
  /// length is among them.
  std::optional<std::set<Index>> plain = {};
};

/// How the rings of a task are transformed on a device: pairs that share a complex transform, sorted into groups of
/// like ones. Rings of plain lengths keep them; all others are chirped, as four interleaved lines where 4 divides their
/// length, and padded to 2^k or 3 * 2^k (from 128 on). The choice does not look at the number of maps.
class RingGroups {
 public:
  /// Throws ResourceError for rings of more than 2^21 pixels.
  explicit RingGroups(const fft::RingTask& task, const RingOptions& options = {});

  const std::vector<RingGroup>& groups() const { return groups_; }
  const std::vector<kernels::RingUnit>& units() const { return units_; }

  /// Lines of kernels::PhaseTables, and the numbers in one.
  const std::vector<std::complex<double>>& phases() const { return phases_; }
  Index phase_stride() const { return phase_stride_; }

  /// Of the ring stage of a device, besides Delta and the map: tables of rings, and one working space. That holds the
  /// numbers of a chunk, what FFTs need, and chirps: all of them, made once, or those of a chunk, made each time.
  /// `bytes_of_real` is 4 or 8,
  /// `fft_work` the bytes that FFTs need to work, as much as what they transform where it is negative.
  DeviceEstimate memory(const fft::RingTask& task, Index bytes_of_real, Index fft_work = -1) const;

 private:
  void make_units(const fft::RingTask& task);
  void make_phases(const fft::RingTask& task);
  void make_groups(const fft::RingTask& task, const RingOptions& options);

  std::vector<kernels::RingUnit> units_;
  std::vector<RingGroup> groups_;
  std::vector<std::complex<double>> phases_;
  Index phase_stride_ = 0;
};

/// The least 2^k or 3 * 2^k that is at least 2 line - 1, from 128 on.
int padded_chirp_length(Index line);

}  // namespace armilla::backend
