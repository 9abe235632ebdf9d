// Compiled once per instruction set by Highway's foreach_target; the best one is chosen at run time.
#include <armilla/core/highway_targets.hpp>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "armilla/normal_matrix/product.cpp"

#include <armilla/normal_matrix/product.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>

// foreach_target.h must be included first, and headers that it compiles repeatedly last.
// clang-format off
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <armilla/legendre/simd-inl.hpp>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace armilla::normal_matrix::HWY_NAMESPACE {

using legendre::HWY_NAMESPACE::kManyRegisters;
using legendre::HWY_NAMESPACE::lane_count;
using legendre::HWY_NAMESPACE::Tag;
using legendre::HWY_NAMESPACE::Vec;
namespace hn = hwy::HWY_NAMESPACE;

// Maximum number of vectors of columns at once; with the rows of a tile they fill the registers.
constexpr Index kMaxVectors = kManyRegisters ? 4 : 2;

// The sums of a tile of rows for some vectors of columns.
template <Index kVectors>
struct Tile {
  Vec sums[kTileRows][kVectors];

  // Loops here and below are unrolled, so that all sums stay in registers.
  HWY_INLINE void begin(const Target& target, Index row, Index first) {
    if (!target.is_plain()) {
      for (auto& own : sums)
        for (Vec& sum : own) sum = hn::Zero(Tag());
      return;
    }
    const double* onto = target.onto + row * target.numbers + first;
#pragma GCC unroll 6
    for (Index r = 0; r < kTileRows; ++r, onto += target.numbers)
#pragma GCC unroll 4
      for (Index v = 0; v < kVectors; ++v) sums[r][v] = hn::Load(Tag(), onto + v * lane_count());
  }
  // row_of(k) is the address of row k of `from`.
  template <class RowOf>
  HWY_INLINE void add(const double* a, Index row_stride, Index column_stride, Index columns, const RowOf& row_of,
                      Index first) {
    const Tag d;
    const Index lanes = lane_count();
    for (Index k = 0; k < columns; ++k, a += column_stride) {
      const double* from = row_of(k) + first;
      Vec own[kVectors];
      for (Index v = 0; v < kVectors; ++v) own[v] = hn::Load(d, from + v * lanes);
      for (Index r = 0; r < kTileRows; ++r) {
        const Vec number = hn::Set(d, a[r * row_stride]);
        for (Index v = 0; v < kVectors; ++v) sums[r][v] = hn::MulAdd(number, own[v], sums[r][v]);
      }
    }
  }
  HWY_INLINE void store_plain(const Target& target, Index row, Index first) const {
    double* to = target.to + row * target.numbers + first;
#pragma GCC unroll 6
    for (Index r = 0; r < kTileRows; ++r, to += target.numbers)
#pragma GCC unroll 4
      for (Index v = 0; v < kVectors; ++v) hn::Store(sums[r][v], Tag(), to + v * lane_count());
  }
  template <bool kOnto, bool kOfRow>
  HWY_INLINE void store_as(const Target& target, const double* factors, Index row, Index first) const {
    const Tag d;
    const Index lanes = lane_count();
#pragma GCC unroll 6
    for (Index r = 0; r < kTileRows; ++r)
#pragma GCC unroll 4
      for (Index v = 0; v < kVectors; ++v) {
        const Index number = first + v * lanes;
        const Index place = (row + r) * target.numbers + number;
        Vec factor = hn::Load(d, factors + number);
        if constexpr (kOfRow) factor = hn::Mul(hn::Set(d, target.of_row[row + r]), factor);
        const Vec sum = hn::Mul(factor, sums[r][v]);
        hn::Store(kOnto ? hn::Add(hn::Load(d, target.onto + place), sum) : sum, d, target.to + place);
      }
  }
  HWY_INLINE void store(const Target& target, const double* factors, Index row, Index first) const {
    if (target.is_plain())
      store_plain(target, row, first);
    else if (target.of_row != nullptr)
      store_as<false, true>(target, factors, row, first);
    else
      store_as<true, false>(target, factors, row, first);
  }
};

// Factors of each value of a row.
struct RowFactors {
  explicit RowFactors(Factors factors) {
    for (Index i = 0; i < kMaxColumns; ++i) {
      numbers[2 * i] = factors.re;
      numbers[2 * i + 1] = factors.im;
    }
  }
  alignas(64) double numbers[2 * kMaxColumns];
};

// Calls body(tile, first) for the values of a row, as many at a time as fit in a tile.
template <Index kVectors, class Body>
HWY_INLINE void for_each_slice(Index numbers, const Body& body) {
  Tile<kVectors> tile;
  for (Index first = 0; first < numbers; first += kVectors * lane_count()) body(tile, first);
}
template <class Body>
HWY_INLINE void for_each_slice_of(Index numbers, const Body& body) {
  const Index vectors = numbers / lane_count();
  if (vectors >= kMaxVectors)
    for_each_slice<kMaxVectors>(numbers, body);
  else if (vectors >= 2)
    for_each_slice<2>(numbers, body);
  else
    for_each_slice<1>(numbers, body);
}

template <class RowOf>
HWY_INLINE void multiply_rows(const Matrix& a, const RowOf& row_of, const Target& target) {
  const RowFactors factors(target.factors);
  for (Index row = 0; row < a.rows; row += kTileRows)
    for_each_slice_of(target.numbers, [&](auto& tile, Index first) HWY_ATTR {
      tile.begin(target, row, first);
      tile.add(a.numbers + row * a.row_stride, a.row_stride, a.column_stride, a.columns, row_of, first);
      tile.store(target, factors.numbers, row, first);
    });
}

// Columns processed with all tiles before the next columns: their rows of `from` fit in the L1 cache. Sums are rounded
// between these groups, so the size of a group must not depend on the width of a panel.
constexpr Index kColumnsAtOnce = 96;

void multiply_all(const Matrix& a, const double* from, const Target& target) {
  Matrix slice = a;
  Target sums = target;
  const Index numbers = target.numbers;
  for (Index begin = 0; begin == 0 || begin < a.columns; begin += kColumnsAtOnce) {
    slice.numbers = a.numbers + begin * a.column_stride;
    slice.columns = a.columns - begin < kColumnsAtOnce ? a.columns - begin : kColumnsAtOnce;
    const double* rows = from + begin * numbers;
    multiply_rows(
        slice, [rows, numbers](Index k) { return rows + k * numbers; }, sums);
    sums.onto = sums.to;
  }
}
void multiply_anywhere(const Matrix& a, const double* const* from, const Target& target) {
  multiply_rows(
      a, [from](Index k) { return from[k]; }, target);
}
void multiply_links(const Link* links, Index count, const Target& target) {
  const RowFactors factors(target.factors);
  const Index numbers = target.numbers;
  for_each_slice_of(numbers, [&](auto& tile, Index first) HWY_ATTR {
    tile.begin(target, 0, first);
    for (const Link* link = links; link != links + count; ++link) {
      const double* rows = link->from;
      tile.add(
          link->numbers, link->row_stride, link->column_stride, link->columns,
          [rows, numbers](Index k) { return rows + k * numbers; }, first);
    }
    tile.store(target, factors.numbers, 0, first);
  });
}

template <bool kShifted>
HWY_INLINE void make_row(const RowStep& s) {
  const Tag d;
  const Vec scale = hn::Set(d, s.scale);
  const Vec back = hn::Set(d, s.back);
  const double* now_up = s.now + s.ahead;
  const double* now_down = s.now - s.behind;
  for (Index i = 0; i < s.count; i += lane_count()) {
    Vec sum = hn::MulAdd(hn::LoadU(d, s.up + i), hn::LoadU(d, now_up + i),
                         hn::Mul(hn::LoadU(d, s.down + i), hn::LoadU(d, now_down + i)));
    if constexpr (kShifted)
      sum = hn::MulAdd(hn::Sub(hn::Set(d, s.shift), hn::LoadU(d, s.shifts + i)), hn::LoadU(d, s.now + i), sum);
    hn::StoreU(hn::NegMulAdd(back, hn::LoadU(d, s.before + i), hn::Mul(scale, sum)), d, s.next + i);
  }
  s.next[-1] = 0;
}

void make_rows(const RowStep* steps, Index count) {
  for (const RowStep* step = steps; step != steps + count; ++step) {
    if (step->shifts != nullptr)
      make_row<true>(*step);
    else
      make_row<false>(*step);
  }
}

// Copies with non-temporal stores; `to` consists of whole cache lines.
void stream_lines(const std::byte* from, Index lines, std::byte* to) {
  const Tag d;
  const Index size = lane_count();
  const auto* numbers = reinterpret_cast<const double*>(from);
  auto* place = reinterpret_cast<double*>(to);
  for (Index i = 0; i < lines * 8; i += size) hn::Stream(hn::LoadU(d, numbers + i), d, place + i);
  hwy::FlushStream();
}

}  // namespace armilla::normal_matrix::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace armilla::normal_matrix {

