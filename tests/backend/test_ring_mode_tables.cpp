#include <armilla/backend/ring_mode_tables.hpp>
#include <armilla/math/ring_alias.hpp>

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

namespace armilla::backend {
namespace {

using math::RingAlias;

struct Rings {
  Rings(std::vector<fft::RingShape> shapes_, Index orders)
      : shapes(std::move(shapes_)), m_shift(static_cast<std::size_t>(orders), 0) {}
  fft::RingTask task() const { return {.rings = shapes, .m_shift = m_shift}; }

  std::vector<fft::RingShape> shapes;
  std::vector<Index> m_shift;
};

// Rings of HEALPix's lengths up to nside, each feels its share of m.
Rings healpix(Index nside, Index orders) {
  std::vector<fft::RingShape> shapes;
  for (Index i = 1; i <= nside; ++i) shapes.push_back({4 * i, 0.1, 0, std::min(orders, 3 * i + 4)});
  shapes.push_back({4 * nside, 0, 0, orders});
  return {shapes, orders};
}

bool fold_aliases(const Rings& rings, Index a, Index b) {
  return std::ranges::any_of(rings.shapes, [&](const fft::RingShape& ring) {
    return a < ring.m_count && b < ring.m_count && RingAlias::of(a, ring.nphi).c == RingAlias::of(b, ring.nphi).c;
  });
}

TEST(RingModeTables, NoTwoOfARangeMeetAndNoneCouldBeLonger) {
  for (const Rings& rings : {healpix(4, 12), healpix(8, 16), healpix(8, 24), healpix(3, 30),
                             Rings({{7, 0.2, 0, 25}, {9, 0.3, 0, 31}, {1, 0, 0, 3}}, 31)}) {
    const auto ranges = RingModeTables(rings.task()).independent_ranges();
    Index next = 0;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      EXPECT_EQ(ranges[i].begin, next);
      next = ranges[i].end;
      for (Index a = ranges[i].begin; a < ranges[i].end; ++a)
        for (Index b = a + 1; b < ranges[i].end; ++b) EXPECT_FALSE(fold_aliases(rings, a, b)) << a << ", " << b;
      if (i + 1 == ranges.size()) continue;
      bool meets = false;
      for (Index a = ranges[i].begin; a < ranges[i].end; ++a) meets = meets || fold_aliases(rings, a, next);
      EXPECT_TRUE(meets) << next;
    }
    EXPECT_EQ(next, static_cast<Index>(rings.m_shift.size()));
  }
}

// On HEALPix two or three m go together, without aliases all.
TEST(RingModeTables, RangesAreAsLongAsAliasesAllow) {
  const Rings small = healpix(8, 24);
  EXPECT_LE(RingModeTables(small.task()).independent_ranges().size(), 12u);
  const Rings none({{24, 0, 0, 12}, {24, 0, 0, 12}}, 12);
  EXPECT_EQ(RingModeTables(none.task()).independent_ranges().size(), 1u);
  EXPECT_FALSE(RingModeTables(none.task()).have_aliases({0, 12}));
}

TEST(RingModeTables, KnowWhichMAreAliasesAndWhichSlotsFeelThem) {
  const Rings rings({{4, 0.5, 0, 4}, {8, 0.5, 0, 6}, {12, 0, 0, 9}}, 9);
  const RingModeTables tables(rings.task());
  for (Index m = 0; m < 9; ++m) EXPECT_EQ(tables.have_aliases({m, m + 1}), m == 3 || m == 5 || m > 6) << m;
  EXPECT_TRUE(tables.have_aliases({0, 4}));
  EXPECT_FALSE(tables.have_aliases({0, 3}));
  EXPECT_EQ(tables.first_slot(), (std::vector<Index>{0, 0, 0, 0, 1, 1, 2, 2, 2}));
  ASSERT_EQ(tables.rings().size(), 3u);
  for (std::size_t slot = 0; slot < 3; ++slot) {
    EXPECT_EQ(tables.rings()[slot].nphi, rings.shapes[slot].nphi);
    EXPECT_EQ(tables.rings()[slot].m_count, rings.shapes[slot].m_count);
  }
  const std::size_t bytes = 3 * (sizeof(kernels::SpectraRing) + sizeof(double)) +
                            tables.turns().size() * sizeof(math::Turn) + 2 * 9 * sizeof(Index);
  EXPECT_GE(RingModeTables::memory(rings.task()).tables, static_cast<Index>(bytes));
}

}  // namespace
}  // namespace armilla::backend
