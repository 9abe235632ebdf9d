#include <armilla/comm/phase.hpp>

#include "../point_support.hpp"
#include "shared_folder.hpp"

namespace armilla::test {

namespace {

using comm::Communicator;
using core::Precision;

/// First point and number of points of a rank: nothing on odd ranks, and on the last of several.
dist::PixelRange share_of(Index points, int rank, int ranks) {
  Index first = 0, count = 0;
  const int owners = std::max(1, ranks / 2);  // even ranks before the last
  for (int r = 0, owner = 0; r <= rank; ++r) {
    first += count;
    count = 0;
    if (r % 2 != 0 || owner == owners) continue;
    count = (owner + 1) * points / owners - owner * points / owners;
    ++owner;
  }
  return {first, count};
}

template <class T>
void points_do_not_depend_on_ranks(const Communicator& world, const std::string& ending, Index points, Index components,
                                   Precision precision) {
  const SharedFolder folder(world);
  const std::string together = folder / ("together" + ending), alone = folder / ("alone" + ending);
  const dist::PixelRange own = share_of(points, world.rank(), world.size());
  const Catalogue<T> mine(points, own.first, own.count, components);
  const io::WriteOptions options{.precision = precision};
  io::write_points<T>(world, together, {}, mine.theta, mine.phi, mine.values, options);
  if (world.is_root()) {
    const Catalogue<T> all(points, 0, points, components);
    io::write_points<T>(Communicator::self(), alone, {}, all.theta, all.phi, all.values, options);
    EXPECT_TRUE(bytes_of(together) == bytes_of(alone)) << ending << ", " << points << " points";
  }
  const io::PointsInfo info = io::open_points(together);
  EXPECT_EQ(info.points, points);
  EXPECT_EQ(info.components, components);
  expect_catalogue(info, mine, own.first, precision, 1000);
  world.barrier();
}

void write_big_points(const Communicator& world, const std::string& path) {
  const Index points = 20000;
  const dist::PixelRange own = share_of(points, world.rank(), world.size());
  const Catalogue<double> mine(points, own.first, own.count, 2);
  io::write_points<double>(world, path, {}, mine.theta, mine.phi, mine.values, {});
}

}  // namespace

TEST(ParallelPoints, SharesCoverAllPointsAndLeaveRanksWithout) {
  for (const int ranks : {1, 2, 3, 7}) {
    Index next = 0;
    for (int rank = 0; rank < ranks; ++rank) {
      const dist::PixelRange share = share_of(1000, rank, ranks);
      EXPECT_TRUE(share.count == 0 || share.first == next);
      next += share.count;
    }
    EXPECT_EQ(next, 1000);
    EXPECT_TRUE(ranks == 1 || share_of(1000, 1, ranks).count == 0);
  }
}

TEST(ParallelPoints, BytesDoNotDependOnTheNumberOfRanks) {
  const Communicator world = Communicator::world();
  for (const char* ending : kPointEndings)
    for (const Index points : {1, 5, 3001})
      for (const Precision precision : {Precision::kSingle, Precision::kDouble}) {
        points_do_not_depend_on_ranks<double>(world, ending, points, 0, precision);
        points_do_not_depend_on_ranks<double>(world, ending, points, 3, precision);
        points_do_not_depend_on_ranks<float>(world, ending, points, 2, precision);
      }
}

TEST(ParallelPoints, AFullDiskIsTheSameErrorOnAllRanks) {
  const Communicator world = Communicator::world();
  const SharedFolder folder(world);
  for (const char* ending : kPointEndings)
    for (const int full : {0, 2}) {  // ranks that have points
      if (full >= std::max(1, world.size() - 1)) continue;
      // FITS is written by the root alone.
      if (full > 0 && std::string(ending) == ".fits") continue;
      const std::string path = folder / (std::string("big") + ending);
      {
        std::unique_ptr<FileSizeLimit> limit;
        if (world.rank() == full) limit = std::make_unique<FileSizeLimit>(10000);
        expect_error<core::ResourceError>([&] { write_big_points(world, path); }, {path, "file size limit"});
      }
      world.barrier();
      EXPECT_TRUE(folder.is_empty());
      world.barrier();
      write_big_points(world, path);
      EXPECT_EQ(io::open_points(path).points, 20000);
      world.barrier();
      if (world.is_root()) std::filesystem::remove(path);
      world.barrier();
    }
}

TEST(ParallelPoints, WrongNamesAndNoPointsAtAllAreTheSameErrorOnAllRanks) {
  const Communicator world = Communicator::world();
  const SharedFolder folder(world);
  expect_error<core::InputError>([&] { write_big_points(world, folder / "x.png"); }, {".png", ".csv"});
  expect_error<core::InputError>([&] { write_big_points(world, folder / "no/x.h5"); }, {"does not exist"});
  expect_error<core::InputError>([&] { io::write_points<double>(world, folder / "x.h5", {}, {}, {}, {}, {}); },
                                 {"x.h5", "no points"});
  EXPECT_TRUE(folder.is_empty());
}

}  // namespace armilla::test
