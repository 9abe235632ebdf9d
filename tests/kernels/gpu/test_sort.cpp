// Sorting by keys against std::stable_sort.
#include <algorithm>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "support/device.hpp"
#include <gtest/gtest.h>
#include <kernels/core/memory.hpp>
#include <kernels/sort/sort.hpp>

namespace armilla::kernels {
namespace {

using core::at;
using Keys = std::vector<std::uint32_t>;

struct Sorted {
  Keys keys, numbers, begins;
};

/// The sort of a program: all digits of keys below `end`, without numbers in the first pass.
Sorted sorted_on_device(const Keys& keys, Index end) {
  const Stream stream;
  const auto count = static_cast<Index>(keys.size());
  DeviceBuffer<std::uint32_t> key[2] = {upload<std::uint32_t>(keys, stream), DeviceBuffer<std::uint32_t>(count)};
  DeviceBuffer<std::uint32_t> number[2] = {DeviceBuffer<std::uint32_t>(count), DeviceBuffer<std::uint32_t>(count)};
  DeviceBuffer<std::uint32_t> places(sort_places(count)), begins(end + 1);
  int from = 0;
  for (int pass = 0; pass < sort_passes(end); ++pass, from = 1 - from)
    sort_by_digit({std::as_const(key[from]).data(),
                   pass == 0 ? DevicePointer<const std::uint32_t>() : std::as_const(number[from]).data(), count,
                   pass * kDigitBits, key[1 - from].data(), number[1 - from].data(), places.data()},
                  stream.get());
  find_key_begins({std::as_const(key[from]).data(), count, end, begins.data()}, stream.get());
  Sorted sorted{Keys(keys.size()), Keys(keys.size()), Keys(at(end + 1))};
  copy(sorted.keys.data(), key[from].data(), count, stream);
  copy(sorted.numbers.data(), number[from].data(), count, stream);
  copy(sorted.begins.data(), begins.data(), end + 1, stream);
  stream.wait();
  return sorted;
}

void compare(const Keys& keys, Index end) {
  SCOPED_TRACE(testing::Message() << keys.size() << " keys below " << end);
  const Sorted found = sorted_on_device(keys, end);
  Keys numbers(keys.size());
  std::iota(numbers.begin(), numbers.end(), 0u);
  std::ranges::stable_sort(numbers, {}, [&](std::uint32_t i) { return keys[i]; });
  EXPECT_EQ(found.numbers, numbers);
  Keys expected = keys;
  std::ranges::sort(expected);
  EXPECT_EQ(found.keys, expected);
  for (Index key = 0; key <= end; ++key)
    ASSERT_EQ(found.begins[at(key)],
              std::ranges::lower_bound(expected, static_cast<std::uint32_t>(key)) - expected.begin());
}

TEST(Sort, IsStableAndComplete) {
  ARMILLA_NEEDS_DEVICE();
  std::mt19937 engine(3);
  // One to three digits; no keys, a part of a tile, whole tiles, and more counts than the sums of one round.
  for (const Index end : {Index{1}, Index{64}, Index{65}, Index{5000}, Index{200000}})
    for (const Index count : {Index{0}, Index{1}, Index{100}, kSortTile, kSortTile + 1, Index{40000}}) {
      std::uniform_int_distribution<std::uint32_t> uniform(0, static_cast<std::uint32_t>(end - 1));
      Keys keys(at(count));
      for (std::uint32_t& key : keys) key = uniform(engine);
      compare(keys, end);
    }
}

TEST(Sort, TakesManyTilesAndEqualKeys) {
  ARMILLA_NEEDS_DEVICE();
  std::mt19937 engine(4);
  std::uniform_int_distribution<std::uint32_t> uniform(0, 90);
  Keys keys(300 * at(kSortTile) + 17);  // more counts than one round sums
  for (std::uint32_t& key : keys) key = uniform(engine);
  compare(keys, 100);
  compare(Keys(5000, 77), 100);
}

}  // namespace
}  // namespace armilla::kernels
