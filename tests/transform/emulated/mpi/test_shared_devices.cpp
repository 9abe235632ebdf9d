// Memory of a device for each of the ranks that share it, by what each rank sees.
#include <armilla/transform/device_work.hpp>

#include <optional>

#include <gtest/gtest.h>
#include <kernels/core/device.hpp>
#include <mpi.h>
#include <support/emulation.hpp>

namespace armilla::transform {
namespace {

using backend::Kind;
using comm::Communicator;
using test::Pretend;

/// All ranks, with a communicator on which no device has been counted.
class SharedDevices : public testing::Test {
 protected:
  SharedDevices() { MPI_Comm_dup(MPI_COMM_WORLD, &native_); }
  ~SharedDevices() override { MPI_Comm_free(&native_); }

  Communicator ranks() const { return Communicator::duplicate_of(native_); }
  /// The device of the emulation that this rank sees.
  Pretend see(int first, int devices = 1) const { return Pretend({.devices = devices, .first_device = first}); }

  MPI_Comm native_ = MPI_COMM_NULL;
};

/// All that a rank may use of its device, if it does not share it: 15/16 of the free memory.
Index whole() {
  const Index free = kernels::device_memory().free;
  return free - free / 16;
}

// As with Slurm's --gpus-per-task=1.
TEST_F(SharedDevices, RanksThatEachSeeTheirOwnGetTheWholeMemory) {
  const Pretend own = see(ranks().rank());
  EXPECT_EQ(device_room(ranks(), Kind::kCuda), whole());
  EXPECT_EQ(placement(ranks(), Kind::kCuda).device, 0);
}

TEST_F(SharedDevices, RanksThatSeeTheSameShareItsMemory) {
  const Pretend same = see(5);
  EXPECT_EQ(device_room(ranks(), Kind::kCuda), whole() / ranks().size());
}

TEST_F(SharedDevices, OnlyRanksOfTheSameDeviceAreCounted) {
  const Pretend some = see(ranks().rank() == 0 ? 0 : 1);
  EXPECT_EQ(placement(ranks(), Kind::kCuda).ranks, ranks().rank() == 0 ? 1 : ranks().size() - 1);
}

TEST_F(SharedDevices, RanksThatSeeSeveralUseOneEach) {
  const Pretend all = see(0, ranks().size());
  EXPECT_EQ(placement(ranks(), Kind::kCuda).device, ranks().rank());
  EXPECT_EQ(device_room(ranks(), Kind::kCuda), whole());
}

// Groups of a campaign run at the same time, so they share devices.
TEST_F(SharedDevices, GroupsCountTheRanksOfAll) {
  const Pretend some = see(ranks().rank() == 0 ? 0 : 1);
  const int expected = placement(ranks(), Kind::kCuda).ranks;
  const Communicator group = ranks().split(ranks().rank());
  for (const Communicator& part : {group, group.duplicate(), ranks().alone()})
    EXPECT_EQ(placement(part, Kind::kCuda).ranks, expected);
}

// Nothing is known of the others, so that they count as if they saw the same.
TEST_F(SharedDevices, GroupsMadeBeforeTheCountAssumeThatAllSeeTheSame) {
  const Communicator group = ranks().split(ranks().rank());
  {
    const Pretend all = see(0, ranks().size());
    EXPECT_EQ(placement(group, Kind::kCuda).device, ranks().rank());
  }
  const Pretend same = see(0);
  EXPECT_EQ(placement(ranks().split(ranks().rank()), Kind::kCuda).ranks, ranks().size());
}

TEST_F(SharedDevices, NothingIsKeptBeforeAllRanksSeeADevice) {
  const bool last = ranks().rank() == ranks().size() - 1;
  {
    const Pretend hidden({.visible = !last});
    EXPECT_EQ(placement(ranks(), Kind::kCuda).ranks, last ? 1 : ranks().size() - 1);
  }
  EXPECT_EQ(placement(ranks(), Kind::kCuda).ranks, ranks().size());
}

TEST_F(SharedDevices, ABackendWithoutDevicesCountsNone) {
  EXPECT_EQ(placement(ranks(), Kind::kCpu).ranks, 1);
  EXPECT_EQ(device_room(ranks(), Kind::kCpu), backend::kNoDevice);
}

}  // namespace
}  // namespace armilla::transform
