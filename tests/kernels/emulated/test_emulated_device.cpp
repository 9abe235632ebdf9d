// What the emulated device refuses as a device does: reads of the host, results before they are there, memory that was
// given back, threads that have not chosen the device.
#include <armilla/core/error.hpp>

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <thread>
#include <utility>
#include <vector>

#include "support/emulation.hpp"
#include <gtest/gtest.h>
#include <kernels/core/arithmetic.hpp>
#include <kernels/core/device.hpp>
#include <kernels/core/emulated_stream.hpp>
#include <kernels/core/memory.hpp>
#include <kernels/core/stream.hpp>

namespace armilla::kernels {
namespace {

using Numbers = std::vector<double>;

Numbers fetched(const DeviceBuffer<double>& buffer, const Stream& stream) {
  Numbers numbers(static_cast<std::size_t>(buffer.size()));
  copy(numbers.data(), buffer.data(), buffer.size(), stream);
  stream.wait();
  return numbers;
}

// Ends the process: with 0 where the number can be read.
[[noreturn]] void read(const double* number) {
  [[maybe_unused]] const volatile double value = *number;
  std::_Exit(0);
}

TEST(EmulatedDeviceDeathTest, TheHostCannotReadDeviceMemory) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const Stream stream;
  const DeviceBuffer<double> buffer = upload<double>(Numbers{1, 2, 3}, stream);
  EXPECT_EXIT(read(buffer.data().address()), testing::KilledBySignal(SIGSEGV), "");
  // What a kernel is launched with is no better outside a kernel.
  EXPECT_EXIT(read(in_kernel(buffer.data())), testing::KilledBySignal(SIGSEGV), "");
  double value = 0;
  enqueue(stream.get(), [&value, there = in_kernel(buffer.data())] { value = there[1]; });
  stream.wait();
  EXPECT_EQ(value, 2);
}

TEST(EmulatedDeviceDeathTest, KernelsCannotGoPastTheEndOfABlock) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto read_past_the_end = [] {
    const Stream stream;
    const DeviceBuffer<double> buffer(513);
    enqueue(stream.get(), [there = in_kernel(buffer.data())] { read(there + 544); });  // the next multiple of 256 bytes
    stream.wait();
  };
  EXPECT_EXIT(read_past_the_end(), testing::KilledBySignal(SIGSEGV), "");
}

TEST(EmulatedDeviceDeathTest, KernelsCannotReadMemoryThatWasGivenBack) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto read_too_late = [] {
    const Stream stream;
    KernelPointer<const double> there;
    {
      const DeviceBuffer<double> buffer = upload<double>(Numbers{1, 2, 3}, stream);
      there = in_kernel(buffer.data());
    }
    enqueue(stream.get(), [there] { read(there); });
    stream.wait();
  };
  EXPECT_EXIT(read_too_late(), testing::KilledBySignal(SIGSEGV), "");
}

TEST(EmulatedDevice, ResultsAreThereOnlyWhenTheStreamWasWaitedFor) {
  const Stream stream;
  const DeviceBuffer<double> buffer = upload<double>(Numbers{1, 2, 3}, stream);
  Numbers numbers(3, 7.0);
  copy(numbers.data(), buffer.data(), 3, stream);
  for (const double number : numbers) EXPECT_TRUE(std::isnan(number));
  stream.wait();
  EXPECT_EQ(numbers, (Numbers{1, 2, 3}));
}

TEST(EmulatedDevice, AnEventIsWaitedForWithAllBeforeItAndNothingBehindIt) {
  const Stream stream;
  const DeviceBuffer<double> buffer = upload<double>(Numbers{1, 2, 3}, stream);
  Numbers before(3), behind(3);
  Event event;
  copy(before.data(), buffer.data(), 3, stream);
  event.record(stream);
  copy(behind.data(), buffer.data(), 3, stream);
  event.wait();
  EXPECT_EQ(before, (Numbers{1, 2, 3}));
  EXPECT_TRUE(std::isnan(behind[0]));
  stream.wait();
  EXPECT_EQ(behind, before);
}

TEST(EmulatedDevice, StreamsGoOnSideBySideUnlessOneHoldsTheOther) {
  const Stream first, second;
  DeviceBuffer<double> x = upload<double>(Numbers{1, 2, 3}, first);
  DeviceBuffer<double> y = upload<double>(Numbers{10, 20, 30}, first);
  Arithmetic<double>::multiply(x.data(), y.data(), 3, first.get());
  EXPECT_EQ(fetched(y, second), (Numbers{10, 20, 30}));  // nothing waited for the product
  Event event;
  event.record(first);
  event.hold(second);
  EXPECT_EQ(fetched(y, second), (Numbers{10, 40, 90}));
}

TEST(EmulatedDevice, PinnedMemoryIsReadWhenTheStreamComesThere) {
  const Stream stream;
  DeviceBuffer<double> buffer(1);
  PinnedBuffer<double> pinned(1);
  *pinned.data() = 1;
  copy(buffer.data(), std::as_const(pinned).data(), 1, stream);
  *pinned.data() = 2;  // too early
  EXPECT_EQ(fetched(buffer, stream), Numbers{2});
  double other = 3;
  copy(buffer.data(), &std::as_const(other), 1, stream);
  other = 4;
  EXPECT_EQ(fetched(buffer, stream), Numbers{3});
}

TEST(EmulatedDevice, WorkIsDoneBeforeItsMemoryIsGivenBack) {
  const Stream stream;
  DeviceBuffer<double> y = upload<double>(Numbers{10, 20, 30}, stream);
  {
    const DeviceBuffer<double> x = upload<double>(Numbers{1, 2, 3}, stream);
    Arithmetic<double>::multiply(x.data(), y.data(), 3, stream.get());
  }
  EXPECT_EQ(fetched(y, stream), (Numbers{10, 40, 90}));
}

TEST(EmulatedDevice, MemoryIsFullOfWhatIsNotANumber) {
  const Stream stream;
  for (int round = 0; round < 3; ++round) {
    DeviceBuffer<double> buffer(1000);
    for (const double number : fetched(buffer, stream)) ASSERT_TRUE(std::isnan(number));
    fill_zero(buffer.data(), buffer.size(), stream);
    for (const double number : fetched(buffer, stream)) ASSERT_EQ(number, 0);
  }
}

TEST(EmulatedDevice, ThreadsThatHaveNotChosenTheDeviceAreRefused) {
  const test::Pretend two_devices({.devices = 2});
  set_device(1);
  {
    const Stream stream;
    DeviceBuffer<double> buffer = upload<double>(Numbers{1, 2, 3}, stream);
    Numbers numbers;
    std::thread([&] {
      EXPECT_EQ(current_device(), 0);
      EXPECT_THROW(Arithmetic<double>::multiply(buffer.data(), buffer.data(), 3, stream.get()), core::ResourceError);
      numbers = fetched(buffer, stream);  // copies choose it
      EXPECT_EQ(current_device(), 1);
    }).join();
    EXPECT_EQ(numbers, (Numbers{1, 2, 3}));
  }
  set_device(0);
}

}  // namespace
}  // namespace armilla::kernels
