#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include "support/device.hpp"
#include <gtest/gtest.h>
#include <kernels/core/memory.hpp>
#include <kernels/rings/chirps.hpp>
#include <kernels/rings/fold.hpp>
#include <kernels/rings/pixels.hpp>

namespace armilla::kernels {
namespace {

// Two pairs of 36 and 40 pixels in chunks of ten columns, all of whose lines are transformed.
template <class T>
struct Chunk {
  static constexpr int kCapacity = 10;
  static constexpr int kLength = 24;

  Chunk() {
    const std::vector<RingUnit> host = {
        {{0, 1}, {0, 36}, 36, 13, {-1, -1}, 0},
        {{2, 3}, {72, 112}, 40, 30, {-1, -1}, 1},
    };
    const std::vector<int> lengths = {9, 10};
    const std::vector<T> nan(2 * 4 * kCapacity * kLength, std::numeric_limits<T>::quiet_NaN());
    units = upload<RingUnit>(host, stream);
    parts = upload<int>(lengths, stream);
    values = upload<T>(nan, stream);
    chirp = DeviceBuffer<T>(2 * 2 * 10);
    twiddle = DeviceBuffer<T>(2 * 2 * 10);
  }

  DeviceRingChunk<T> chunk() {
    return {units.data(), 0, 2, kCapacity, 40, 30, 4, kLength, {0, 10, chirp.data(), twiddle.data(), nullptr},
            values.data()};
  }
  void make_tables() {
    make_chirps(
        DeviceChirpTask<T>{parts.data(), 2, 4 * kCapacity, kLength, 10, chirp.data(), twiddle.data(), values.data()},
        stream.get());
  }
  std::vector<T> numbers() {
    std::vector<T> there(static_cast<std::size_t>(values.size()));
    copy(there.data(), values.data(), values.size(), stream);
    stream.wait();
    return there;
  }
  void poison() {
    const std::vector<T> nan(static_cast<std::size_t>(values.size()), std::numeric_limits<T>::quiet_NaN());
    copy(values.data(), nan.data(), values.size(), stream);
    stream.wait();
  }

  Stream stream;
  DeviceBuffer<RingUnit> units;
  DeviceBuffer<int> parts;
  DeviceBuffer<T> values, chirp, twiddle;
};

// Numbers that count in each line are not zero, all others are: nothing is left as it was.
template <class T>
void expect_padded(const std::vector<T>& numbers) {
  for (int column = 0; column < Chunk<T>::kCapacity; ++column)
    for (int r = 0; r < 4; ++r)
      for (int j = 0; j < Chunk<T>::kLength; ++j) {
        const std::size_t place = static_cast<std::size_t>(2 * ((column * 4 + r) * Chunk<T>::kLength + j));
        const T size = std::abs(numbers[place]) + std::abs(numbers[place + 1]);
        const int part = column == 0 ? 9 : column == 1 ? 10 : 0;
        if (j < part)
          EXPECT_GT(size, 0) << column << " " << r << " " << j;
        else
          EXPECT_EQ(size, 0) << column << " " << r << " " << j;
      }
}

TEST(RingKernels, FillAllLinesOfAChunk) {
  ARMILLA_NEEDS_DEVICE();
  Chunk<double> c;
  c.make_tables();
  const auto filters = c.numbers();
  for (const double value : filters) EXPECT_TRUE(std::isfinite(value));

  std::vector<Index> m_shift;
  for (Index m = 0; m < 40; ++m) m_shift.push_back(4 * m);
  const auto shift = upload<Index>(m_shift, c.stream);
  const DeviceRingLayout layout{shift.data(), 1, 1, 152, 152};
  std::vector<std::complex<double>> delta(4 * 40, {1.0, 0.3});
  delta[0] = delta[1] = delta[2] = delta[3] = {1.0, 0.0};
  const auto there = upload<std::complex<double>>(delta, c.stream);
  c.poison();
  // m_count of the first pair leaves places of its spectrum without any m: they are zero, and stay so times the chirp.
  fold(
      DeviceFoldTask<double, const double>{
          c.chunk(), layout, {nullptr, 0}, device_cast<const double>(there.data()), nullptr},
      c.stream.get());
  for (const double value : c.numbers()) EXPECT_TRUE(std::isfinite(value));

  const std::vector<double> map(152, 1.5);
  const auto pixels = upload<double>(map, c.stream);
  c.poison();
  read_pixels(DevicePixelTask<double, const double>{c.chunk(), layout, pixels.data(), nullptr}, c.stream.get());
  expect_padded(c.numbers());
}

}  // namespace
}  // namespace armilla::kernels
