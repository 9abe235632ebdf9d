#include <armilla/comm/phase.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/io/same_file.hpp>

#include "../io_support.hpp"
#include "shared_folder.hpp"
#include "support/mpi_main.hpp"

namespace armilla::test {

namespace {

using comm::Communicator;
using core::Precision;

std::vector<std::shared_ptr<const grid::RingGrid>> grids() {
  std::vector<std::shared_ptr<const grid::RingGrid>> grids;
  for (const Index nside : {1, 2, 32})
    grids.push_back(std::make_shared<const grid::RingGrid>(grid::make_healpix(nside)));
  grids.push_back(std::make_shared<const grid::RingGrid>(grid::make_gauss(3, 5)));
  grids.push_back(std::make_shared<const grid::RingGrid>(grid::make_gauss(40, 81)));
  return grids;
}

template <class T>
void maps_do_not_depend_on_ranks(const Communicator& world, const io::FormatRow& row,
                                 std::shared_ptr<const grid::RingGrid> grid, const io::WriteOptions& options) {
  const SharedFolder folder(world);
  const std::string together = folder / ("together" + std::string(row.endings.front()));
  const std::string alone = folder / ("alone" + std::string(row.endings.front()));
  const dist::PixelDistribution pixels(grid, world.size());
  const auto mine = map_values<T>(pixels, world.rank(), 3);
  io::write_map<T>(world, together, {}, pixels, mine, options);
  if (world.is_root()) {
    const dist::PixelDistribution whole(grid, 1);
    io::write_map<T>(Communicator::self(), alone, {}, whole, map_values<T>(whole, 0, 3), options);
    EXPECT_TRUE(bytes_of(together) == bytes_of(alone)) << row.name << " " << grid->description().text();
  }
  const io::MapInfo info = io::open_map(together);
  expect_stored(read_all_maps<T>(info, pixels, world.rank()), mine, options.precision);
  world.barrier();
}

template <class T>
void alm_do_not_depend_on_ranks(const Communicator& world, const io::FormatRow& row, const alm::AlmLayout& layout,
                                Precision precision) {
  const SharedFolder folder(world);
  const std::string together = folder / ("together" + std::string(row.endings.front()));
  const std::string alone = folder / ("alone" + std::string(row.endings.front()));
  const dist::AlmDistribution alm(layout, world.size());
  const auto mine = alm_values<T>(alm, world.rank(), 3);
  io::write_alm<T>(world, together, {}, alm, mine, {.precision = precision});
  if (world.is_root()) {
    const dist::AlmDistribution whole(layout, 1);
    io::write_alm<T>(Communicator::self(), alone, {}, whole, alm_values<T>(whole, 0, 3), {.precision = precision});
    EXPECT_TRUE(bytes_of(together) == bytes_of(alone)) << row.name << " lmax " << layout.lmax();
  }
  expect_stored(read_all_alm<T>(io::open_alm(together), alm, world.rank()), mine, precision);
  world.barrier();
}

void write_big_map(const Communicator& world, const std::string& path) {
  const dist::PixelDistribution pixels(std::make_shared<const grid::RingGrid>(grid::make_healpix(64)), world.size());
  io::write_map<double>(world, path, {}, pixels, map_values<double>(pixels, world.rank(), 3), {});
}

void write_big_alm(const Communicator& world, const std::string& path) {
  const dist::AlmDistribution alm({200, 200}, world.size());
  io::write_alm<double>(world, path, {}, alm, alm_values<double>(alm, world.rank(), 3), {});
}

}  // namespace

TEST(ParallelFiles, BytesOfMapsDoNotDependOnTheNumberOfRanks) {
  const Communicator world = Communicator::world();
  for (const io::FormatRow& row : io::formats())
    for (const auto& grid : grids()) {
      const bool healpix = grid->description().kind == "healpix";
      if (row.healpix_only && !healpix) continue;
      for (const Precision precision : {Precision::kSingle, Precision::kDouble})
        for (const io::Ordering ordering : {io::Ordering::kRing, io::Ordering::kNested}) {
          if (ordering == io::Ordering::kNested && !healpix) continue;
          const io::WriteOptions options{.precision = precision, .ordering = ordering};
          maps_do_not_depend_on_ranks<float>(world, row, grid, options);
          maps_do_not_depend_on_ranks<double>(world, row, grid, options);
        }
    }
}

TEST(ParallelFiles, BytesOfAlmDoNotDependOnTheNumberOfRanks) {
  const Communicator world = Communicator::world();
  for (const io::FormatRow& row : io::formats())
    for (const alm::AlmLayout& layout : {alm::AlmLayout(1, 0), alm::AlmLayout(60, 60), alm::AlmLayout(70, 31)})
      for (const Precision precision : {Precision::kSingle, Precision::kDouble}) {
        alm_do_not_depend_on_ranks<float>(world, row, layout, precision);
        alm_do_not_depend_on_ranks<double>(world, row, layout, precision);
      }
}

TEST(ParallelFiles, SpectraAndTextAreWrittenOnce) {
  const Communicator world = Communicator::world();
  const SharedFolder folder(world);
  const alm::SpectraTable spectra{.lmax = 2, .names = {"TT"}, .columns = {{1, 2, 3}}, .unit = ""};
  for (const std::string name : {"cl.h5", "cl.fits", "cl.dat"}) {
    io::write_spectra(world, folder / name, spectra);
    EXPECT_EQ(io::read_spectra(folder / name, false).columns, spectra.columns);
  }
}

TEST(ParallelFiles, AFullDiskOnTheRootIsTheSameErrorOnAllRanks) {
  const Communicator world = Communicator::world();
  const SharedFolder folder(world);
  for (const io::FormatRow& row : io::formats()) {
    const std::string path = folder / ("big" + std::string(row.endings.front()));
    {
      std::unique_ptr<FileSizeLimit> limit;
      if (world.is_root()) limit = std::make_unique<FileSizeLimit>(100000);
      expect_error<core::ResourceError>([&] { write_big_map(world, path); }, {path, "file size limit"});
      expect_error<core::ResourceError>([&] { write_big_alm(world, path); }, {path, "file size limit"});
    }
    world.barrier();
    EXPECT_TRUE(folder.is_empty());
    world.barrier();
    write_big_map(world, path);
    EXPECT_EQ(io::open_map(path).components, 3);
    world.barrier();
    if (world.is_root()) std::filesystem::remove(path);
    world.barrier();
  }
}

TEST(ParallelFiles, AWriteThatFailsOnTheLastRankOnlyIsTheSameErrorOnAllRanks) {
  const Communicator world = Communicator::world();
  const SharedFolder folder(world);
  const std::string path = folder / "big.h5";
  {
    std::unique_ptr<FileSizeLimit> limit;
    if (world.rank() == world.size() - 1) limit = std::make_unique<FileSizeLimit>(100000);
    expect_error<core::ResourceError>([&] { write_big_map(world, path); }, {path});
    expect_error<core::ResourceError>([&] { write_big_alm(world, path); }, {path});
  }
  world.barrier();
  EXPECT_TRUE(folder.is_empty());
  world.barrier();
  write_big_map(world, path);
  EXPECT_EQ(io::open_map(path).components, 3);
}

TEST(ParallelFiles, AnInputThatOneRankCannotReadIsAnErrorOnAllRanks) {
  const Communicator world = Communicator::world();
  const SharedFolder folder(world);
  for (const io::FormatRow& row : io::formats()) {
    const std::string path = folder / ("map" + std::string(row.endings.front()));
    write_big_map(world, path);
    io::MapInfo info = io::open_map(path);
    const bool last = world.rank() == world.size() - 1;
    if (last) info.path = folder / "gone";  // what the rank sees when the file is not on its node
    const dist::PixelDistribution pixels(info.grid, world.size());
    expect_error<core::InputError>(
        [&] { comm::phase(world, [&] { read_all_maps<double>(info, pixels, world.rank()); }); },
        {folder / "gone", "No such file"});
    world.barrier();
  }
}

// Equal sizes and times do not hide it on one node.
TEST(ParallelFiles, AFileThatIsReplacedBetweenTwoRanksIsAnErrorOnAllRanks) {
  const Communicator world = Communicator::world();
  if (world.size() == 1) return;  // nothing to compare with
  const SharedFolder folder(world);
  const std::string path = folder / "file", other = folder / "other";
  if (world.is_root()) {
    for (const std::string& name : {path, other}) std::ofstream(name) << "text";
    std::filesystem::last_write_time(other, std::filesystem::last_write_time(path));
  }
  world.barrier();
  core::SeenFile seen{path, {}};
  if (world.is_root()) seen.state = core::state_of(path);
  world.barrier();
  io::check_same_on_all_ranks(world, std::vector<core::SeenFile>{{other, core::state_of(other)}});
  world.barrier();
  if (world.is_root()) std::filesystem::rename(other, path);
  world.barrier();
  if (!world.is_root()) seen.state = core::state_of(path);
  expect_error<core::InputError>(
      [&] {
        io::check_same_on_all_ranks(world, {&seen, 1});
      },
      {path, "was replaced while the ranks opened it", "run again"});
}

TEST(ParallelFiles, MissingFoldersAndWrongNamesAreTheSameErrorOnAllRanks) {
  const Communicator world = Communicator::world();
  const SharedFolder folder(world);
  expect_error<core::InputError>([&] { write_big_map(world, folder / "no/such/x.h5"); }, {"no/such", "does not exist"});
  expect_error<core::InputError>([&] { write_big_map(world, folder / "x.png"); }, {".png"});
  expect_error<core::InputError>([&] { io::write_text(world, folder / "no/x.txt", "x"); }, {"does not exist"});
}

}  // namespace armilla::test

int main(int argc, char** argv) { return armilla::test::mpi_main(argc, argv); }
