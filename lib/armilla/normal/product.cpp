// Compiled once per instruction set by Highway's foreach_target; the best one is chosen at run time.
#include <armilla/core/highway_targets.hpp>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "armilla/normal/product.cpp"

#include <armilla/normal/product.hpp>

// foreach_target.h comes first, and what it compiles again and again last.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <armilla/legendre/simd-inl.hpp>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace armilla::normal::HWY_NAMESPACE {

using legendre::HWY_NAMESPACE::kManyRegisters;
using legendre::HWY_NAMESPACE::lane_count;
using legendre::HWY_NAMESPACE::Tag;
using legendre::HWY_NAMESPACE::Vec;
namespace hn = hwy::HWY_NAMESPACE;

// Vectors of columns at once: with the rows of a tile, what registers hold.
constexpr Index kVectors = kManyRegisters ? 4 : 2;

// The sums of a tile of rows for kVectors vectors of columns.
struct Tile {
  Vec sums[kTileRows][kVectors];

  HWY_INLINE void clear() {
    for (auto& row : sums)
      for (Vec& sum : row) sum = hn::Zero(Tag());
  }
  // row_of(k) is where row k of `from` stands.
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
  // Unrolled, so that no sum leaves its register.
  template <bool kOnto, bool kOfRow>
  HWY_INLINE void store_as(const Target& target, const double* factors, Index row, Index first) const {
    const Tag d;
    const Index lanes = lane_count();
#pragma GCC unroll 6
    for (Index r = 0; r < kTileRows; ++r)
#pragma GCC unroll 4
      for (Index v = 0; v < kVectors; ++v) {
        const Index number = first + v * lanes;
        const Index place = (row + r) * kPanelNumbers + number;
        Vec factor = hn::Load(d, factors + number);
        if constexpr (kOfRow) factor = hn::Mul(hn::Set(d, target.of_row[row + r]), factor);
        const Vec sum = hn::Mul(factor, sums[r][v]);
        hn::Store(kOnto ? hn::Add(hn::Load(d, target.onto + place), sum) : sum, d, target.to + place);
      }
  }
  HWY_INLINE void store(const Target& target, const double* factors, Index row, Index first) const {
    if (target.of_row != nullptr)
      store_as<false, true>(target, factors, row, first);
    else
      store_as<true, false>(target, factors, row, first);
  }
};

// Factors for each number of a row.
struct RowFactors {
  explicit RowFactors(Factors factors) {
    for (Index i = 0; i < kPanelColumns; ++i) {
      numbers[2 * i] = factors.re;
      numbers[2 * i + 1] = factors.im;
    }
  }
  alignas(64) double numbers[kPanelNumbers];
};

// Calls body(first) for the numbers of a row, as many as a tile takes at a time.
template <class Body>
HWY_INLINE void for_each_part(const Body& body) {
  for (Index first = 0; first < kPanelNumbers; first += kVectors * lane_count()) body(first);
}

template <class RowOf>
HWY_INLINE void multiply_rows(const Matrix& a, const RowOf& row_of, const Target& target) {
  const RowFactors factors(target.factors);
  Tile tile;
  for (Index row = 0; row < a.rows; row += kTileRows)
    for_each_part([&](Index first) HWY_ATTR {
      tile.clear();
      tile.add(a.numbers + row * a.row_stride, a.row_stride, a.column_stride, a.columns, row_of, first);
      tile.store(target, factors.numbers, row, first);
    });
}

// As many rows of `from` as leave room in the first-level cache go with all tiles before the next.
constexpr Index kRowsAtOnce = 96;

void multiply_all(const Matrix& a, const double* from, const Target& target) {
  Matrix part = a;
  Target sums = target;
  for (Index begin = 0; begin == 0 || begin < a.columns; begin += kRowsAtOnce) {
    part.numbers = a.numbers + begin * a.column_stride;
    part.columns = a.columns - begin < kRowsAtOnce ? a.columns - begin : kRowsAtOnce;
    const double* rows = from + begin * kPanelNumbers;
    multiply_rows(
        part, [rows](Index k) { return rows + k * kPanelNumbers; }, sums);
    sums.onto = sums.to;
  }
}
void multiply_anywhere(const Matrix& a, const double* const* from, const Target& target) {
  multiply_rows(
      a, [from](Index k) { return from[k]; }, target);
}
void multiply_links(const Link* links, Index count, const Target& target) {
  const RowFactors factors(target.factors);
  Tile tile;
  for_each_part([&](Index first) HWY_ATTR {
    tile.clear();
    for (const Link* link = links; link != links + count; ++link) {
      const double* rows = link->from;
      tile.add(
          link->numbers, link->row_stride, link->column_stride, link->columns,
          [rows](Index k) { return rows + k * kPanelNumbers; }, first);
    }
    tile.store(target, factors.numbers, 0, first);
  });
}

HWY_INLINE Vec neighbours(const RowStep& s, Index i) {
  const Tag d;
  return hn::MulAdd(hn::LoadU(d, s.up + i), hn::LoadU(d, s.now_up + i),
                    hn::Mul(hn::LoadU(d, s.down + i), hn::LoadU(d, s.now_down + i)));
}

void make_row(const RowStep& s) {
  const Tag d;
  const Vec scale = hn::Set(d, s.scale);
  const Vec back = hn::Set(d, s.back);
  for (Index i = 0; i < s.count; i += lane_count()) {
    Vec sum = neighbours(s, i);
    if (s.shifts != nullptr)
      sum = hn::MulAdd(hn::Sub(hn::Set(d, s.shift), hn::LoadU(d, s.shifts + i)), hn::LoadU(d, s.now + i), sum);
    hn::StoreU(hn::NegMulAdd(back, hn::LoadU(d, s.before + i), hn::Mul(scale, sum)), d, s.next + i);
  }
}

}  // namespace armilla::normal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace armilla::normal {

HWY_EXPORT(multiply_all);
HWY_EXPORT(multiply_anywhere);
HWY_EXPORT(multiply_links);
HWY_EXPORT(make_row);

void multiply(const Matrix& a, const double* from, const Target& target) {
  HWY_DYNAMIC_DISPATCH(multiply_all)(a, from, target);
}

void multiply_scattered(const Matrix& a, const double* const* from, const Target& target) {
  HWY_DYNAMIC_DISPATCH(multiply_anywhere)(a, from, target);
}

void multiply_chain(const Link* links, Index count, const Target& target) {
  HWY_DYNAMIC_DISPATCH(multiply_links)(links, count, target);
}

void next_row(const RowStep& step) { HWY_DYNAMIC_DISPATCH(make_row)(step); }

}  // namespace armilla::normal
#endif
