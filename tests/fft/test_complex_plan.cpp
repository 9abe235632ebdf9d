#include <armilla/core/aligned_buffer.hpp>
#include <armilla/fft/interleave.hpp>
#include <armilla/fft/ring_fft.hpp>

#include <cmath>
#include <limits>

#include "support/fields.hpp"
#include <gtest/gtest.h>

namespace armilla::fft {
namespace {

template <class T>
class RingFftOf : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(RingFftOf, Precisions);

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

// Planned and chirped lengths, with and without four parts, and lengths with radix-4 steps. Rounding grows with the
// logarithm of the length, relative to the root of the sum of squares of n terms below 2; chirps are three such
// transforms.
TYPED_TEST(RingFftOf, EveryLengthIsTheSum) {
  using T = TypeParam;
  for (const Index n : {1,      2,   3,   4,   12,      60,  61,   67,   68,   100,  134, 201,
                        44 * 4, 512, 500, 768, 4 * 127, 509, 1024, 1028, 4096, 5120, 8192}) {
    PlanCache<T> plans;
    plans.prepare(n);
    RingFftWorkspace<T> work(plans.sizes());
    SplitBuffer<T> in(n), out(n);
    core::AlignedBuffer<std::complex<T>> z(n);
    fill(in.get(), n);
    plans.at(n).from_rows({in.get().re, in.get().im}, z.data(), work);
    const double size = static_cast<double>(n);
    const double tolerance =
        12 * static_cast<double>(std::numeric_limits<T>::epsilon()) * std::sqrt(2 * size) * (1 + std::log2(size));
    for (Index k = 0; k<n; k += n> 256 ? 37 : 1) {
      const std::complex<double> expected = sum(in.get(), n, k);
      ASSERT_LT(std::abs(std::complex<double>(z.data()[k]) - expected), tolerance) << "length " << n << " k " << k;
    }
    // Bitwise identical also if the rows are results.
    core::AlignedBuffer<std::complex<T>> pixels(n);
    interleave({in.get().re, in.get().im}, n, pixels.data());
    plans.at(n).to_rows(pixels.data(), out.get(), work, false);
    for (Index k = 0; k < n; ++k) {
      ASSERT_EQ(out.get().re[k], z.data()[k].real());
      ASSERT_EQ(out.get().im[k], z.data()[k].imag());
    }
  }
}

// Wherever arrays stand and however they are written; nothing around them is.
TYPED_TEST(RingFftOf, RowsAreInterleavedAndBack) {
  using T = TypeParam;
  constexpr T kUntouched = T(77);
  for (const Index n : {1, 3, 8, 31, 64, 100})
    for (const Index shift : {0, 1, 4, 16})
      for (const bool streamed : {false, true}) {
        SplitBuffer<T> rows(n + 32), back(n + 32);
        core::AlignedBuffer<std::complex<T>> z(n + 1);
        fill(rows.get(), n + 32);
        std::fill_n(back.get().re, n + 32, kUntouched);
        std::fill_n(back.get().im, n + 32, kUntouched);
        const Split<T> from = rows.get() + shift;
        const Split<T> to = back.get() + shift;
        z.data()[n] = kUntouched;
        interleave({from.re, from.im}, n, z.data());
        ASSERT_EQ(z.data()[n], std::complex<T>(kUntouched));
        deinterleave(z.data(), n, to, streamed);
        for (Index i = 0; i < n; ++i) {
          ASSERT_EQ(z.data()[i], std::complex<T>(from.re[i], from.im[i]));
          ASSERT_EQ(to.re[i], from.re[i]);
          ASSERT_EQ(to.im[i], from.im[i]);
        }
        ASSERT_EQ(to.re[n], kUntouched);
        ASSERT_EQ(to.im[n], kUntouched);
      }
}

TEST(RingFft, PlansFewLengths) {
  EXPECT_EQ(planned_lengths({8192, 12, 61}), (std::set<Index>{8192, 12, 61}));
  std::set<Index> healpix;
  for (Index n = 4; n <= 8192; n += 4) healpix.insert(n);
  std::set<Index> chirped;
  for (const Index n : healpix)
    if (RingFft<double>::method(n) == RingFft<double>::Method::kChirp) chirped.insert(n);
  EXPECT_LT(planned_lengths(chirped).size(), 30u);
}

}  // namespace
}  // namespace armilla::fft
