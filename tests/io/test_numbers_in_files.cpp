#include <armilla/core/error.hpp>
#include <armilla/io/fits_alm.hpp>
#include <armilla/io/spectra_summary.hpp>
#include <armilla/transform/field_kind.hpp>

#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "foreign_support.hpp"
#include "io_support.hpp"
#include <unistd.h>

// Arithmetic on numbers from files: what a file declares must not overflow.
namespace armilla::test {

namespace {

constexpr Index kLargest = std::numeric_limits<Index>::max();

void replace_in(const std::string& path, const std::string& from, const std::string& to) {
  ASSERT_EQ(from.size(), to.size());
  std::string bytes = bytes_of(path);
  const auto place = bytes.find(from);
  ASSERT_NE(place, std::string::npos);
  std::ofstream(path, std::ios::binary) << bytes.replace(place, from.size(), to);
}

std::string coefficients(const std::string& path, Index lmax, Index mmax) {
  make_hdf5(path, [&](hid_t file) {
    const hid_t type = H5Tcreate(H5T_COMPOUND, 16);
    H5Tinsert(type, "r", 0, H5T_NATIVE_DOUBLE);
    H5Tinsert(type, "i", 8, H5T_NATIVE_DOUBLE);
    const hsize_t size = 10;
    const hid_t space = H5Screate_simple(1, &size, nullptr);
    const hid_t alm = H5Dcreate2(file, "alm", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    add_hdf5_index(alm, "LMAX", lmax);
    add_hdf5_index(alm, "MMAX", mmax);
    H5Dclose(alm);
    H5Sclose(space);
    H5Tclose(type);
  });
  return path;
}

}  // namespace

TEST(NumbersInFiles, DegreesOfFitsIndicesUpToTheLargest) {
  ::alarm(60);  // an overflow made a loop endless
  for (const Index l : {Index{0}, Index{1}, Index{2}, Index{3}, Index{1000}, Index{94906265}, Index{3037000498}})
    for (const Index m : {Index{0}, l / 2, l}) {
      const io::Degree found = io::degree_of_fits_index(l * l + l + m + 1);
      EXPECT_EQ(found.l, l);
      EXPECT_EQ(found.m, m);
    }
  for (const Index index : {kLargest, kLargest - 1023}) {
    EXPECT_EQ(io::degree_of_fits_index(index).l, 3037000499);
  }
  ::alarm(0);
}

TEST(NumbersInFiles, LargeDegreesAreRefusedWithTheirKey) {
  const TemporaryFolder folder;
  const auto table = [&](const std::string& name, double index, const Keywords& keywords) {
    append_fits_table(folder / name,
                      {{"INDEX", "K", {1, 3, index}}, {"REAL", "D", {1, 2, 3}}, {"IMAG", "D", {0, 0, 1}}}, 3, keywords);
    return folder / name;
  };
  ::alarm(60);
  expect_error<core::InputError>([&] { io::open_alm(table("index.fits", 9223372036854774784.0, {})); },
                                 {"index.fits", "MAX-LPOL = 3037000499", "exceeds"});
  expect_error<core::InputError>(
      [&] {
        io::open_alm(table("lmax.fits", 4, {{"MAX-LPOL", "9000000000000000"}, {"MAX-MPOL", "9000000000000000"}}));
      },
      {"lmax.fits", "MAX-LPOL = 9000000000000000"});
  ::alarm(0);
  for (const Index lmax : {Index{4000000000}, Index{9000000000000000}, kLargest})
    expect_error<core::InputError>([&] { io::open_alm(coefficients(folder / "lmax.h5", lmax, lmax / 2)); },
                                   {"lmax.h5", "LMAX"});
}

TEST(NumbersInFiles, RepeatsOfFitsColumnsThatOverflowAreRefused) {
  const TemporaryFolder folder;
  append_fits_table(folder / "map.fits", {{"TEMPERATURE", "1D", std::vector<double>(12, 1.0)}}, 12,
                    {{"PIXTYPE", "HEALPIX"}, {"ORDERING", "RING"}, {"NSIDE", "1"}});
  ASSERT_EQ(io::open_map(folder / "map.fits").components, 1);
  // 8 (2^61 + 1) bytes are 8 in 64 bits, the length of a row.
  replace_in(folder / "map.fits", "TFORM1  = '1D      '           / ", "TFORM1  = '2305843009213693953D'/");
  expect_error<core::InputError>([&] { io::open_map(folder / "map.fits"); }, {"map.fits"});
  expect_error<core::InputError>([&] { io::read_spectra(folder / "map.fits", false); }, {"map.fits"});
}

TEST(NumbersInFiles, SpinsAreLimited) {
  EXPECT_THROW(transform::FieldKind::spin(kLargest), core::InputError);
  EXPECT_THROW(transform::FieldKind::pair(kLargest, "X", "Y"), core::InputError);
  const std::vector<std::string> names{"RE9223372036854775807", "IM9223372036854775807"};
  expect_error<core::InputError>([&] { transform::FieldKind::from_names(names, {}); }, {"spin = 9223372036854775807"});
}

// A table with a row for l = 9999999 only needs zeros for all lower degrees.
TEST(NumbersInFiles, SpectraThatBeginAtLargeDegreesTakeLittleMemory) {
  const TemporaryFolder folder;
  const std::string path = folder / "cl.dat";
  std::string head = "# L", row = "9999999";
  for (int column = 0; column < 100; ++column) {
    head += " C" + std::to_string(column);
    row += " 1";
  }
  std::ofstream(path) << head << '\n' << row << '\n';
  expect_error<core::InputError>([&] { io::read_spectra(path, false); }, {"cl.dat", "l = 9999999"});
  std::ofstream(path) << "# L TT\n30 1\n31 1\n";
  EXPECT_EQ(io::read_spectra(path, false).lmax, 31);
}

TEST(NumbersInFiles, NumbersOfMapsAreIntegers) {
  const TemporaryFolder folder;
  for (const double count : {1e300, -1e300, 0.5, 0.0, std::numeric_limits<double>::quiet_NaN()}) {
    make_hdf5(folder / "cl.h5", [&](hid_t file) {
      const hid_t cl = add_hdf5_dataset(file, "cl", {1, 3}, {}, {1, 2, 3});
      add_hdf5_text(cl, "FIELDS", {"TT"});
      H5Dclose(cl);
      H5Dclose(add_hdf5_dataset(file, "covariance", {1, 3, 3}, {}, std::vector<double>(9, 1.0)));
      H5Dclose(add_hdf5_dataset(file, "count", {1}, {}, {count}));
    });
    expect_error<core::InputError>([&] { io::read_spectra_summary(folder / "cl.h5", 1); }, {"cl.h5", "count"});
  }
}

// Chunks that were never written take no space.
TEST(NumbersInFiles, ManyComponentsOfASmallFileAreRefused) {
  const TemporaryFolder folder;
  const auto make = [&](const std::string& name, const std::vector<hsize_t>& extent) {
    make_hdf5(folder / "many.h5", [&](hid_t file) {
      std::vector<hsize_t> chunk(extent.size(), 1);
      chunk.back() = extent.back();
      const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
      H5Pset_chunk(properties, static_cast<int>(chunk.size()), chunk.data());
      const hid_t space = H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr);
      const hid_t data = H5Dcreate2(file, name.c_str(), H5T_STD_I8LE, space, H5P_DEFAULT, properties, H5P_DEFAULT);
      add_hdf5_index(data, "NSIDE", 1);
      add_hdf5_text(data, "ORDERING", {"RING"});
      add_hdf5_text(data, "FIELDS", {"TT"});
      H5Dclose(data);
      H5Sclose(space);
      H5Pclose(properties);
    });
    return folder / "many.h5";
  };
  expect_error<core::InputError>([&] { io::open_map(make("map", {5000000, 12})); }, {"many.h5", "5000000 components"});
  expect_error<core::InputError>(
      [&] {
        io::open_map(make("map", {11000000, 1, 12}), io::BatchPolicy::kTake);
      },
      {"many.h5", "11000000 maps"});
  expect_error<core::InputError>(
      [&] {
        io::read_spectra(make("cl", {5000000, 3}), false);
      },
      {"many.h5", "5000000 components"});
}

TEST(NumbersInFiles, LongitudesOfRingsAreLimited) {
  const TemporaryFolder folder;
  make_hdf5(folder / "rings.h5", [](hid_t file) {
    const hid_t grid = H5Gcreate2(file, "grid", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dclose(add_hdf5_dataset(grid, "theta", {2}, {}, {1, 2}));
    H5Dclose(add_hdf5_dataset(grid, "phi0", {2}, {}, {0, 1e300}));
    H5Dclose(add_hdf5_dataset(grid, "nphi", {2}, {}, {4, 4}));
    H5Gclose(grid);
  });
  expect_error<core::InputError>([&] { io::read_rings(folder / "rings.h5"); }, {"grid/phi0[1] = 1e+300"});
}

}  // namespace armilla::test
