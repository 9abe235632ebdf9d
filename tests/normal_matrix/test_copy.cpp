#include <armilla/core/aligned_vector.hpp>
#include <armilla/normal_matrix/product.hpp>

#include <numeric>

#include <gtest/gtest.h>

namespace armilla::normal_matrix {
namespace {

using core::at;

TEST(Copy, CopiesWhatIsAskedForWhereverLinesBegin) {
  constexpr Index kSize = 100;
  core::AlignedVector<double> from(at(kSize), 0.0);
  std::iota(from.begin(), from.end(), 1.0);
  for (const bool streamed : {false, true})
    for (const Index begin : {0, 1, 7, 8, 11})
      for (const Index source : {0, 3})
        for (const Index count : {0, 1, 6, 8, 9, 16, 71}) {
          core::AlignedVector<double> to(at(kSize), 0.0);
          copy(&from[at(source)], count * static_cast<Index>(sizeof(double)), streamed, &to[at(begin)]);
          for (Index i = 0; i < kSize; ++i)
            EXPECT_EQ(to[at(i)], i >= begin && i < begin + count ? from[at(source + i - begin)] : 0.0)
                << i << ", streamed " << streamed << ", from " << source << " to " << begin << ", count " << count;
        }
}

}  // namespace
}  // namespace armilla::normal_matrix
