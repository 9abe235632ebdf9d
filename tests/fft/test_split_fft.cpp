#include <armilla/core/error.hpp>
#include <armilla/fft/split_buffer.hpp>
#include <armilla/fft/split_fft.hpp>

#include <cmath>
#include <complex>
#include <limits>

#include "support/fields.hpp"
#include <gtest/gtest.h>

namespace armilla::fft {
namespace {

template <class T>
class SplitFftOf : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(SplitFftOf, Precisions);

template <class T>
void fill(Split<T> z, Index n) {
  for (Index j = 0; j < n; ++j) {
    z.re[j] = static_cast<T>(test::noise(1, static_cast<std::size_t>(j)));
    z.im[j] = static_cast<T>(test::noise(2, static_cast<std::size_t>(j)));
  }
}

template <class T>
std::complex<double> sum(Split<T> in, Index n, Index k) {
  std::complex<double> total = 0;
  for (Index j = 0; j < n; ++j) {
    const double angle = -2 * core::kPi * static_cast<double>(j * k % n) / static_cast<double>(n);
    total += std::complex<double>(in.re[j], in.im[j]) * std::complex<double>(std::cos(angle), std::sin(angle));
  }
  return total;
}

// Every plan of passes: all served lengths up to 512, and those of one more factor of each sort. Rounding grows with
// the number of passes, relative to the root of the sum of squares of n terms below 2.
TYPED_TEST(SplitFftOf, EveryLengthIsTheSum) {
  using T = TypeParam;
  std::vector<Index> lengths = {1024, 2048, 3 * 512, 5 * 256, 7 * 256, 4 * 343, 4 * 125, 4 * 243, 9 * 64, 4096};
  for (Index n = 4; n <= 512; n += 4)
    if (SplitFft<T>::serves(n)) lengths.push_back(n);
  for (const Index n : lengths) {
    const SplitFft<T> fft(n);
    SplitBuffer<T> in(n), out(n);
    core::AlignedBuffer<T> scratch(SplitFft<T>::scratch_size(n));
    fill(in.get(), n);
    std::fill_n(out.get().re, n, std::numeric_limits<T>::quiet_NaN());
    std::fill_n(out.get().im, n, std::numeric_limits<T>::quiet_NaN());
    fft.forward({in.get().re, in.get().im}, out.get(), scratch.data());
    const double size = static_cast<double>(n);
    const double tolerance =
        4 * static_cast<double>(std::numeric_limits<T>::epsilon()) * std::sqrt(2 * size) * (1 + std::log2(size));
    for (Index k = 0; k<n; k += n> 512 ? 37 : 1) {
      const std::complex<double> z(out.get().re[k], out.get().im[k]);
      ASSERT_LT(std::abs(z - sum(in.get(), n, k)), tolerance) << "length " << n << " k " << k;
    }
  }
}

// The same bits wherever arrays stand and however results are written; the input is kept.
TYPED_TEST(SplitFftOf, BitsDependOnTheInputAlone) {
  using T = TypeParam;
  for (const Index n : {8, 12, 60, 64, 140, 256, 360, 1024, 4096, 5120}) {
    const SplitFft<T> fft(n);
    SplitBuffer<T> in(n), kept(n), expected(n), room(n + 64);
    core::AlignedBuffer<T> scratch(SplitFft<T>::scratch_size(n));
    fill(in.get(), n);
    fill(kept.get(), n);
    const Split<const T> from = {in.get().re, in.get().im};
    fft.forward(from, expected.get(), scratch.data());
    for (const bool streamed : {false, true})
      for (const Index shift : {0, 1, 4, 8, 32}) {
        const Split<T> out = room.get() + shift;
        fft.forward(from, out, scratch.data(), streamed);
        for (Index k = 0; k < n; ++k) {
          ASSERT_EQ(out.re[k], expected.get().re[k]) << "length " << n << " shift " << shift << " k " << k;
          ASSERT_EQ(out.im[k], expected.get().im[k]) << "length " << n << " shift " << shift << " k " << k;
          ASSERT_EQ(in.get().re[k], kept.get().re[k]);
        }
      }
  }
}

TEST(SplitFft, ServesMultiplesOfFourWithSmallPrimes) {
  for (const Index n : {4, 8, 12, 20, 28, 8192, 4 * 3 * 5 * 7}) EXPECT_TRUE(SplitFft<double>::serves(n)) << n;
  for (const Index n : {0, 1, 2, 3, 6, 44, 50, 4 * 11}) EXPECT_FALSE(SplitFft<double>::serves(n)) << n;
  EXPECT_THROW(SplitFft<double>(44), core::InternalError);
}

}  // namespace
}  // namespace armilla::fft
