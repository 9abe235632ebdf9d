#include <armilla/core/input_file.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/io/hdf5_ranges.hpp>
#include <armilla/io/kernel_table.hpp>
#include <armilla/io/points.hpp>
#include <armilla/io/text_lines.hpp>

#include "io_support.hpp"

namespace armilla::test {

namespace {

dist::PixelDistribution pixels_of(Index nside) {
  return {std::make_shared<const grid::RingGrid>(grid::make_healpix(nside)), 1};
}

// Replaces a file by one with other values, equal size and equal time.
template <class Write>
void replace(const std::string& path, Write write) {
  const auto time = std::filesystem::last_write_time(path);
  const std::string ending = std::filesystem::path(path).extension().string();
  const std::string other = path + ".other" + ending;
  write(other);
  std::filesystem::last_write_time(other, time);
  std::filesystem::rename(other, path);
}

const std::vector<std::string> kAdvice{"has changed", "run again"};

}  // namespace

TEST(ChangedFiles, AMapOrAlmThatIsReplacedAfterItsHeaderWasReadIsAnError) {
  const TemporaryFolder folder;
  const dist::PixelDistribution pixels = pixels_of(4);
  const dist::AlmDistribution alm({6, 6}, 1);
  for (const io::FormatRow& row : io::formats()) {
    const std::string ending(row.endings.front());
    const auto write_map = [&](const std::string& path) {
      io::write_map<double>(comm::Communicator::self(), path, {}, pixels, map_values<double>(pixels, 0, 1), {});
    };
    write_map(folder / ("map" + ending));
    const io::MapInfo map = io::open_map(folder / ("map" + ending));
    EXPECT_EQ(read_all_maps<double>(map, pixels, 0), map_values<double>(pixels, 0, 1));
    replace(map.path, write_map);
    expect_error<core::InputError>([&] { read_all_maps<double>(map, pixels, 0); }, {map.path, kAdvice[0], kAdvice[1]});

    const auto write_alm = [&](const std::string& path) {
      io::write_alm<double>(comm::Communicator::self(), path, {}, alm, alm_values<double>(alm, 0, 1), {});
    };
    write_alm(folder / ("alm" + ending));
    const io::AlmInfo info = io::open_alm(folder / ("alm" + ending));
    replace(info.path, write_alm);
    expect_error<core::InputError>([&] { read_all_alm<double>(info, alm, 0); }, {info.path, kAdvice[0], kAdvice[1]});
  }
}

TEST(ChangedFiles, ACatalogueThatIsReplacedOrTouchedIsAnError) {
  const TemporaryFolder folder;
  const std::vector<double> theta{0.5, 1.5}, phi{1, 2}, values{3, 4};
  const auto write = [&](const std::string& path) {
    io::write_points<double>(comm::Communicator::self(), path, {}, theta, phi, values, {});
  };
  for (const std::string name : {"points.csv", "points.h5", "points.fits"}) {
    write(folder / name);
    const io::PointsInfo info = io::open_points(folder / name);
    replace(info.path, write);
    std::vector<double> out(2), other(2);
    expect_error<core::InputError>([&] { io::read_places(info, 0, out, other); }, {name, kAdvice[0], kAdvice[1]});
    const io::PointsInfo again = io::open_points(folder / name);
    std::filesystem::last_write_time(again.path, std::filesystem::file_time_type::clock::now() + std::chrono::hours(1));
    expect_error<core::InputError>([&] { io::read_values<double>(again, 0, 0, out); }, {name, kAdvice[0], kAdvice[1]});
  }
}

// HDF5's own driver returns zeros for the missing bytes.
TEST(ChangedFiles, AnHdf5FileThatBecomesShorterWhileItIsOpenIsAnError) {
  const TemporaryFolder folder;
  const std::string path = folder / "map.h5";
  const dist::PixelDistribution pixels = pixels_of(16);
  io::write_map<double>(comm::Communicator::self(), path, {}, pixels, map_values<double>(pixels, 0, 1), {});
  const io::Hdf5Handle file = io::open_hdf5(path);
  const io::Hdf5Handle dataset = io::open_hdf5_dataset(file.get(), "map", path);
  truncate_to(path, 5000);
  std::vector<double> values(3072, -1);
  const core::IndexRange all{0, 3072};
  expect_error<core::InputError>(
      [&] {
        io::read_hdf5_ranges(dataset.get(), H5T_NATIVE_DOUBLE, 0, {&all, 1}, values.data(), path);
      },
      {path, "truncated during the read"});
}

// The system cannot read address 0 of this process, so this regular file is one with a failing disk.
TEST(TextLines, AFailedReadIsNotTheEndOfTheFile) {
  const std::string unreadable = "/proc/self/mem";
  std::string line;
  expect_error<core::ResourceError>([&] { io::TextLines(unreadable).next(line); },
                                    {unreadable, "cannot be read (Input/output error)"});
  expect_error<core::ResourceError>([&] { io::open_points(unreadable); }, {unreadable, "Input/output error"});
  expect_error<core::ResourceError>([&] { io::read_spectra(unreadable, false); }, {unreadable, "Input/output error"});
  expect_error<core::ResourceError>([&] { io::read_kernel_table(unreadable); }, {unreadable, "Input/output error"});
}

TEST(TextLines, AreThoseOfTheFileWithoutTheirEnds) {
  const TemporaryFolder folder;
  // Around the size of the buffer; the last line has no end.
  for (const std::size_t length : {0u, 1u, 65534u, 65535u, 65536u, 65537u, 200000u}) {
    const std::string middle(length, 'x');
    std::ofstream(folder / "lines.txt", std::ios::binary) << "\xef\xbb\xbf"
                                                          << "first\r\n\n"
                                                          << middle << "\nlast";
    io::TextLines lines(folder / "lines.txt");
    std::vector<std::string> found;
    for (std::string line; lines.next(line);) found.push_back(line);
    EXPECT_EQ(found, (std::vector<std::string>{"first", "", middle, "last"})) << length;
    EXPECT_EQ(lines.number(), 4);
  }
  std::ofstream(folder / "long.txt") << "a\n" << std::string((std::size_t{16} << 20) + 1, 'x');
  io::TextLines lines(folder / "long.txt");
  std::string line;
  EXPECT_TRUE(lines.next(line));
  expect_error<core::InputError>([&] { lines.next(line); }, {"long.txt', line 2", "more than 16777216 bytes"});
}

}  // namespace armilla::test
