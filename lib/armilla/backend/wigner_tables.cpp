#include <armilla/backend/wigner_tables.hpp>
#include <armilla/legendre/start_values.hpp>
#include <armilla/math/wigner.hpp>

#include <algorithm>

namespace armilla::backend {

namespace {

using core::at;

template <class T>
std::vector<T> vector_of(std::span<const T> table) {
  return {table.begin(), table.end()};
}

// Copies all rows of a table of powers up to `most`.
void copy_powers(const legendre::PowerTable& powers, Index pairs, Index most, std::vector<double>& low,
                 std::vector<double>& high, std::vector<int>& scale) {
  for (Index n = 0; n < legendre::PowerTable::kLow; ++n) {
    const double* row = powers.get(n, 0).low;
    low.insert(low.end(), row, row + pairs);
  }
  for (Index n = 0; n <= most; n += legendre::PowerTable::kLow) {
    const auto rows = powers.get(n, 0);
    high.insert(high.end(), rows.high, rows.high + pairs);
    for (Index i = 0; i < pairs; ++i) scale.push_back(static_cast<int>(rows.scale[i]));
  }
}

// Blocks of pairs of an m that contributes from `first_pair` on.
Index blocks_of(Index pair_begin, Index pair_end, Index first_pair) {
  return kernels::wigner_blocks(pair_end - std::max(first_pair, pair_begin));
}

// Partial sums of an m: for each degree of each block, and in values for each of these.
Index units_of(Index spin, Index lmax, Index m, Index blocks) {
  return blocks * std::max<Index>(0, lmax + 1 - math::lowest_degree(spin, m));
}
Index numbers_of_unit(Index spin, Index maps) { return kernels::wigner_maps(maps) * (spin == 0 ? 2 : 4); }

}  // namespace

WignerTables::WignerTables(const legendre::Task& task, Index pair_begin, Index pair_end) {
  const Index pairs = pair_end - pair_begin;
  const Index mmax = task.m.empty() ? 0 : task.m.back();
  plain_.lmax = task.lmax;
  plain_.spin = task.spin;
  plain_.maps = task.maps;
  plain_.pair_begin = pair_begin;
  plain_.pair_end = pair_end;
  plain_.component_stride = task.component_stride;
  plain_.map_stride = task.map_stride;
  plain_.rings.width = task.width();
  plain_.rings.blocks = task.blocks;

  m_ = vector_of(task.m);
  alm_offset_ = vector_of(task.alm_offset);
  first_pair_ = vector_of(task.first_pair);
  block_shift_ = vector_of(task.block_shift);
  pair_block_ = vector_of(task.pair_block);
  north_slot_ = vector_of(task.north_slot);
  south_slot_ = vector_of(task.south_slot);

  const auto cosines = task.cos_theta.subspan(at(pair_begin), at(pairs));
  const auto sines = task.sin_theta.subspan(at(pair_begin), at(pairs));
  if (pairs > 0) {
    const legendre::WignerStartValues starts(task.spin, cosines, sines, mmax);
    for (const Index m : task.m) {
      norm_.push_back(starts.norm(m));
      norm_scale_.push_back(static_cast<int>(starts.norm_scale(m)));
    }
    copy_powers(starts.cosine(), pairs, mmax + task.spin, cosine_low_, cosine_high_, cosine_scale_);
    copy_powers(starts.sine(), pairs, mmax + task.spin, sine_low_, sine_high_, sine_scale_);
  }
  for (Index p = 0; p < pairs; ++p)
    one_minus_cos_.push_back(
        static_cast<double>(math::HalfAngle<long double>::from(cosines[at(p)], sines[at(p)]).one_minus_cos));

  Index total = 0;
  for (Index k = 0; k < own_m(); ++k) {
    partial_unit_.push_back(total);
    total += units(k);
  }
}

Index WignerTables::blocks(Index k) const { return blocks_of(plain_.pair_begin, plain_.pair_end, first_pair_[at(k)]); }

Index WignerTables::units(Index k) const { return units_of(plain_.spin, plain_.lmax, m_[at(k)], blocks(k)); }

Index WignerTables::partial_numbers(const WignerRange& range) const {
  const Index last = range.k_begin + range.k_count - 1;
  const Index sum = partial_unit_[at(last)] + units(last) - partial_unit_[at(range.k_begin)];
  return sum * numbers_of_unit(plain_.spin, plain_.maps);
}

WignerRange WignerTables::range(Index k_begin, Index k_end) const {
  WignerRange range{k_begin, k_end - k_begin, 0};
  for (Index k = k_begin; k < k_end; ++k) range.max_blocks = std::max(range.max_blocks, blocks(k));
  return range;
}

std::vector<WignerRange> WignerTables::ranges(Index max_bytes) const {
  std::vector<WignerRange> ranges;
  for (Index k = 0; k < own_m(); ++k) {
    const Index mine = blocks(k);
    if (!ranges.empty()) {
      WignerRange longer = ranges.back();
      longer.k_count += 1;
      longer.max_blocks = std::max(longer.max_blocks, mine);
      if (partial_numbers(longer) * static_cast<Index>(sizeof(double)) <= max_bytes) {
        ranges.back() = longer;
        continue;
      }
    }
    ranges.push_back({k, 1, mine});
  }
  return ranges;
}

DeviceEstimate WignerTables::memory(const legendre::Task& task, Index pair_begin, Index pair_end) {
  constexpr auto kReal = static_cast<Index>(sizeof(double));
  constexpr auto kWhole = static_cast<Index>(sizeof(Index));
  constexpr auto kInt = static_cast<Index>(sizeof(int));
  const Index own = static_cast<Index>(task.m.size());
  const Index pairs = pair_end - pair_begin;
  const Index rows = (task.m.empty() ? 0 : task.m.back() + task.spin) / legendre::PowerTable::kLow + 1;
  WorkSpace work;
  for (std::size_t k = 0; k < task.m.size(); ++k) {
    const Index units = units_of(task.spin, task.lmax, task.m[k], blocks_of(pair_begin, pair_end, task.first_pair[k]));
    const Index bytes = units * numbers_of_unit(task.spin, task.maps) * kReal;
    work.least = std::max(work.least, bytes);
    work.most += bytes;
  }
  return {{.tables = own * ((4 + task.blocks) * kWhole + kReal + kInt) + task.pairs() * (2 * kWhole + kInt) +
                     pairs * (kReal + 2 * (legendre::PowerTable::kLow * kReal + rows * (kReal + kInt)))},
          {work}};
}

}  // namespace armilla::backend
