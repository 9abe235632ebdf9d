#include <armilla/grid/makers.hpp>

#include <array>
#include <fstream>
#include <iterator>

#include "foreign_support.hpp"
#include "io_support.hpp"

namespace armilla::test {

namespace {

dist::PixelDistribution healpix_pixels() { return {std::make_shared<const grid::RingGrid>(grid::make_healpix(16)), 1}; }

std::string ending(const io::FormatRow& row) { return std::string(row.endings.front()); }

void write_good_map(const std::string& path) {
  const dist::PixelDistribution pixels = healpix_pixels();
  io::write_map<double>(comm::Communicator::self(), path, {}, pixels, map_values<double>(pixels, 0, 3), {});
}

void write_good_alm(const std::string& path) {
  const dist::AlmDistribution alm({30, 30}, 1);
  io::write_alm<double>(comm::Communicator::self(), path, {}, alm, alm_values<double>(alm, 0, 3), {});
}

void make_fits_map(const std::string& path, const Keywords& keywords, Index pixels = 768) {
  append_fits_table(path, {{"TEMPERATURE", "D", std::vector<double>(static_cast<std::size_t>(pixels), 1.0)}}, pixels,
                    keywords);
}

void make_hdf5_map(const std::string& path, Index nside, const std::string& ordering, hsize_t pixels = 768) {
  make_hdf5(path, [&](hid_t file) {
    const hid_t map = add_hdf5_dataset(file, "map", {1, pixels}, {}, std::vector<double>(pixels, 1.0));
    if (nside != 0) add_hdf5_index(map, "NSIDE", nside);
    if (!ordering.empty()) add_hdf5_text(map, "ORDERING", {ordering});
    H5Dclose(map);
  });
}

void expect_bad_map(const std::string& path, std::vector<std::string> parts) {
  parts.push_back(path);
  expect_error<core::InputError>([&] { io::open_map(path); }, parts);
}

void expect_bad_alm(const std::string& path, std::vector<std::string> parts) {
  parts.push_back(path);
  expect_error<core::InputError>([&] { io::open_alm(path); }, parts);
}

}  // namespace

TEST(BadInput, MissingFileFolderAndForeignContentAreNamed) {
  const TemporaryFolder folder;
  for (const std::string name : {"none.h5", "none.fits", "none"}) {
    expect_bad_map(folder / name, {"No such file"});
    expect_bad_alm(folder / name, {"No such file"});
    expect_error<core::InputError>([&] { io::file_kind(folder / name); }, {folder / name, "No such file"});
    expect_error<core::InputError>([&] { io::read_spectra(folder / name, false); }, {folder / name, "No such file"});
    expect_error<core::InputError>([&] { io::read_rings(folder / name); }, {folder / name, "No such file"});
  }
  expect_bad_map(folder.path().string(), {"specify the path of a regular file"});
  std::ofstream(folder / "empty.h5");
  expect_bad_map(folder / "empty.h5", {"is empty"});
  std::ofstream(folder / "text.h5") << "not a map\n";
  expect_bad_map(folder / "text.h5", {"neither HDF5 nor FITS"});
  std::ofstream(folder / "map.fits.gz") << "\x1f\x8b\x08 and so on";
  expect_bad_map(folder / "map.fits.gz", {"truncated or damaged", "download or copy it again"});
}

// claims: guarantee damaged_files
TEST(BadInput, TruncatedFilesAreRefusedWhereverTheyEnd) {
  const TemporaryFolder folder;
  for (const io::FormatRow& row : io::formats()) {
    const std::string map = folder / ("map" + ending(row));
    const std::string alm = folder / ("alm" + ending(row));
    write_good_map(map);
    write_good_alm(alm);
    const auto map_bytes = static_cast<Index>(std::filesystem::file_size(map));
    const auto alm_bytes = static_cast<Index>(std::filesystem::file_size(alm));
    for (const double part : {0.999, 0.9, 0.5, 0.2, 0.06, 0.02}) {
      const auto keep = [&](Index bytes) { return static_cast<Index>(part * static_cast<double>(bytes)); };
      truncate_to(map, std::min(keep(map_bytes), map_bytes - 2881));
      expect_bad_map(map, {"truncated"});
      truncate_to(alm, std::min(keep(alm_bytes), alm_bytes - 2881));
      expect_bad_alm(alm, {"truncated"});
    }
  }
}

TEST(BadInput, AMapWithoutAProperNsideIsRefused) {
  const TemporaryFolder folder;
  make_fits_map(folder / "none.fits", {{"PIXTYPE", "HEALPIX"}, {"ORDERING", "RING"}});
  expect_bad_map(folder / "none.fits", {"NSIDE is missing"});
  make_fits_map(folder / "seven.fits", {{"ORDERING", "NESTED"}, {"NSIDE", "7"}}, 588);
  expect_bad_map(folder / "seven.fits", {"NSIDE = 7", "power of two"});
  make_fits_map(folder / "text.fits", {{"ORDERING", "RING"}, {"NSIDE", "eight"}});
  expect_bad_map(folder / "text.fits", {"NSIDE", "eight", "is not a number", "nside: {force: N}"});
  make_fits_map(folder / "few.fits", {{"ORDERING", "RING"}, {"NSIDE", "16"}});
  expect_bad_map(folder / "few.fits", {"768", "3072", "NSIDE"});
  make_fits_map(folder / "first.fits", {{"ORDERING", "RING"}, {"NSIDE", "8"}, {"FIRSTPIX", "5"}});
  expect_bad_map(folder / "first.fits", {"FIRSTPIX = 5"});
  make_hdf5_map(folder / "none.h5", 0, "RING");
  expect_bad_map(folder / "none.h5", {"NSIDE is missing"});
  make_hdf5_map(folder / "seven.h5", 7, "NESTED", 588);
  expect_bad_map(folder / "seven.h5", {"NSIDE = 7", "power of two"});
  make_hdf5_map(folder / "few.h5", 16, "RING");
  expect_bad_map(folder / "few.h5", {"768", "3072"});
}

TEST(BadInput, UnknownOrMissingOrderingAndConventionsAreRefused) {
  const TemporaryFolder folder;
  make_fits_map(folder / "none.fits", {{"PIXTYPE", "HEALPIX"}, {"NSIDE", "8"}});
  expect_bad_map(folder / "none.fits", {"ORDERING is missing"});
  make_fits_map(folder / "odd.fits", {{"ORDERING", "SPIRAL"}, {"NSIDE", "8"}});
  expect_bad_map(folder / "odd.fits", {"ORDERING = 'SPIRAL'", "RING or NESTED"});
  make_hdf5_map(folder / "odd.h5", 8, "SPIRAL");
  expect_bad_map(folder / "odd.h5", {"ORDERING = 'SPIRAL'", "RING or NESTED"});
  make_hdf5_map(folder / "none.h5", 8, "");
  expect_bad_map(folder / "none.h5", {"ORDERING is missing"});
  make_fits_map(folder / "conv.fits", {{"ORDERING", "RING"}, {"NSIDE", "8"}, {"POLCCONV", "OTHER"}});
  expect_bad_map(folder / "conv.fits", {"POLCCONV = 'OTHER'", "COSMO or IAU"});
  make_fits_map(folder / "scheme.fits", {{"ORDERING", "RING"}, {"NSIDE", "8"}, {"INDXSCHM", "SOME"}});
  expect_bad_map(folder / "scheme.fits", {"INDXSCHM = 'SOME'"});
}

TEST(BadInput, ExplicitPixelsBeyondTheSkyAreRefused) {
  const TemporaryFolder folder;
  const std::string path = folder / "beyond.fits";
  append_fits_table(path, {{"PIXEL", "J", {0, 768}}, {"SIGNAL", "D", {1, 2}}}, 2,
                    {{"ORDERING", "RING"}, {"NSIDE", "8"}, {"INDXSCHM", "EXPLICIT"}});
  const dist::PixelDistribution pixels(std::make_shared<const grid::RingGrid>(grid::make_healpix(8)), 1);
  expect_error<core::InputError>([&] { read_all_maps<double>(io::open_map(path), pixels, 0); },
                                 {path, "pixel 768", "0 .. 767"});
}

TEST(BadInput, NumbersInOtherFilesAreRefused) {
  const TemporaryFolder folder;
  make_hdf5_map(folder / "source.h5", 8, "RING");
  make_hdf5(folder / "virtual.h5", [&](hid_t file) {
    const std::array<hsize_t, 2> extent{1, 768};
    const hid_t space = H5Screate_simple(2, extent.data(), nullptr);
    const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_virtual(properties, space, (folder / "source.h5").c_str(), "map", space);
    const hid_t map = H5Dcreate2(file, "map", H5T_IEEE_F64LE, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    add_hdf5_index(map, "NSIDE", 8);
    H5Dclose(map);
    H5Pclose(properties);
    H5Sclose(space);
  });
  expect_bad_map(folder / "virtual.h5", {"stores its data in other files"});
}

TEST(BadInput, NumbersInHeadersMayHaveASign) {
  const TemporaryFolder folder;
  make_fits_map(folder / "map.fits", {{"PIXTYPE", "HEALPIX"}, {"ORDERING", "RING"}, {"NSIDE", "8"}});
  std::fstream file(folder / "map.fits", std::ios::in | std::ios::out | std::ios::binary);
  const std::string content((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const auto place = content.find("768", content.find("NAXIS2  ="));
  ASSERT_NE(place, std::string::npos);
  file.seekp(static_cast<std::streamoff>(place) - 1);
  file.put('+');
  file.close();
  EXPECT_EQ(io::open_map(folder / "map.fits").grid->npix(), 768);
}

TEST(BadInput, AFileOfAnotherKindIsRefused) {
  const TemporaryFolder folder;
  for (const io::FormatRow& row : io::formats()) {
    write_good_map(folder / ("map" + ending(row)));
    write_good_alm(folder / ("alm" + ending(row)));
    expect_bad_alm(folder / ("map" + ending(row)), {"does not contain coefficients"});
    expect_bad_map(folder / ("alm" + ending(row)), {"does not contain a map"});
    expect_error<core::InputError>([&] { io::read_spectra(folder / ("alm" + ending(row)), false); },
                                   {"does not contain spectra"});
  }
  make_hdf5(folder / "other.h5", [](hid_t file) { H5Dclose(add_hdf5_dataset(file, "values", {3}, {}, {1, 2, 3})); });
  expect_bad_map(folder / "other.h5", {"'map', 'alm' or 'cl'"});
  append_fits_table(folder / "other.fits", {{"X", "D", {1, 2}}}, 2, {});
  expect_bad_map(folder / "other.fits", {"PIXTYPE", "INDEX"});
}

TEST(BadInput, ColumnsThatAreNoNumbersAreNoMaps) {
  const TemporaryFolder folder;
  for (const std::string form : {"4A", "8X", "C"}) {
    const std::string path = folder / (form + ".fits");
    append_fits_table(path, {{"MASK", form, {}}}, form == "8X" ? 96 : 768,
                      {{"PIXTYPE", "HEALPIX"}, {"ORDERING", "RING"}, {"INDXSCHM", "IMPLICIT"}, {"NSIDE", "8"}});
    expect_bad_map(path, {"no column of the table can be read as a map", "not text, bits or complex"});
  }
}

TEST(BadInput, AlmThatDoNotFitTheirLmaxAreRefused) {
  const TemporaryFolder folder;
  const std::vector<ForeignColumn> columns{
      {"INDEX", "J", {1, 3, 4}}, {"REAL", "D", {1, 2, 3}}, {"IMAG", "D", {0, 0, 1}}};
  append_fits_table(folder / "fits.fits", columns, 3, {});
  EXPECT_EQ(io::open_alm(folder / "fits.fits").lmax, 1);
  append_fits_table(folder / "lmax.fits", columns, 3, {{"MAX-LPOL", "2"}, {"MAX-MPOL", "2"}});
  expect_bad_alm(folder / "lmax.fits", {"lmax = 2", "need 6", "3 rows"});
  append_fits_table(folder / "mmax.fits", columns, 3, {{"MAX-LPOL", "1"}, {"MAX-MPOL", "2"}});
  expect_bad_alm(folder / "mmax.fits", {"MAX-MPOL = 2", "MAX-LPOL"});
  append_fits_table(folder / "two.fits", columns, 3, {});
  append_fits_table(folder / "two.fits", {{"INDEX", "J", {1}}, {"REAL", "D", {1}}, {"IMAG", "D", {0}}}, 1, {});
  expect_bad_alm(folder / "two.fits", {"HDU 2"});

  const auto make = [&](const std::string& name, Index lmax, Index mmax, hsize_t size) {
    const std::string path = folder / name;
    make_hdf5(path, [&](hid_t file) {
      const hid_t type = H5Tcreate(H5T_COMPOUND, 16);
      H5Tinsert(type, "r", 0, H5T_NATIVE_DOUBLE);
      H5Tinsert(type, "i", 8, H5T_NATIVE_DOUBLE);
      const hid_t space = H5Screate_simple(1, &size, nullptr);
      const hid_t alm = H5Dcreate2(file, "alm", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
      if (lmax >= 0) add_hdf5_index(alm, "LMAX", lmax);
      if (mmax >= 0) add_hdf5_index(alm, "MMAX", mmax);
      if (name == "norm.h5") add_hdf5_text(alm, "NORM", {"kaula"});
      H5Dclose(alm);
      H5Sclose(space);
      H5Tclose(type);
    });
    return path;
  };
  EXPECT_EQ(io::open_alm(make("good.h5", -1, -1, 10)).lmax, 3);
  expect_bad_alm(make("size.h5", -1, -1, 11), {"11 coefficients", "LMAX and MMAX"});
  expect_bad_alm(make("lmax.h5", 4, 4, 10), {"LMAX = 4", "need 15", "10"});
  expect_bad_alm(make("mmax.h5", 3, 4, 10), {"LMAX = 3", "MMAX = 4"});
  expect_bad_alm(make("norm.h5", 3, 3, 10), {"NORM = 'kaula'", "orthonormal, 4pi, schmidt, unnormalised"});
  make_hdf5(folder / "real.h5", [](hid_t file) { H5Dclose(add_hdf5_dataset(file, "alm", {3}, {}, {1, 2, 3})); });
  expect_bad_alm(folder / "real.h5", {"complex", "{r, i}"});
}

TEST(BadInput, AlmInIauConventionOrNotFiniteAreRefused) {
  const TemporaryFolder folder;
  const std::vector<ForeignColumn> columns{
      {"INDEX", "J", {1, 3, 4}}, {"REAL", "D", {1, 2, 3}}, {"IMAG", "D", {0, 0, 1}}};
  append_fits_table(folder / "iau.fits", columns, 3, {{"POLCCONV", "IAU"}});
  append_fits_table(folder / "iau.fits", columns, 3, {});
  expect_bad_alm(folder / "iau.fits", {"POLCCONV = IAU", "analyse the IAU map"});
  std::vector<ForeignColumn> bad = columns;
  bad[2].values[1] = std::numeric_limits<double>::quiet_NaN();
  append_fits_table(folder / "nan.fits", bad, 3, {});
  const dist::AlmDistribution alm({1, 1}, 1);
  expect_error<core::InputError>([&] { read_all_alm<double>(io::open_alm(folder / "nan.fits"), alm, 0); },
                                 {"nan.fits", "0 (T)", "1 coefficients", "NaN"});
}

TEST(BadInput, SpectraThatMakeNoTableAreRefused) {
  const TemporaryFolder folder;
  const auto expect_bad = [&](const std::string& text, std::vector<std::string> parts) {
    const std::string path = folder / "cl.dat";
    std::ofstream(path) << text;
    parts.push_back(path);
    expect_error<core::InputError>([&] { io::read_spectra(path, false); }, parts);
  };
  expect_bad("2 3.0\n", {"# L TT"});
  expect_bad("# L TT\n2 3.0 4.0\n", {"line 2", "3 words", "2 column names, L, TT"});
  expect_bad("# L TT\n2 3.0\n4 x\n", {"line 3", "'x'"});
  expect_bad("# L TT\n2 3.0\n4 1\n", {"row 2", "l = 4"});
  expect_bad("# L TT\n2 3.0\n3 nan\n", {"TT", "l = 3"});
  expect_bad("# L TT TT\n2 3.0 4.0\n", {"two columns", "TT"});
  expect_bad("# L TT\n", {"no spectra"});
}

TEST(BadInput, RingsFilesThatMakeNoGridAreRefused) {
  const TemporaryFolder folder;
  const std::string path = folder / "rings.h5";
  const auto make = [&](const std::vector<double>& theta, const std::vector<double>& nphi, const std::string& kind) {
    make_hdf5(path, [&](hid_t file) {
      const hid_t group = H5Gcreate2(file, "grid", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
      H5Dclose(add_hdf5_dataset(group, "theta", {theta.size()}, {}, theta));
      H5Dclose(add_hdf5_dataset(group, "phi0", {2}, {}, {0.0, 0.0}));
      if (!nphi.empty()) H5Dclose(add_hdf5_dataset(group, "nphi", {nphi.size()}, {}, nphi));
      if (!kind.empty()) add_hdf5_text(group, "kind", {kind});
      if (kind == "gauss") add_hdf5_index(group, "nlat", 2);
      H5Gclose(group);
    });
  };
  make({1.0, 2.0}, {4, 4}, "");
  EXPECT_EQ(io::read_rings(path)->npix(), 8);
  EXPECT_EQ(io::file_kind(path), io::FileKind::kRings);
  make({1.0, 2.0}, {}, "");
  expect_error<core::InputError>([&] { io::read_rings(path); }, {path, "'nphi'"});
  make({1.0, 2.0}, {4, 2.5}, "");
  expect_error<core::InputError>([&] { io::read_rings(path); }, {path, "grid/nphi[1] = 2.5 is not an integer"});
  make({1.0, 2.0, 2.5}, {4, 4, 4}, "");
  expect_error<core::InputError>([&] { io::read_rings(path); }, {path, "phi0"});
  make({1.0, 2.0}, {4, 4}, "gauss");
  expect_error<core::InputError>([&] { io::read_rings(path); }, {path, "gauss", "differ from those"});
  make({1.0, 2.0}, {4, 4}, "spiral");
  expect_error<core::InputError>([&] { io::read_rings(path); }, {path, "'spiral'"});
}

TEST(BadInput, AFileThatGoesAwayAfterItsHeaderWasReadIsAnInputError) {
  const TemporaryFolder folder;
  for (const io::FormatRow& row : io::formats()) {
    const std::string path = folder / ("map" + ending(row));
    write_good_map(path);
    const io::MapInfo info = io::open_map(path);
    std::filesystem::remove(path);
    expect_error<core::InputError>([&] { read_all_maps<double>(info, healpix_pixels(), 0); }, {path, "No such file"});
  }
}

}  // namespace armilla::test
