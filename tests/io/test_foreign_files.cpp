#include <armilla/grid/makers.hpp>
#include <armilla/io/pixel_order.hpp>

#include <cmath>
#include <fstream>
#include <limits>

#include "foreign_support.hpp"
#include "io_support.hpp"

namespace armilla::test {

namespace {

constexpr Index kNside = 8;
constexpr Index kPixels = 12 * kNside * kNside;

dist::PixelDistribution pixels_on(int ranks) {
  return {std::make_shared<const grid::RingGrid>(grid::make_healpix(kNside)), ranks};
}

std::vector<double> ring_values(Index component) {
  std::vector<double> values;
  for (Index p = 0; p < kPixels; ++p) values.push_back(pixel_value(component, p));
  return values;
}

std::vector<double> nested_values(Index component) {
  std::vector<double> values;
  for (Index p = 0; p < kPixels; ++p) values.push_back(pixel_value(component, io::ring_of_nested(kNside, p)));
  return values;
}

Keywords healpix_keywords(const std::string& ordering) {
  return {{"PIXTYPE", "HEALPIX"}, {"ORDERING", ordering}, {"NSIDE", std::to_string(kNside)}};
}

void expect_values(const std::string& path, Index components) {
  const io::MapInfo info = io::open_map(path);
  ASSERT_EQ(info.components, components);
  for (const int ranks : {1, 3}) {
    const dist::PixelDistribution pixels = pixels_on(ranks);
    for (int rank = 0; rank < ranks; ++rank)
      EXPECT_EQ(read_all_maps<double>(info, pixels, rank), map_values<double>(pixels, rank, components)) << path;
  }
}

}  // namespace

TEST(ForeignFits, AnyRowLengthAndOrderIsRead) {
  const TemporaryFolder folder;
  for (const Index repeat : {Index{1}, Index{16}, Index{96}, kPixels}) {
    const std::string form = std::to_string(repeat) + "D";
    const std::string ring = folder / ("ring" + std::to_string(repeat));
    append_fits_table(ring, {{"I_STOKES", form, ring_values(0)}, {"Q_STOKES", form, ring_values(1)}}, kPixels / repeat,
                      healpix_keywords("RING"));
    expect_values(ring, 2);
    const std::string nested = folder / ("nested" + std::to_string(repeat));
    append_fits_table(nested, {{"I_STOKES", form, nested_values(0)}, {"Q_STOKES", form, nested_values(1)}},
                      kPixels / repeat, healpix_keywords("NESTED"));
    expect_values(nested, 2);
  }
}

TEST(ForeignFits, ColumnsThatAreNoMapsArePassedOver) {
  const TemporaryFolder folder;
  const std::string path = folder / "map.fits";
  append_fits_table(path,
                    {{"NAME", "4A", {}},
                     {"SIGNAL", "D", ring_values(0)},
                     {"PAIR", "2E", {}},
                     {"HITS", "J", std::vector<double>(kPixels, 7)}},
                    kPixels, healpix_keywords("RING"));
  const io::MapInfo info = io::open_map(path);
  EXPECT_EQ(info.metadata.fields, (std::vector<std::string>{"T", "HITS"}));
  const dist::PixelDistribution pixels = pixels_on(1);
  std::vector<double> hits(kPixels);
  io::read_map<double>(info, 1, pixels.pixel_ranges(0), hits, io::BadDataPolicy::kError);
  EXPECT_EQ(hits, std::vector<double>(kPixels, 7));
}

TEST(ForeignFits, UndefinedWholeNumbersAreBadPixels) {
  const TemporaryFolder folder;
  const std::string path = folder / "map.fits";
  std::vector<double> hits(kPixels, 7);
  hits[3] = -32768;
  Keywords keywords = healpix_keywords("RING");
  keywords.push_back({"TNULL1", "-32768"});
  append_fits_table(path, {{"HITS", "I", hits}}, kPixels, keywords);
  const dist::PixelDistribution pixels = pixels_on(1);
  std::vector<double> read(kPixels);
  const io::BadPixels bad =
      io::read_map<double>(io::open_map(path), 0, pixels.pixel_ranges(0), read, io::BadDataPolicy::kZero);
  EXPECT_EQ(bad.nan, 1);
  EXPECT_EQ(read[2], 7);
  EXPECT_EQ(read[3], 0);
}

TEST(ForeignFits, ExplicitIndexIsReadInBothOrdersAndLackingPixelsAreBad) {
  const TemporaryFolder folder;
  for (const std::string ordering : {"RING", "NESTED"}) {
    std::vector<double> index, values;
    for (Index p = kPixels - 1; p >= 0; p -= 2) {  // descending: rows may come in any order
      index.push_back(static_cast<double>(p));
      values.push_back(pixel_value(0, ordering == "RING" ? p : io::ring_of_nested(kNside, p)));
    }
    for (const std::string form : {"J", "K"}) {
      const std::string path = folder / (ordering + form);
      Keywords keywords = healpix_keywords(ordering);
      keywords.push_back({"INDXSCHM", "EXPLICIT"});
      append_fits_table(path, {{"PIXEL", form, index}, {"TEMPERATURE", "D", values}}, kPixels / 2, keywords);
      const io::MapInfo info = io::open_map(path);
      EXPECT_TRUE(info.explicit_index);
      EXPECT_EQ(info.components, 1);
      EXPECT_EQ(info.rows, kPixels / 2);
      const dist::PixelDistribution pixels = pixels_on(1);
      std::vector<double> read(kPixels);
      const io::BadPixels bad = io::read_map<double>(info, 0, pixels.pixel_ranges(0), read, io::BadDataPolicy::kZero);
      EXPECT_EQ(bad.bad_data, kPixels / 2);
      EXPECT_EQ(bad.nan, 0);
      Index held = 0;
      for (Index p = 0; p < kPixels; ++p)
        if (read[static_cast<std::size_t>(p)] == pixel_value(0, p)) ++held;
      EXPECT_EQ(held, kPixels / 2);
      expect_error<core::InputError>([&] { read_all_maps<double>(info, pixels, 0); },
                                     {path, "0 (T)", "384 of the 768", "384 BAD_DATA", "bad_data: zero"});
    }
  }
}

TEST(ForeignFits, BadPixelsAreCountedAndHandledByPolicy) {
  const TemporaryFolder folder;
  std::vector<double> values = ring_values(0);
  values[3] = -1.6375e30;
  values[5] = -1.63750e30 * (1 + 5e-6);
  values[7] = std::numeric_limits<double>::quiet_NaN();
  values[100] = std::numeric_limits<double>::infinity();
  values[200] = -99;
  for (const std::string form : {"D", "E"}) {
    const std::string path = folder / form;
    Keywords keywords = healpix_keywords("RING");
    keywords.push_back({"BAD_DATA", "-99.0"});
    append_fits_table(path, {{"TEMPERATURE", form, values}}, kPixels, keywords);
    const io::MapInfo info = io::open_map(path);
    const dist::PixelDistribution pixels = pixels_on(1);
    std::vector<float> read(kPixels, 5.0F);
    const io::BadPixels bad = io::read_map<float>(info, 0, pixels.pixel_ranges(0), read, io::BadDataPolicy::kZero);
    EXPECT_EQ(bad.nan, 2);
    EXPECT_EQ(bad.bad_data, 3);
    for (const std::size_t p : {3, 5, 7, 100, 200}) EXPECT_EQ(read[p], 0.0F);
    EXPECT_EQ(read[4], static_cast<float>(values[4]));
    std::vector<float> kept(kPixels, 5.0F);
    const io::BadPixels also = io::read_map<float>(info, 0, pixels.pixel_ranges(0), kept, io::BadDataPolicy::kKeep);
    EXPECT_EQ(also.total(), 5);
    for (const std::size_t p : {3, 5, 200}) EXPECT_EQ(kept[p], static_cast<float>(io::kBadPixel));
    std::vector<float> marked(kept.size());
    io::read_map<float>(info, 0, pixels.pixel_ranges(0), marked, io::BadDataPolicy::kMark);
    for (const std::size_t p : {3, 5, 200}) EXPECT_TRUE(std::isnan(marked[p]));
    EXPECT_TRUE(std::isnan(kept[7]));
    EXPECT_TRUE(std::isinf(kept[100]));
    expect_error<core::InputError>([&] { read_all_maps<float>(info, pixels, 0); },
                                   {path, "0 (T)", "5 of the 768", "2 NaN", "3 BAD_DATA", "bad_data: zero"});
  }
}

TEST(ForeignFits, IauPolarisationTurnsTheSignOfUOnly) {
  const TemporaryFolder folder;
  const std::string path = folder / "iau.fits";
  Keywords keywords = healpix_keywords("RING");
  keywords.push_back({"POLCCONV", "IAU"});
  append_fits_table(path,
                    {{"TEMPERATURE", "D", ring_values(0)},
                     {"Q_POLARISATION", "D", ring_values(1)},
                     {"U_POLARISATION", "D", ring_values(2)}},
                    kPixels, keywords);
  const io::MapInfo info = io::open_map(path);
  EXPECT_EQ(info.metadata.polcconv, "IAU");
  std::vector<double> expected = map_values<double>(pixels_on(1), 0, 3);
  for (std::size_t i = 2 * kPixels; i < 3 * kPixels; ++i) expected[i] = -expected[i];
  EXPECT_EQ(read_all_maps<double>(info, pixels_on(1), 0), expected);
}

TEST(ForeignFits, AlmRowsInAnyOrderWithoutKeywordsAreRead) {
  const TemporaryFolder folder;
  const dist::AlmDistribution all({20, 13}, 1);
  std::vector<double> index, real, imag;
  for (Index m = 13; m >= 0; --m)
    for (Index l = 20; l >= m; --l) {
      index.push_back(static_cast<double>(l * l + l + m + 1));
      real.push_back(alm_value(0, l, m).real());
      imag.push_back(alm_value(0, l, m).imag());
    }
  const auto rows = static_cast<Index>(index.size());
  const std::string path = folder / "alm.fits";
  append_fits_table(path, {{"index", "J", index}, {"real", "D", real}, {"imag", "D", imag}}, rows, {});
  const io::AlmInfo info = io::open_alm(path);
  EXPECT_EQ(info.lmax, 20);
  EXPECT_EQ(info.mmax, 13);
  EXPECT_EQ(info.metadata.fields, std::vector<std::string>{"T"});
  EXPECT_EQ(read_all_alm<double>(info, all, 0), alm_values<double>(all, 0, 1));

  index[1] = index[0];  // the same coefficient twice
  const std::string twice = folder / "same.fits";
  append_fits_table(twice, {{"index", "J", index}, {"real", "D", real}, {"imag", "D", imag}}, rows, {});
  expect_error<core::InputError>([&] { read_all_alm<double>(io::open_alm(twice), all, 0); },
                                 {twice, "l = 20, m = 13", "or occurs twice"});
}

TEST(ForeignFits, SpectraGoByNameAndHealpyKeepsItsOwnOrder) {
  const TemporaryFolder folder;
  std::vector<ForeignColumn> columns;
  for (const std::string name : {"TEMPERATURE", "GRADIENT", "CURL", "G-T", "C-T", "C-G"})
    columns.push_back({name, "D", std::vector<double>(4, static_cast<double>(columns.size()))});
  append_fits_table(folder / "healpix.fits", columns, 4, {});
  append_fits_table(folder / "healpy.fits", columns, 4, {{"CREATOR", "healpy"}});
  const alm::SpectraTable healpix = io::read_spectra(folder / "healpix.fits", false);
  EXPECT_EQ(healpix.names, (std::vector<std::string>{"TT", "EE", "BB", "TE", "TB", "EB"}));
  EXPECT_EQ((*healpix.find("EB"))[1], 5.0);
  const alm::SpectraTable healpy = io::read_spectra(folder / "healpy.fits", false);
  EXPECT_EQ((*healpy.find("EB"))[1], 4.0);
  EXPECT_EQ((*healpy.find("TB"))[1], 5.0);
}

TEST(ForeignHdf5, ChunkedCompressedMapsOfToastAreRead) {
  const TemporaryFolder folder;
  for (const std::string ordering : {"RING", "NESTED"}) {
    std::vector<double> values;
    for (Index c = 0; c < 3; ++c)
      for (const double value : ordering == "RING" ? ring_values(c) : nested_values(c)) values.push_back(value);
    const std::string path = folder / (ordering + ".h5");
    make_hdf5(path, [&](hid_t file) {
      const hid_t map = add_hdf5_dataset(file, "map", {3, kPixels}, {3, 100}, values);
      add_hdf5_index(map, "NSIDE", kNside);
      add_hdf5_text(map, "ORDERING", {ordering});
      add_hdf5_text(map, "UNITS", {"K"});
      add_hdf5_text(map, "COORDSYS", {"C"});
      H5Dclose(map);
    });
    expect_values(path, 3);
    EXPECT_EQ(io::open_map(path).metadata.units, (std::vector<std::string>{"K", "K", "K"}));
  }
}

TEST(ForeignHdf5, OneDimensionalMapsAndArraysOfFieldNamesAreRead) {
  const TemporaryFolder folder;
  make_hdf5(folder / "one.h5", [&](hid_t file) {
    const hid_t map = add_hdf5_dataset(file, "map", {kPixels}, {}, ring_values(0));
    add_hdf5_index(map, "NSIDE", kNside);
    add_hdf5_text(map, "ORDERING", {"RING"});
    H5Dclose(map);
  });
  expect_values(folder / "one.h5", 1);
  std::vector<double> values = ring_values(0);
  for (const double value : ring_values(1)) values.push_back(value);
  make_hdf5(folder / "two.h5", [&](hid_t file) {
    const hid_t map = add_hdf5_dataset(file, "map", {2, kPixels}, {}, values);
    add_hdf5_index(map, "NSIDE", kNside);
    add_hdf5_text(map, "ORDERING", {"RING"});
    add_hdf5_text(map, "FIELDS", {"Q", "KAPPA"});
    add_hdf5_text(map, "UNITS", {"K", "1"});
    H5Dclose(map);
  });
  expect_values(folder / "two.h5", 2);
  EXPECT_EQ(io::open_map(folder / "two.h5").metadata.fields, (std::vector<std::string>{"Q", "KAPPA"}));
  EXPECT_EQ(io::open_map(folder / "two.h5").metadata.units, (std::vector<std::string>{"K", "1"}));
}

TEST(TextSpectra, DlColumnsBecomeClAndRowsBelowTheFirstAreZero) {
  const TemporaryFolder folder;
  const std::string path = folder / "cl.dat";
  std::ofstream(path) << "# made by someone\n#    L    TT   PP\n 2  6.0 36.0\n 3 +1.2E+01 0\n";
  const alm::SpectraTable dl = io::read_spectra(path, true);
  EXPECT_EQ(dl.lmax, 3);
  const double two_pi = 2 * core::kPi;
  EXPECT_EQ((*dl.find("TT"))[0], 0.0);
  EXPECT_EQ((*dl.find("TT"))[1], 0.0);
  EXPECT_DOUBLE_EQ((*dl.find("TT"))[2], two_pi);
  EXPECT_DOUBLE_EQ((*dl.find("TT"))[3], two_pi);
  EXPECT_DOUBLE_EQ((*dl.find("PP"))[2], two_pi);  // [l (l + 1)]^2 / (2 pi)
  const alm::SpectraTable cl = io::read_spectra(path, false);
  EXPECT_EQ((*cl.find("TT"))[3], 12.0);
}

}  // namespace armilla::test
