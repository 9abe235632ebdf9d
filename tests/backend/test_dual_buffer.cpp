#include <armilla/backend/dual_buffer.hpp>

#include <algorithm>
#include <cstring>
#include <memory>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "support/refusal.hpp"
#include <gtest/gtest.h>

namespace armilla::backend {
namespace {

// A device that counts what goes to and fro.
class FakeDevice final : public Memory {
 public:
  explicit FakeDevice(int device) : device_(device) {}

  core::MemorySpace space() const override { return core::MemorySpace::kDevice; }
  int device() const override { return device_; }
  int device_of(const void* address) const override { return lent_addresses.contains(address) ? device_ : -1; }
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
  std::set<const void*> lent_addresses;
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

/// Memory of a program on a device.
struct Lent : Fixture {
  Lent() {
    std::ranges::fill(values, 2.0);
    device->lent_addresses = {values.data(), reinterpret_cast<const char*>(values.data() + kCount) - 1};
  }
  DualBuffer<double> adopt(Access access) { return {std::span(values), access, device}; }
  int copies() const { return device->sent + device->fetched; }

  std::vector<double> values = std::vector<double>(kCount);
};

TEST(LentDeviceMemory, IsUsedInPlace) {
  Lent it;
  DualBuffer<double> adopted = it.adopt(Access::kReadWrite);
  EXPECT_EQ(adopted.size(), kCount);
  EXPECT_EQ(adopted.memory(), it.device);
  EXPECT_EQ(adopted.read(it.device), it.values.data());
  EXPECT_EQ(adopted.update(it.device), it.values.data());
  EXPECT_EQ(adopted.overwrite(it.device), it.values.data());
  adopted.deliver();
  EXPECT_EQ(it.copies() + it.device->allocations, 0);
}

TEST(LentDeviceMemory, GetsWhatTheHostWrites) {
  Lent it;
  DualBuffer<double> adopted = it.adopt(Access::kReadWrite);
  EXPECT_EQ(numbers(std::as_const(adopted).host().data()), std::vector<double>(kCount, 2.0));
  EXPECT_EQ(it.device->fetched, 1);
  adopted.host()[3] = 7;
  EXPECT_EQ(it.values[3], 2);
  adopted.deliver();
  EXPECT_EQ(it.values[3], 7);
  std::fill_n(adopted.overwrite(host_memory()), kCount, 4.0);
  EXPECT_EQ(adopted.read(it.device), it.values.data());
  EXPECT_EQ(it.values, std::vector<double>(kCount, 4.0));
  EXPECT_EQ(it.device->allocations, 0);
}

TEST(LentDeviceMemory, IsRefusedElsewhereAndForWriting) {
  Lent it;
  DualBuffer<double> adopted = it.adopt(Access::kRead);
  test::expect_refusal([&] { adopted.update(it.device); }, "passed as constant");
  test::expect_refusal([&] { adopted.read(std::make_shared<FakeDevice>(1)); },
                       "is on GPU 0, but the transform computes on GPU 1");
  it.device->lent_addresses.erase(it.values.data());
  test::expect_refusal([&] { it.adopt(Access::kRead); }, "not memory of a GPU");
  it.device->lent_addresses = {it.values.data()};
  test::expect_refusal([&] { it.adopt(Access::kRead); }, "ends before 40 bytes");
  EXPECT_NO_THROW(DualBuffer<double>({}, Access::kRead, it.device));
}

TEST(DualBuffer, DeliversToTheHost) {
  Fixture it;
  std::vector<double> values(kCount, 1.0);
  DualBuffer<double> adopted(values, Access::kReadWrite);
  std::fill_n(adopted.overwrite(it.device), kCount, 3.0);
  adopted.deliver();
  EXPECT_EQ(values, std::vector<double>(kCount, 3.0));
}

}  // namespace
}  // namespace armilla::backend
