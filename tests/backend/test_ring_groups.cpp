#include <armilla/backend/ring_groups.hpp>
#include <armilla/core/error.hpp>
#include <armilla/grid/makers.hpp>

#include <set>
#include <string>
#include <vector>

#include "support/ring_case.hpp"
#include <gtest/gtest.h>

namespace armilla::backend {
namespace {

using test::RingCase;

// What a launch of FFTs has to do must not depend on how many maps there are: cuFFT might then add up otherwise.
TEST(RingGroups, DoNotDependOnTheNumberOfMaps) {
  const auto grid = grid::make_healpix(64);
  const RingCase one(grid, 191, 1, 1);
  const RingCase many(grid, 191, 2, 9);
  const RingGroups a(one.task), b(many.task);
  ASSERT_EQ(a.groups().size(), b.groups().size());
  for (std::size_t g = 0; g < a.groups().size(); ++g) {
    EXPECT_EQ(a.groups()[g].length, b.groups()[g].length);
    EXPECT_EQ(a.groups()[g].fft_lines, b.groups()[g].fft_lines);
    EXPECT_EQ(a.groups()[g].begin, b.groups()[g].begin);
  }
}

// The polar caps of a large HEALPix map: thousands of lengths, a few dozen of groups.
TEST(RingGroups, AreFewOnHealpix) {
  const RingCase c(grid::make_healpix(2048), 4095);
  const RingGroups groups(c.task);
  EXPECT_LE(groups.groups().size(), 20u);
  Index chunks = 0, calls = 0, numbers = 0, chirp_numbers = 0;
  for (const RingGroup& group : groups.groups()) {
    if (group.method == RingGroup::Method::kShort) continue;
    chunks += (group.units() + group.columns - 1) / group.columns;
    calls += group.lines(group.units()) / group.fft_lines;
    numbers += Index{group.lines(group.units())} * group.length;
    chirp_numbers += static_cast<Index>(group.chirps.size()) * group.length;
  }
  // 2049 pairs of 8192, and for the 2039 pairs of the caps that are not short, 4 lines of at most 3 part numbers.
  EXPECT_LE(chunks, 52);
  EXPECT_LE(calls, 52);
  EXPECT_LE(numbers, Index{37} << 20);
  EXPECT_LE(chirp_numbers, Index{5} << 20);
}

TEST(RingGroups, KeepLengthsThatManyRingsShare) {
  std::vector<Index> lengths = {4, 8, 8, 8, 8, 8, 8};  // short ones have no plan
  lengths.insert(lengths.end(), 400, 2 * 8191);        // a large prime
  lengths.insert(lengths.end(), 200, 8192);
  lengths.insert(lengths.end(), 3, 4096);  // few
  EXPECT_EQ(plain_lengths(lengths), std::set<Index>{8192});
}

TEST(RingGroups, PadChirpsByLessThanAHalf) {
  for (Index part = 65; part < 70000; part = part * 17 / 16 + 1) {
    const Index padded = padded_chirp_length(part);
    EXPECT_GE(padded, 2 * part - 1);
    EXPECT_LT(2 * padded, 3 * 2 * part) << part;
    EXPECT_TRUE((padded & (padded - 1)) == 0 || (padded % 3 == 0 && ((padded / 3) & (padded / 3 - 1)) == 0)) << padded;
  }
}

TEST(RingGroups, RefuseRingsThatAreTooLong) {
  const RingCase c("one ring", {{(Index{1} << 21) + 1, 0, 0, 10, -1}});
  EXPECT_THROW(RingGroups groups(c.task), core::ResourceError);
}

}  // namespace
}  // namespace armilla::backend
