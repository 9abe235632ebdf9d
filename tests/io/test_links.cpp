#include <armilla/core/error.hpp>
#include <armilla/io/kernel_table.hpp>
#include <armilla/io/points.hpp>
#include <armilla/io/spectra_summary.hpp>

#include <functional>
#include <string>
#include <vector>

#include "foreign_support.hpp"
#include "io_support.hpp"
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

// HDF5 files may refer to other files, which HDF5 opens whatever they are. Opening a FIFO blocks.
namespace armilla::test {

namespace {

class Links : public testing::Test {
 protected:
  Links() {
    ::mkfifo((folder_ / "fifo").c_str(), 0600);
    ::alarm(60);
  }
  ~Links() override { ::alarm(0); }

  std::string make(const std::string& name, const std::function<void(hid_t)>& fill) const {
    make_hdf5(folder_ / name, fill);
    return folder_ / name;
  }
  /// Expects that every reader refuses the file.
  static void expect_refused(const std::string& path, const std::string& part) {
    const std::vector<std::function<void()>> readers{
        [&] { io::open_map(path); },          [&] { io::open_alm(path); },
        [&] { io::read_rings(path); },        [&] { io::open_points(path); },
        [&] { io::read_kernel_table(path); }, [&] { io::read_spectra_summary(path, 1); }};
    bool is_named = false;
    for (const auto& read : readers) {
      try {
        read();
        ADD_FAILURE() << path << " was read";
      } catch (const core::InputError& error) {
        is_named = is_named || std::string(error.what()).find(part) != std::string::npos;
      }
    }
    EXPECT_TRUE(is_named) << "no reader says: " << part;
  }

  TemporaryFolder folder_;
};

}  // namespace

// claims: guarantee special_files
TEST_F(Links, ToOtherFilesAreRefusedBeforeTheyAreOpened) {
  for (const char* name : {"map", "alm", "cl", "grid", "theta"}) {
    const std::string external = make(std::string("external_") + name + ".h5", [&](hid_t file) {
      H5Lcreate_external("fifo", "/x", file, name, H5P_DEFAULT, H5P_DEFAULT);
      if (std::string(name) == "theta") H5Lcreate_external("fifo", "/x", file, "phi", H5P_DEFAULT, H5P_DEFAULT);
    });
    expect_refused(external, fmt::format("'{}' is a link to another file", name));
    const std::string soft = make(std::string("soft_") + name + ".h5", [&](hid_t file) {
      H5Lcreate_external("fifo", "/", file, "elsewhere", H5P_DEFAULT, H5P_DEFAULT);
      H5Lcreate_soft("/elsewhere/x", file, name, H5P_DEFAULT, H5P_DEFAULT);
      if (std::string(name) == "theta") H5Lcreate_soft("/elsewhere/x", file, "phi", H5P_DEFAULT, H5P_DEFAULT);
    });
    expect_refused(soft, fmt::format("'{}' is a link to another file", name));
  }
}

TEST_F(Links, ToFilesThatDoNotExistAreNamed) {
  for (const char* name : {"map", "alm", "cl", "grid", "theta"}) {
    const std::string path = make(std::string("gone_") + name + ".h5", [&](hid_t file) {
      H5Lcreate_external("gone.h5", "/x", file, name, H5P_DEFAULT, H5P_DEFAULT);
      if (std::string(name) == "theta") H5Lcreate_external("gone.h5", "/x", file, "phi", H5P_DEFAULT, H5P_DEFAULT);
    });
    expect_refused(path, fmt::format("'{}' is an external link to '/x' in 'gone.h5', which does not exist", name));
  }
}

TEST_F(Links, WithinTheFileAreFollowed) {
  const std::string path = make("inside.h5", [](hid_t file) {
    const hid_t map = add_hdf5_dataset(file, "stored", {1, 12}, {}, std::vector<double>(12, 1.0));
    add_hdf5_index(map, "NSIDE", 1);
    add_hdf5_text(map, "ORDERING", {"RING"});
    H5Dclose(map);
    H5Lcreate_soft("/stored", file, "map", H5P_DEFAULT, H5P_DEFAULT);
  });
  EXPECT_EQ(io::open_map(path).grid->npix(), 12);
}

// HDF5 opens the sources of an unlimited virtual dataset to find its shape.
TEST_F(Links, OfVirtualAndExternalDataAreRefusedBeforeTheyAreOpened) {
  const std::string path = make("virtual.h5", [](hid_t file) {
    const hsize_t extent[2] = {1, 12}, most[2] = {H5S_UNLIMITED, 12}, start[2] = {0, 0}, step[2] = {1, 1},
                  count[2] = {H5S_UNLIMITED, 1}, block[2] = {1, 12};
    const hid_t space = H5Screate_simple(2, extent, most), source = H5Screate_simple(2, extent, most);
    for (const hid_t each : {space, source}) H5Sselect_hyperslab(each, H5S_SELECT_SET, start, step, count, block);
    const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_virtual(properties, space, "fifo", "map", source);
    H5Dclose(H5Dcreate2(file, "map", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, properties, H5P_DEFAULT));
    H5Pclose(properties);
    H5Sclose(source);
    H5Sclose(space);
  });
  expect_error<core::InputError>([&] { io::open_map(path); }, {"virtual.h5", "stores its data in other files"});
  const std::string external = make("external.h5", [](hid_t file) {
    const hsize_t size = 12;
    const hid_t space = H5Screate_simple(1, &size, nullptr);
    const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_external(properties, "fifo", 0, 12 * sizeof(double));
    H5Dclose(H5Dcreate2(file, "map", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, properties, H5P_DEFAULT));
    H5Pclose(properties);
    H5Sclose(space);
  });
  expect_error<core::InputError>([&] { io::open_map(external); }, {"external.h5", "stores its data in other files"});
}

}  // namespace armilla::test
