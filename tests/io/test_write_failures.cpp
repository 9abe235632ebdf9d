#include <armilla/grid/makers.hpp>

#include <fstream>

#include "io_support.hpp"
#include <sys/mount.h>
#include <unistd.h>

namespace armilla::test {

namespace {

dist::PixelDistribution healpix_pixels(Index nside) {
  return {std::make_shared<const grid::RingGrid>(grid::make_healpix(nside)), 1};
}

void write_three_maps(const std::string& path, Index nside) {
  const dist::PixelDistribution pixels = healpix_pixels(nside);
  io::write_map<double>(comm::Communicator::self(), path, {}, pixels, map_values<double>(pixels, 0, 3), {});
}

void write_three_alm(const std::string& path, Index lmax) {
  const dist::AlmDistribution alm({lmax, lmax}, 1);
  io::write_alm<double>(comm::Communicator::self(), path, {}, alm, alm_values<double>(alm, 0, 3), {});
}

class TemporaryMount {
 public:
  explicit TemporaryMount(const std::filesystem::path& folder) : folder_(folder.string()) {
    mounted_ = ::mount("tmpfs", folder_.c_str(), "tmpfs", 0, "size=1m") == 0;
  }
  ~TemporaryMount() {
    if (mounted_) ::umount(folder_.c_str());
  }
  TemporaryMount(const TemporaryMount&) = delete;
  TemporaryMount& operator=(const TemporaryMount&) = delete;
  bool mounted() const { return mounted_; }

 private:
  std::string folder_;
  bool mounted_;
};

}  // namespace

TEST(WriteFailures, FileSizeLimitIsAResourceErrorAndLeavesNothing) {
  const TemporaryFolder folder;
  for (const io::FormatRow& row : io::formats()) {
    const FileSizeLimit limit(100000);
    const std::string path = folder / ("big" + std::string(row.endings.front()));
    expect_error<core::ResourceError>([&] { write_three_maps(path, 64); }, {path, "file size limit", "ulimit -f"});
    expect_error<core::ResourceError>([&] { write_three_alm(path, 200); }, {path, "file size limit"});
    EXPECT_TRUE(folder.names().empty()) << row.name;
  }
  // The process is as good as new: the next file is whole.
  for (const io::FormatRow& row : io::formats()) {
    const std::string path = folder / ("big" + std::string(row.endings.front()));
    write_three_maps(path, 64);
    EXPECT_EQ(io::open_map(path).components, 3);
  }
}

// claims: guarantee whole_files
TEST(WriteFailures, FullDiskIsAResourceErrorAndLeavesNothing) {
  const TemporaryFolder folder;
  const TemporaryMount mount(folder.path());
  if (!mount.mounted()) GTEST_SKIP() << "a small file system cannot be mounted here";
  for (const io::FormatRow& row : io::formats()) {
    const std::string path = folder / ("big" + std::string(row.endings.front()));
    expect_error<core::ResourceError>([&] { write_three_maps(path, 128); }, {path, "disk is full"});
    expect_error<core::ResourceError>([&] { write_three_alm(path, 300); }, {path, "disk is full"});
    EXPECT_TRUE(folder.names().empty()) << row.name;
  }
  const std::string text = folder / "report.txt";
  expect_error<core::ResourceError>(
      [&] { io::write_text(comm::Communicator::self(), text, std::string(std::size_t{2} << 20, 'x')); },
      {text, "disk is full"});
  EXPECT_TRUE(folder.names().empty());
}

TEST(WriteFailures, UnwritableFolderIsNamed) {
  const TemporaryFolder folder;
  std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec |
                                                  std::filesystem::perms::others_exec);
  // Permissions do not bind the superuser, so take another user's for the attempt.
  const bool superuser = ::geteuid() == 0;
  if (superuser && ::seteuid(65534) != 0) GTEST_SKIP() << "cannot act as an ordinary user";
  for (const std::string ending : {".h5", ".fits"})
    expect_error<core::InputError>([&] { write_three_maps(folder / ("x" + ending), 2); },
                                   {folder.path().string(), "not writable"});
  if (superuser) {
    ASSERT_EQ(::seteuid(0), 0);
  }
}

TEST(WriteFailures, MissingFolderAndFolderAsNameAreInputErrors) {
  const TemporaryFolder folder;
  expect_error<core::InputError>([&] { write_three_maps(folder / "no/such/x.h5", 2); }, {"no/such", "does not exist"});
  std::filesystem::create_directory(folder / "x.h5");
  expect_error<core::InputError>([&] { write_three_maps(folder / "x.h5", 2); }, {"x.h5", "is a folder"});
}

// claims: guarantee whole_files
TEST(WriteFailures, AFailedWriteLeavesTheOldFileAsItWas) {
  const TemporaryFolder folder;
  for (const io::FormatRow& row : io::formats()) {
    const std::string path = folder / ("old" + std::string(row.endings.front()));
    write_three_maps(path, 2);
    const std::string before = bytes_of(path);
    {
      const FileSizeLimit limit(100000);
      EXPECT_THROW(write_three_maps(path, 64), core::ResourceError);
    }
    EXPECT_EQ(bytes_of(path), before);
    write_three_maps(path, 4);
    EXPECT_EQ(io::open_map(path).grid->npix(), 192);
  }
}

TEST(WriteFailures, NamesAndGridsThatNoFormatHoldsAreRefused) {
  const TemporaryFolder folder;
  expect_error<core::InputError>([&] { io::format_of_name("x.png"); }, {"x.png", ".h5", ".fits"});
  expect_error<core::InputError>([&] { write_three_maps(folder / "x.txt", 2); }, {".txt", ".h5"});
  const dist::PixelDistribution gauss(std::make_shared<const grid::RingGrid>(grid::make_gauss(4, 8)), 1);
  const auto values = map_values<double>(gauss, 0, 1);
  expect_error<core::InputError>(
      [&] { io::write_map<double>(comm::Communicator::self(), folder / "x.fits", {}, gauss, values, {}); },
      {"x.fits", "HEALPix", ".h5"});
  expect_error<core::InputError>(
      [&] {
        io::write_map<double>(comm::Communicator::self(), folder / "x.h5", {}, gauss, values,
                              {.ordering = io::Ordering::kNested});
      },
      {"x.h5", "NESTED"});
  EXPECT_NO_THROW(io::check_output("x.dat", io::FileKind::kSpectra, nullptr));
  EXPECT_THROW(io::check_output("x.dat", io::FileKind::kAlm, nullptr), core::InputError);
}

}  // namespace armilla::test
