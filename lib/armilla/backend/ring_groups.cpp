#include <armilla/backend/ring_groups.hpp>
#include <armilla/core/error.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include <fmt/format.h>
#include <kernels/rings/short_rings.hpp>

namespace armilla::backend {

namespace {

using Method = RingGroup::Method;

// Launches index tiles of 128 values of a padded ring with 16 bits.
constexpr Index kLongest = Index{1} << 21;
// Minimum number of rings of a length with its own FFT plan. They must also be at least 1/kShare of all rings or of a
// launch.
constexpr Index kManyRings = 4;
constexpr Index kShare = 4;

// Minimum padded length. There are few shorter rings, and a separate launch would take longer than their padding.
constexpr Index kMinPadded = 128;

using core::at;

// Whether cuFFT is fast for this length.
bool has_small_factors(Index length) {
  for (const Index prime : {2, 3, 5, 7, 11, 13})
    while (length % prime == 0) length /= prime;
  return length == 1;
}

// Method of transforming the rings of one length. Rings of equal kind form a group.
struct RingKind {
  Method method;
  int column_lines;
  int length;

  auto key() const { return std::tuple(method, length, column_lines); }
};

RingKind ring_kind(int nphi, const std::set<Index>& plain) {
  if (nphi <= kernels::kShortRing) return {Method::kShort, 1, 0};
  if (plain.contains(nphi)) return {Method::kPlain, 1, nphi};
  const int column_lines = nphi % 4 == 0 ? 4 : 1;
  return {Method::kChirp, column_lines, padded_chirp_length(nphi / column_lines)};
}

}  // namespace

Index RingGroup::max_chirps(Index width) const {
  return std::min(static_cast<Index>(chirps.size()), (Index{columns} + width - 2) / width + 1);
}

Index RingGroup::chunks(Index width) const {
  return method == Method::kShort ? 1 : (units() * width + columns - 1) / columns;
}

int RingGroup::lines(Index count) const {
  if (fft_lines == 0) return 0;
  return static_cast<int>((count * column_lines + fft_lines - 1) / fft_lines) * fft_lines;
}

int ChunkSize::lines_of(Index length) const {
  const Index numbers = std::clamp(lines * length, least, most);
  return static_cast<int>(std::max(Index{1}, numbers / length / 4) * 4);
}

int padded_chirp_length(Index line) {
  Index power = kMinPadded;
  while (power < 2 * line - 1) power *= 2;
  const Index below = power / 4 * 3;
  return static_cast<int>(power > kMinPadded && below >= 2 * line - 1 ? below : power);
}

std::set<Index> plain_lengths(std::span<const Index> nphi, const ChunkSize& size) {
  std::map<Index, Index> rings;
  for (const Index n : nphi) ++rings[n];
  std::set<Index> plain;
  for (const auto& [n, count] : rings) {
    if (n <= kernels::kShortRing || count < kManyRings || !has_small_factors(n)) continue;
    const Index pairs = count / 2;
    if (kShare * count >= static_cast<Index>(nphi.size()) || kShare * pairs >= size.lines_of(n)) plain.insert(n);
  }
  return plain;
}

RingGroups::RingGroups(const fft::RingTask& task, const RingOptions& options) {
  make_units(task);
  make_phases(task);
  make_groups(task, options);
}

void RingGroups::make_units(const fft::RingTask& task) {
  const Index slots = static_cast<Index>(task.rings.size());
  for (Index slot = 0; slot < slots; ++slot) {
    const fft::RingShape& ring = task.rings[at(slot)];
    if (ring.nphi > kLongest)
      throw core::ResourceError(fmt::format(
          "a ring of {} pixels is too long for a GPU, whose limit is {}: use backend: cpu", ring.nphi, kLongest));
    Index partner = ring.partner;
    if (partner >= 0) {
      const fft::RingShape& image = task.rings[at(partner)];
      if (image.nphi != ring.nphi || image.m_count != ring.m_count) partner = -1;
    }
    if (partner >= 0 && partner < slot) continue;
    units_.push_back({.slot = {slot, partner},
                      .pixel = {ring.pixel, partner < 0 ? 0 : task.rings[at(partner)].pixel},
                      .nphi = static_cast<int>(ring.nphi),
                      .m_count = static_cast<int>(ring.m_count),
                      .phase = {-1, -1},
                      .chirp = 0});
  }
}

// Rounding the product m phi0 to double would cause an error of m phi0 eps, so the rounding error is computed and
// included.
void RingGroups::make_phases(const fft::RingTask& task) {
  constexpr Index kLow = kernels::PhaseTables<double>::kLow;
  Index max_m = 0;
  std::map<double, int> numbers;
  for (const fft::RingShape& ring : task.rings) {
    max_m = std::max(max_m, ring.m_count);
    if (ring.phi0 != 0) numbers.emplace(ring.phi0, 0);
  }
  phase_stride_ = kLow + (max_m + kLow - 1) / kLow;
  phases_.reserve(numbers.size() * at(phase_stride_));
  int count = 0;
  for (auto& [phi0, number] : numbers) {
    number = count++;
    for (Index i = 0; i < phase_stride_; ++i) {
      const double m = static_cast<double>(i < kLow ? i : (i - kLow) * kLow);
      const double angle = m * phi0;
      const double rest = std::fma(m, phi0, -angle);
      const double c = std::cos(angle);
      const double s = std::sin(angle);
      phases_.emplace_back(c - s * rest, s + c * rest);
    }
  }
  for (kernels::RingUnit& unit : units_)
    for (int side = 0; side < 2; ++side) {
      if (unit.slot[side] < 0) continue;
      const auto found = numbers.find(task.rings[at(unit.slot[side])].phi0);
      if (found != numbers.end()) unit.phase[side] = found->second;
    }
}

void RingGroups::make_groups(const fft::RingTask& task, const RingOptions& options) {
  std::vector<Index> lengths;
  for (const fft::RingShape& ring : task.rings) lengths.push_back(ring.nphi);
  const std::set<Index> plain = options.plain ? *options.plain : plain_lengths(lengths, options.size);
  const auto kind = [&](const kernels::RingUnit& unit) { return ring_kind(unit.nphi, plain); };
  const Index all = static_cast<Index>(units_.size());
  std::ranges::stable_sort(units_, std::less<>(),
                           [&](const kernels::RingUnit& unit) { return std::tuple(kind(unit).key(), unit.nphi); });
  for (Index u = 0; u < all; ++u) {
    kernels::RingUnit& unit = units_[at(u)];
    const RingKind own = kind(unit);
    const bool is_new = u == 0 || own.key() != kind(units_[at(u - 1)]).key();
    if (is_new) {
      const int lines = own.method == Method::kShort ? 0 : options.size.lines_of(own.length);
      const Index calls = lines == 0 ? 0 : std::max(Index{1}, options.size.most / (Index{lines} * own.length));
      const int columns = static_cast<int>(calls) * lines / own.column_lines;
      groups_.push_back({own.method, u, u, own.column_lines, own.length, lines, columns, 0, 0, {}});
    }
    RingGroup& group = groups_.back();
    group.end = u + 1;
    group.max_nphi = std::max(group.max_nphi, unit.nphi);
    group.max_m = std::max(group.max_m, unit.m_count);
    if (own.method != Method::kChirp) continue;
    const int line = unit.nphi / own.column_lines;
    if (group.chirps.empty() || group.chirps.back() != line) group.chirps.push_back(line);
    unit.chirp = static_cast<int>(group.chirps.size()) - 1;
  }
}

DeviceEstimate RingGroups::memory(const fft::RingTask& task, Index bytes_of_real, Index fft_work) const {
  const Index number = 2 * bytes_of_real;
  Index of_rings = static_cast<Index>(units_.size() * sizeof(kernels::RingUnit) + task.m_shift.size() * sizeof(Index)) +
                   number * static_cast<Index>(phases_.size());
  for (const RingGroup& group : groups_) of_rings += static_cast<Index>(group.chirps.size() * sizeof(int));
  return {.held = {.tables = of_rings}, .work = {work(task.width(), bytes_of_real, fft_work).space()}};
}

RingWork RingGroups::work(Index width, Index bytes_of_real, Index fft_work) const {
  const Index number = 2 * bytes_of_real;
  Index numbers = 0;
  RingWork work{};
  for (const RingGroup& group : groups_) {
    const Index tables = number * (group.length + 2 * Index{group.max_line()});
    numbers = std::max(numbers, group.numbers(width));
    work.chirps_of_chunk = std::max(work.chirps_of_chunk, tables * group.max_chirps(width));
    work.all_chirps += tables * static_cast<Index>(group.chirps.size());
    work.chunks += group.chunks(width);
  }
  work.lane = number * numbers + (fft_work < 0 ? number * numbers : fft_work);
  return work;
}

}  // namespace armilla::backend
