// Which objects make and free communicators of MPI, and when.
#include <armilla/comm/communicator.hpp>
#include <armilla/core/error.hpp>

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

namespace {

int communicators_made = 0, communicators_freed = 0;

}  // namespace

// Count the communicators of the whole program, through the profiling interface of MPI.
extern "C" {

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* copy) {
  ++communicators_made;
  return PMPI_Comm_dup(comm, copy);
}

int MPI_Comm_split(MPI_Comm comm, int group, int key, MPI_Comm* part) {
  ++communicators_made;
  return PMPI_Comm_split(comm, group, key, part);
}

int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* part) {
  ++communicators_made;
  return PMPI_Comm_split_type(comm, type, key, info, part);
}

int MPI_Comm_free(MPI_Comm* comm) {
  ++communicators_freed;
  return PMPI_Comm_free(comm);
}

}  // extern "C"

namespace armilla::comm {
namespace {

/// Collective. A communicator of the program: ranks 0, 2, .. or ranks 1, 3, ..
MPI_Comm half_of_world() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  return half;
}

TEST(CommunicatorLifetime, WorldHasOneDuplicate) {
  const Communicator first = Communicator::world();
  const int before = communicators_made;
  std::vector<Communicator> all;
  for (int i = 0; i < 10000; ++i) {
    const Communicator other = Communicator::world();
    ASSERT_EQ(other.native(), first.native());
    if (i % 100 == 0) all.push_back(other);
  }
  EXPECT_EQ(communicators_made, before);
  int result = 0;
  MPI_Comm_compare(first.native(), MPI_COMM_WORLD, &result);
  EXPECT_EQ(result, MPI_CONGRUENT) << "messages are separate from those of the program";
}

TEST(CommunicatorLifetime, ADuplicateIsFreedWithTheCommunicatorOfTheProgram) {
  MPI_Comm half = half_of_world();
  const int made_before = communicators_made, freed_before = communicators_freed;
  const auto part = std::make_unique<Communicator>(Communicator::duplicate_of(half));
  auto copy = std::make_unique<Communicator>(*part);
  const Communicator again = Communicator::duplicate_of(half);
  EXPECT_EQ(communicators_made, made_before + 1);
  Index ranks = 1;
  again.sum({&ranks, 1});
  EXPECT_EQ(ranks, part->size());
  copy.reset();
  EXPECT_EQ(communicators_freed, freed_before) << "objects do not free it";
  MPI_Comm_free(&half);
  EXPECT_EQ(communicators_freed, freed_before + 2);
  try {
    part->barrier();
    ADD_FAILURE() << "a freed communicator was used";
  } catch (const core::InputError& error) {
    EXPECT_NE(std::string(error.what()).find("was freed by MPI_Comm_free"), std::string::npos) << error.what();
  }
  EXPECT_EQ(again.rank(), part->rank()) << "local calls remain";
}

TEST(CommunicatorLifetime, GroupsAreFreedByTheirLastCopy) {
  const Communicator world = Communicator::world();
  static_cast<void>(world.node_rank());
  const int made_before = communicators_made, freed_before = communicators_freed;
  {
    const Communicator group = world.split(world.rank() % 2);
    {
      const Communicator copy = group;
      copy.barrier();
    }
    EXPECT_EQ(communicators_freed, freed_before);
    const Communicator twin = group.duplicate();
    twin.barrier();
    EXPECT_EQ(twin.node_rank().rank, world.node_rank().rank);
  }
  EXPECT_EQ(communicators_made, made_before + 2);
  EXPECT_EQ(communicators_freed, freed_before + 2);
}

TEST(CommunicatorLifetime, ARankAloneKnowsItsPlaceWithoutACommunicator) {
  const Communicator world = Communicator::world();
  static_cast<void>(world.node_rank());
  const int before = communicators_made;
  const Communicator alone = world.alone();
  EXPECT_EQ(alone.size(), 1);
  EXPECT_EQ(alone.native(), MPI_COMM_NULL);
  EXPECT_EQ(alone.node_rank().rank, world.node_rank().rank);
  EXPECT_EQ(alone.node_rank().ranks, world.node_rank().ranks);
  EXPECT_EQ(communicators_made, before);
}

TEST(CommunicatorLifetime, AttachedObjectsEndWithTheCommunicator) {
  MPI_Comm half = half_of_world();
  const Communicator part = Communicator::duplicate_of(half);
  ASSERT_NE(part.attached(), nullptr);
  EXPECT_EQ(*part.attached(), nullptr);
  // It contains a copy of the communicator, which must not keep it.
  const auto object = std::make_shared<Communicator>(part);
  const std::weak_ptr<Communicator> watched = object;
  *part.attached() = object;
  EXPECT_EQ(*Communicator::duplicate_of(half).attached(), object);
  EXPECT_EQ(watched.use_count(), 2);
  MPI_Comm_free(&half);
  EXPECT_EQ(watched.use_count(), 1);
  EXPECT_EQ(Communicator::world().duplicate().attached(), nullptr);
  EXPECT_EQ(Communicator::world().split(0).attached(), nullptr);
  EXPECT_NE(Communicator::self().attached(), nullptr);
}

}  // namespace
}  // namespace armilla::comm
