#include <armilla/core/aligned_buffer.hpp>

#include <cstdint>
#include <limits>
#include <new>
#include <utility>

#include <gtest/gtest.h>

namespace armilla::core {
namespace {

std::uintptr_t address(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }

TEST(AlignedBuffer, SmallOnesBeginACacheLine) {
  for (const Index count : {1, 7, 64, 1000}) {
    const AlignedBuffer<char> buffer(count);
    EXPECT_EQ(address(buffer.data()) % 64, 0u);
    EXPECT_EQ(buffer.size(), count);
  }
}

TEST(AlignedBuffer, LargeOnesBeginAHugePage) {
  for (const Index bytes : {Index{4} << 20, (Index{4} << 20) + 1, Index{9} << 20}) {
    AlignedBuffer<char> buffer(bytes);
    EXPECT_EQ(address(buffer.data()) % kHugePage, 0u);
    buffer.data()[0] = 1;
    buffer.data()[bytes - 1] = 2;
    const AlignedBuffer<char> moved = std::move(buffer);
    EXPECT_EQ(moved.data()[0], 1);
    EXPECT_EQ(moved.data()[bytes - 1], 2);
  }
}

TEST(AlignedBuffer, AnEmptyOneHoldsNothing) {
  const AlignedBuffer<double> buffer(0);
  EXPECT_EQ(buffer.size(), 0);
  EXPECT_TRUE(buffer.span().empty());
}

TEST(AlignedBuffer, TooMuchThrows) {
  EXPECT_THROW(AlignedBuffer<char>(std::numeric_limits<Index>::max() / 2), std::bad_alloc);
}

}  // namespace
}  // namespace armilla::core
