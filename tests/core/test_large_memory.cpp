#include <armilla/core/aligned_buffer.hpp>
#include <armilla/core/large_memory.hpp>

#include <algorithm>
#include <limits>
#include <new>
#include <optional>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <support/sizes.hpp>

namespace armilla::core {
namespace {

using test::kMiB;

TEST(LargeMemory, WithoutAScopeNothingIsKept) {
  const std::size_t before = large_memory_use().taken;
  {
    const AlignedBuffer<char> buffer(8 * kMiB);
    EXPECT_EQ(large_memory_use().taken, before + 8 * kMiB);
  }
  EXPECT_EQ(large_memory_use().taken, before);
  EXPECT_EQ(large_memory_use().kept, 0u);
}

TEST(LargeMemory, AsManyBytesAreUsedAgain) {
  const KeepLargeMemory scope;
  const char* first = nullptr;
  const char* second = nullptr;
  {
    const AlignedBuffer<char> a(8 * kMiB);
    const AlignedBuffer<char> b(16 * kMiB);
    first = a.data();
    second = b.data();
  }
  EXPECT_EQ(large_memory_use().kept, static_cast<std::size_t>(24 * kMiB));
  const AlignedBuffer<char> b(16 * kMiB);
  const AlignedBuffer<char> a(8 * kMiB);
  EXPECT_EQ(a.data(), first);
  EXPECT_EQ(b.data(), second);
  EXPECT_EQ(large_memory_use().kept, 0u);
}

TEST(LargeMemory, SmallMemoryIsNotKept) {
  const KeepLargeMemory scope;
  const std::size_t before = large_memory_use().taken;
  { const AlignedBuffer<char> small(4 * kMiB - 64); }
  EXPECT_EQ(large_memory_use().taken, before);
  EXPECT_EQ(large_memory_use().kept, 0u);
}

TEST(LargeMemory, ThePeakDoesNotGrow) {
  const KeepLargeMemory scope;
  const std::size_t before = large_memory_use().taken;
  std::size_t alive = before, peak = before;  // as without keeping
  std::size_t most = 0;                       // with it
  std::vector<std::optional<AlignedBuffer<char>>> buffers(5);
  unsigned state = 12345;
  for (int turn = 0; turn < 2000; ++turn) {
    state = state * 1664525u + 1013904223u;
    auto& buffer = buffers[(state >> 8) % buffers.size()];
    if (buffer) {
      alive -= static_cast<std::size_t>(buffer->size());
      buffer.reset();
    } else {
      buffer.emplace((4 + static_cast<Index>((state >> 16) % 7)) * kMiB);
      alive += static_cast<std::size_t>(buffer->size());
      peak = std::max(peak, alive);
    }
    const LargeMemoryUse use = large_memory_use();
    EXPECT_EQ(use.taken, alive);
    most = std::max(most, use.taken + use.kept);
    ASSERT_LE(use.taken + use.kept, peak) << turn;
  }
  EXPECT_EQ(most, peak);
}

TEST(LargeMemory, ScopesAreNested) {
  const KeepLargeMemory outer;
  {
    const KeepLargeMemory inner;
    const AlignedBuffer<char> buffer(8 * kMiB);
  }
  EXPECT_EQ(large_memory_use().kept, static_cast<std::size_t>(8 * kMiB));
}

TEST(LargeMemory, TheLastScopeFreesAndOutlivingBuffersAreFreed) {
  const std::size_t before = large_memory_use().taken;
  std::optional<AlignedBuffer<char>> outliving;
  {
    const KeepLargeMemory scope;
    outliving.emplace(8 * kMiB);
    { const AlignedBuffer<char> kept(16 * kMiB); }
    EXPECT_EQ(large_memory_use().kept, static_cast<std::size_t>(16 * kMiB));
  }
  EXPECT_EQ(large_memory_use().kept, 0u);
  EXPECT_EQ(large_memory_use().taken, before + 8 * kMiB);
  outliving.reset();
  EXPECT_EQ(large_memory_use().taken, before);
}

TEST(LargeMemory, WhatCannotBeHadLeavesThePeakAlone) {
  const KeepLargeMemory scope;
  EXPECT_THROW(AlignedBuffer<char>(std::numeric_limits<Index>::max() / 2), std::bad_alloc);
  { const AlignedBuffer<char> a(8 * kMiB); }
  const AlignedBuffer<char> b(12 * kMiB);
  EXPECT_EQ(large_memory_use().kept, 0u);  // 8 MiB had to go
}

TEST(LargeMemory, ManyThreadsShareIt) {
  const KeepLargeMemory scope;
  const std::size_t before = large_memory_use().taken;
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&wrong, t] {
      for (int turn = 0; turn < 200; ++turn) {
        AlignedBuffer<int> mine(kMiB + turn % 3);
        for (Index i = 0; i < mine.size(); i += kMiB / 4) mine.data()[i] = t;
        for (Index i = 0; i < mine.size(); i += kMiB / 4) wrong[static_cast<std::size_t>(t)] += mine.data()[i] != t;
      }
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
  EXPECT_EQ(large_memory_use().taken, before);
}

}  // namespace
}  // namespace armilla::core
