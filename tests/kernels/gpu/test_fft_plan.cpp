#include <armilla/core/error.hpp>

#include <cmath>
#include <complex>
#include <limits>
#include <string>
#include <vector>

#include "support/device.hpp"
#include "support/fields.hpp"
#include <gtest/gtest.h>
#include <kernels/core/memory.hpp>
#include <kernels/fft/fft_plan.hpp>

namespace armilla::kernels {
namespace {

template <class T>
class FftPlanOf : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(FftPlanOf, Precisions);

template <class T>
std::vector<std::complex<T>> transformed(std::vector<std::complex<T>> numbers, Index length, FftDirection direction) {
  const Stream stream;
  const FftPlan<T> plan(load_cufft(), length, static_cast<Index>(numbers.size()) / length);
  DeviceBuffer<char> work(plan.work_bytes() + 1);
  auto there = upload<std::complex<T>>(numbers, stream);
  plan.run(device_cast<T>(there.data()), direction, work.data(), stream.get());
  copy(numbers.data(), there.data(), there.size(), stream);
  stream.wait();
  return numbers;
}

TYPED_TEST(FftPlanOf, TransformsEachLine) {
  using T = TypeParam;
  ARMILLA_NEEDS_DEVICE();
  constexpr Index kLines = 3;
  for (const Index length : {Index{1}, Index{2}, Index{24}, Index{105}, Index{256}, Index{768}})
    for (const FftDirection direction : {FftDirection::kForward, FftDirection::kInverse}) {
      std::vector<std::complex<T>> in(static_cast<std::size_t>(kLines * length));
      for (std::size_t i = 0; i < in.size(); ++i)
        in[i] = {static_cast<T>(test::noise(1, i)), static_cast<T>(test::noise(2, i))};
      const auto out = transformed(in, length, direction);
      const double sign = direction == FftDirection::kForward ? -1 : 1;
      double error = 0, norm = 0;
      for (Index line = 0; line < kLines; ++line)
        for (Index k = 0; k < length; ++k) {
          std::complex<double> sum = 0;
          for (Index j = 0; j < length; ++j)
            sum += std::complex<double>(in[static_cast<std::size_t>(line * length + j)]) *
                   std::polar(1.0,
                              sign * 2 * core::kPi * static_cast<double>(j * k % length) / static_cast<double>(length));
          error += std::norm(std::complex<double>(out[static_cast<std::size_t>(line * length + k)]) - sum);
          norm += std::norm(sum);
        }
      // One rounding per stage of a few operations each.
      EXPECT_LT(std::sqrt(error / norm), 10 * std::numeric_limits<T>::epsilon()) << length;
    }
}

// cuFFT is loaded, not linked: what is said where it is not there.
TEST(FftPlan, SaysWhichLibraryIsMissing) {
  try {
    load_cufft("libcufft.so.missing");
    FAIL() << "a library that is not there was loaded";
  } catch (const core::ResourceError& error) {
    EXPECT_NE(std::string(error.what()).find("libcufft.so.missing"), std::string::npos) << error.what();
  }
}

// The machine that builds with CUDA has cuFFT, whether or not it has a GPU.
TEST(FftPlan, LoadsCufftWithoutADevice) { EXPECT_NO_THROW(load_cufft()); }

}  // namespace
}  // namespace armilla::kernels