HWY_EXPORT(multiply_all);
HWY_EXPORT(multiply_anywhere);
HWY_EXPORT(multiply_links);
HWY_EXPORT(make_rows);
HWY_EXPORT(stream_lines);

void multiply(const Matrix& a, const double* from, const Target& target) {
  HWY_DYNAMIC_DISPATCH(multiply_all)(a, from, target);
}

void multiply_scattered(const Matrix& a, const double* const* from, const Target& target) {
  HWY_DYNAMIC_DISPATCH(multiply_anywhere)(a, from, target);
}

void multiply_chain(const Link* links, Index count, const Target& target) {
  HWY_DYNAMIC_DISPATCH(multiply_links)(links, count, target);
}

void copy(const void* from, Index bytes, bool streamed, void* to) {
  constexpr Index kLine = 64;
  const auto* source = static_cast<const std::byte*>(from);
  auto* target = static_cast<std::byte*>(to);
  const auto past_line = static_cast<Index>(reinterpret_cast<std::uintptr_t>(to) % kLine);
  const Index head = std::min(bytes, (kLine - past_line) % kLine);
  const Index lines = streamed ? (bytes - head) / kLine : 0;
  if (lines == 0) {
    std::memcpy(target, source, static_cast<std::size_t>(bytes));
    return;
  }
  const Index tail = head + lines * kLine;
  std::memcpy(target, source, static_cast<std::size_t>(head));
  HWY_DYNAMIC_DISPATCH(stream_lines)(source + head, lines, target + head);
  std::memcpy(target + tail, source + tail, static_cast<std::size_t>(bytes - tail));
}

void next_rows(const RowStep* steps, Index count) { HWY_DYNAMIC_DISPATCH(make_rows)(steps, count); }

}  // namespace armilla::normal_matrix
#endif
