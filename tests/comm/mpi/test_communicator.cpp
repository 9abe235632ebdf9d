// Groups of ranks, and what they know of the machine of a rank.
#include <armilla/comm/communicator.hpp>

#include <any>
#include <optional>
#include <string>

#include <gtest/gtest.h>

namespace armilla::comm {
namespace {

TEST(Communicator, SplitsIntoGroupsThatKnowTheirNode) {
  const auto world = Communicator::world();
  const auto own = world.split(world.rank() % 2);
  EXPECT_EQ(own.size(), (world.size() + 1 - world.rank() % 2) / 2);
  EXPECT_EQ(own.rank(), world.rank() / 2);
  Index sum = world.rank();
  own.sum({&sum, 1});
  Index expected = 0;
  for (int rank = world.rank() % 2; rank < world.size(); rank += 2) expected += rank;
  EXPECT_EQ(sum, expected);
  // The place among all ranks of the node, by which devices are dealt out.
  EXPECT_EQ(own.node_rank().rank, world.node_rank().rank);
  EXPECT_EQ(own.duplicate().node_rank().ranks, world.node_rank().ranks);
  EXPECT_EQ(own.duplicate().size(), own.size());
}

TEST(Communicator, GathersTextsOfTheNode) {
  const auto world = Communicator::world();  // on one machine
  const auto text_of = [](int rank) { return std::string(static_cast<std::size_t>(rank), 'x'); };
  const auto texts = world.gather_on_node(text_of(world.rank()));
  ASSERT_EQ(texts.size(), static_cast<std::size_t>(world.size()));
  for (int rank = 0; rank < world.size(); ++rank) EXPECT_EQ(texts[static_cast<std::size_t>(rank)], text_of(rank));
  const auto group = world.split(world.rank() % 2);
  for (const auto& part : {group, world.alone()}) {
    const auto some = part.gather_on_node(text_of(world.rank()));
    ASSERT_EQ(some.size(), texts.size());
    for (int rank = 0; rank < world.size(); ++rank) {
      const bool is_member = part.size() == group.size() ? rank % 2 == world.rank() % 2 : rank == world.rank();
      EXPECT_EQ(some[static_cast<std::size_t>(rank)], is_member ? std::optional(text_of(rank)) : std::nullopt);
    }
  }
}

TEST(Communicator, GroupsInheritWhatIsKnownOfARank) {
  const auto world = Communicator::world().duplicate();
  const Communicator before = world.split(0);
  world.inherited() = 3;
  const Communicator copy = world;
  for (const Communicator& later : {copy, world.split(0), world.duplicate(), world.alone()})
    EXPECT_EQ(std::any_cast<int>(later.inherited()), 3);
  EXPECT_FALSE(before.inherited().has_value());
}

}  // namespace
}  // namespace armilla::comm
