#include <armilla/io/pixel_order.hpp>

#include <vector>

#include <gtest/gtest.h>

namespace armilla::test {

using core::Index;

TEST(NestedBlocks, BoundsHoldEveryPixelOfTheBlock) {
  for (const Index nside : {1, 2, 16})
    for (Index count = 1; count <= nside * nside; count *= 4)
      for (Index first = 0; first < 12 * nside * nside; first += count) {
        const dist::PixelRange bounds = io::nested_block_bounds(nside, first, count);
        for (Index i = first; i < first + count; ++i) {
          const Index ring = io::ring_of_nested(nside, i);
          ASSERT_GE(ring, bounds.first) << "nside " << nside << " block " << first << " of " << count;
          ASSERT_LT(ring, bounds.first + bounds.count) << "nside " << nside << " block " << first << " of " << count;
        }
      }
}

TEST(NestedBlocks, BoundsLeaveMostOfALargeMapOut) {
  const Index nside = 1024;
  Index met = 0, blocks = 0;
  const std::vector<dist::PixelRange> polar{{0, 100000}};
  const io::PixelLookup lookup(polar);
  for (Index first = 0; first < 12 * nside * nside; first += 1 << 14, ++blocks) {
    const dist::PixelRange bounds = io::nested_block_bounds(nside, first, 1 << 14);
    if (lookup.meets(bounds.first, bounds.first + bounds.count - 1)) ++met;
  }
  EXPECT_LT(met, blocks / 20);
  EXPECT_GT(met, 0);
}

TEST(NestedBlocks, NumbersOfTheLargestMapsStayApart) {
  for (const Index nside : {Index{8192}, Index{16384}, Index{1} << 20, Index{1} << 29}) {
    const Index npix = 12 * nside * nside;
    // The first and the last pixel of a base pixel are its southern and northern corner.
    const Index face = nside * nside;
    EXPECT_EQ(io::ring_of_nested(nside, face - 1), 0);
    EXPECT_EQ(io::ring_of_nested(nside, 8 * face), npix - 4);
    for (const Index first : {Index{0}, 5 * face, npix - 1024}) {
      const dist::PixelRange bounds = io::nested_block_bounds(nside, first, 1024);
      EXPECT_GE(bounds.first, 0);
      EXPECT_LE(bounds.first + bounds.count, npix);
      for (const Index pixel : {first, first + 511, first + 1023}) {
        const Index ring = io::ring_of_nested(nside, pixel);
        EXPECT_GE(ring, bounds.first);
        EXPECT_LT(ring, bounds.first + bounds.count);
      }
    }
  }
}

TEST(NestedBlocks, OneNestedMapReadInPartsEqualsItsRingOrder) {
  // The value of a pixel is its RING number; nside 2048 has several blocks per base pixel.
  const Index nside = 2048;
  const Index npix = 12 * nside * nside;
  const std::vector<dist::PixelRange> ranges{{1000, 5000}, {npix / 2 - 7, 3000}, {npix - 20, 20}};
  std::vector<double> out(8020, -1.0);
  io::read_in_ring_order<double>(io::Ordering::kNested, nside, ranges, out,
                                 [&](Index first, Index count, double* values) {
                                   for (Index i = 0; i < count; ++i)
                                     values[i] = static_cast<double>(io::ring_of_nested(nside, first + i));
                                 });
  std::size_t position = 0;
  for (const dist::PixelRange& range : ranges)
    for (Index p = range.first; p < range.first + range.count; ++p) ASSERT_EQ(out[position++], static_cast<double>(p));
}

}  // namespace armilla::test
