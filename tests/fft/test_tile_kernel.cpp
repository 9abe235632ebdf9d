#include <armilla/core/aligned_vector.hpp>
#include <armilla/fft/tile_kernel.hpp>

#include <complex>
#include <vector>

#include <gtest/gtest.h>

namespace armilla::fft {
namespace {

// Rows to Delta and back, where Delta is on cache lines and where it is not; nothing beside the block changes.
template <class T>
void check(Index count, Index columns, Index offset, bool streamed) {
  using Complex = std::complex<T>;
  const auto at = [](Index i) { return static_cast<std::size_t>(i); };
  constexpr Index kStride = 64;  // whole lines
  constexpr Index kApart = 64;   // Delta of one m and the next
  const Complex untouched(-1, -2);
  core::AlignedVector<Complex> rows(at(columns * kStride), Complex()), back(rows),
      delta(at((count + 1) * kApart), untouched);
  std::vector<Index> shift;
  for (Index i = 0; i < count; ++i) shift.push_back(i * kApart + offset);
  for (Index c = 0; c < columns; ++c)
    for (Index i = 0; i < count; ++i) rows[at(c * kStride + i)] = {static_cast<T>(c + 1), static_cast<T>(100 * i + 1)};
  const auto block = [&](Complex* of) {
    return TileBlock<T>{.m_shift = shift.data(),
                        .count = count,
                        .columns = columns,
                        .fetched = count,
                        .rows = of,
                        .stride = kStride,
                        .streamed = streamed};
  };
  write_block(block(rows.data()), delta.data());
  for (Index place = 0; place < static_cast<Index>(delta.size()); ++place) {
    const Index i = (place - offset) / kApart;
    const Index c = place - offset - i * kApart;
    const bool is_own = place >= offset && i < count && c < columns;
    EXPECT_EQ(delta[at(place)], is_own ? rows[at(c * kStride + i)] : untouched) << place;
  }
  read_block(block(back.data()), delta.data());
  EXPECT_EQ(back, rows);
}

TEST(TileKernel, WritesAndReadsBlocks) {
  for (const bool streamed : {false, true})
    for (const Index offset : {0, 1, 2, 8})
      for (const Index columns : {1, 4, 6, 8, 32})
        for (const Index count : {1, 8, 13, 32}) {
          SCOPED_TRACE(testing::Message() << "streamed " << streamed << ", offset " << offset << ", columns " << columns
                                          << ", count " << count);
          check<float>(count, columns, offset, streamed);
          check<double>(count, columns, offset, streamed);
        }
}

}  // namespace
}  // namespace armilla::fft
