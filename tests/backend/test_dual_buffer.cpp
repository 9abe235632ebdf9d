#include <armilla/backend/dual_buffer.hpp>

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

namespace armilla::backend {
namespace {

// A device that counts what goes to and fro.
class FakeDevice final : public Memory {
 public:
  explicit FakeDevice(int device) : device_(device) {}

  core::MemorySpace space() const override { return core::MemorySpace::kDevice; }
  int device() const override { return device_; }
  std::shared_ptr<void> allocate(Index bytes) override {
    ++allocations;
    return std::shared_ptr<char[]>(new char[static_cast<std::size_t>(bytes)]);
  }
  std::shared_ptr<void> allocate_host(Index bytes) override { return allocate(bytes); }
  void to_host(void* host, const void* there, Index bytes) override {
    ++fetched;
    std::memcpy(host, there, static_cast<std::size_t>(bytes));
  }
  void from_host(void* there, const void* host, Index bytes) override {
    ++sent;
    std::memcpy(there, host, static_cast<std::size_t>(bytes));
  }
  int allocations = 0;
  int fetched = 0;
  int sent = 0;

 private:
  AllOps all_ops() const override { return {}; }

  int device_;
};

constexpr Index kCount = 5;

std::vector<double> numbers(const double* from) { return {from, from + kCount}; }

struct Fixture {
  Fixture() : buffer(kCount) { std::ranges::fill(buffer.host(), 1.0); }

  const DualBuffer<double>& constant() const { return buffer; }

  std::shared_ptr<FakeDevice> device = std::make_shared<FakeDevice>(0);
  DualBuffer<double> buffer;
};

TEST(DualBuffer, GoesToTheDeviceOnce) {
  Fixture it;
  EXPECT_EQ(numbers(it.buffer.read(it.device)), std::vector<double>(kCount, 1.0));
  it.buffer.read(it.device);
  it.constant().host();
  it.buffer.read(it.device);
  EXPECT_EQ(it.device->sent, 1);
  EXPECT_EQ(it.device->fetched, 0);
  it.buffer.host()[2] = 7;
  EXPECT_EQ(it.buffer.read(it.device)[2], 7);
  EXPECT_EQ(it.device->sent, 2);
  EXPECT_EQ(it.device->allocations, 1);
}

TEST(DualBuffer, ComesBackWhenTheHostAsks) {
  Fixture it;
  std::fill_n(it.buffer.overwrite(it.device), kCount, 3.0);
  EXPECT_EQ(it.device->sent, 0);
  EXPECT_EQ(numbers(it.buffer.read(it.device)), std::vector<double>(kCount, 3.0));
  EXPECT_EQ(numbers(it.constant().host().data()), std::vector<double>(kCount, 3.0));
  it.constant().host();
  EXPECT_EQ(it.device->fetched, 1);
  EXPECT_EQ(it.device->sent, 0);
}

TEST(DualBuffer, IsChangedWhereItStands) {
  Fixture it;
  it.buffer.update(it.device)[1] = 4;
  it.buffer.update(it.device)[3] = 5;
  EXPECT_EQ(it.device->sent, 1);
  EXPECT_EQ(numbers(it.constant().host().data()), (std::vector<double>{1, 4, 1, 5, 1}));
  EXPECT_EQ(it.device->fetched, 1);
}

TEST(DualBuffer, IsInPlaceWhereItsNewestNumbersAre) {
  Fixture it;
  EXPECT_EQ(it.buffer.memory()->space(), core::MemorySpace::kHost);
  it.buffer.read(it.device);
  EXPECT_EQ(it.buffer.memory(), it.device);
  it.buffer.host()[0] = 2;
  EXPECT_EQ(it.buffer.memory()->space(), core::MemorySpace::kHost);
  std::fill_n(it.buffer.overwrite(it.device), kCount, 3.0);
  EXPECT_EQ(it.buffer.memory(), it.device);
  it.constant().host();
  EXPECT_EQ(it.buffer.memory(), it.device);
  EXPECT_EQ(it.device->sent, 1);
  EXPECT_EQ(it.device->fetched, 1);
}

TEST(DualBuffer, StaysOnItsDeviceForAllWhoUseIt) {
  Fixture it;
  std::fill_n(it.buffer.overwrite(it.device), kCount, 3.0);
  const auto other = std::make_shared<FakeDevice>(0);
  EXPECT_EQ(it.buffer.read(other)[0], 3.0);
  EXPECT_EQ(it.device->fetched + other->sent + other->allocations, 0);
}

TEST(DualBuffer, MovesToAnotherDeviceByWayOfTheHost) {
  Fixture it;
  std::fill_n(it.buffer.overwrite(it.device), kCount, 3.0);
  const auto other = std::make_shared<FakeDevice>(1);
  EXPECT_EQ(it.buffer.read(other)[4], 3.0);
  EXPECT_EQ(it.device->fetched, 1);
  EXPECT_EQ(other->sent, 1);
}

TEST(DualBuffer, IsOneArrayOnTheHost) {
  Fixture it;
  const auto host = host_memory();
  EXPECT_EQ(it.buffer.read(host), it.constant().host().data());
  EXPECT_EQ(it.buffer.update(host), it.constant().host().data());
  EXPECT_EQ(it.buffer.overwrite(host), it.constant().host().data());
  std::fill_n(it.buffer.overwrite(it.device), kCount, 3.0);
  EXPECT_EQ(it.buffer.read(host)[0], 3.0);
  EXPECT_EQ(it.device->fetched, 1);
}

}  // namespace
}  // namespace armilla::backend
