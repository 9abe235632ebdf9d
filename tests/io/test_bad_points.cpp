#include <armilla/core/error.hpp>

#include <cmath>

#include "point_support.hpp"

namespace armilla::test {

namespace {

void expect_bad_places(const std::string& path, std::vector<std::string> parts) {
  parts.push_back(path);
  const io::PointsInfo info = io::open_points(path);
  expect_error<core::InputError>([&] { thetas_of(info); }, parts);
}

}  // namespace

TEST(BadPoints, EmptyCataloguesAreRefused) {
  const TemporaryFolder folder;
  for (const std::string& path : foreign_catalogues(folder, "theta", "phi", {}, {}))
    expect_bad_open(path, {"is an empty catalogue"});
  write_text(folder / "empty.csv", "");
  expect_bad_open(folder / "empty.csv", {"is empty"});
  expect_error<core::InputError>(
      [&] { io::write_points<double>(comm::Communicator::self(), folder / "none.h5", {}, {}, {}, {}, {}); },
      {"none.h5", "would be an empty catalogue"});
}

TEST(BadPoints, MissingColumnsAreListed) {
  const TemporaryFolder folder;
  for (const std::string& path : foreign_catalogues(folder, "theta", "azimuth", {1}, {2}))
    expect_bad_open(path, {"theta and phi, ra and dec, or lon and lat", "(it has ", "azimuth", "theta"});
  write_text(folder / "numbers.csv", "1,2,3\n4,5,6\n");
  expect_bad_open(folder / "numbers.csv", {"no line names the columns"});
  write_text(folder / "twice.csv", "ra,dec,T,T\n1,2,3,4\n");
  expect_bad_open(folder / "twice.csv", {"several columns named 'T'"});
  write_text(folder / "binary.csv", std::string("theta,phi\n\0\1\2", 13));
  expect_bad_open(folder / "binary.csv", {"neither FITS, HDF5 nor text"});
}

TEST(BadPoints, UnequalLengthsAreRefused) {
  const TemporaryFolder folder;
  const std::string path = folder / "x.h5";
  const auto make = [&](hsize_t thetas, const std::vector<hsize_t>& shape) {
    std::filesystem::remove(path);
    make_hdf5(path, [&](hid_t file) {
      H5Dclose(add_hdf5_dataset(file, "theta", {thetas}, {}, std::vector<double>(thetas, 1)));
      H5Dclose(add_hdf5_dataset(file, "phi", {4}, {}, std::vector<double>(4, 1)));
      std::size_t size = 1;
      for (const hsize_t extent : shape) size *= extent;
      H5Dclose(add_hdf5_dataset(file, "values", shape, {}, std::vector<double>(size, 1)));
    });
  };
  make(3, {1, 3});
  expect_bad_open(path, {"theta has 3 values but phi has 4"});
  make(4, {2, 5});
  expect_bad_open(path, {"'values' has 2 x 5 values, but there are 4 points"});
  make(4, {4, 2});
  expect_bad_open(path, {"transpose it", "[component][point]"});
  make(4, {4, 2, 4});
  expect_bad_open(path, {"three dimensions"});
  make(4, {4});
  EXPECT_EQ(io::open_points(path).components, 1);
  append_fits_table(folder / "x.fits", {{"THETA", "D", {1, 2}}, {"PHI", "2D", {1, 2, 3, 4}}}, 2, {});
  expect_bad_open(folder / "x.fits", {"column 'PHI' has 2 values per row", "have 1"});
}

TEST(BadPoints, RowsOfTextWithTooFewWordsAreNamed) {
  const TemporaryFolder folder;
  write_text(folder / "x.csv", "theta,phi,T\n1,2,3\n# note\n1,2\n");
  expect_bad_open(folder / "x.csv", {"line 4: 2 words", "3 column names"});
  write_text(folder / "x.txt", "theta phi T\n1 2 3 4\n");
  expect_bad_open(folder / "x.txt", {"line 2: 4 words", "3 column names"});
  write_text(folder / "y.csv", "theta,phi,T\n1,2,3\n1,,3\n");
  expect_bad_places(folder / "y.csv", {"line 3: '' is not a number"});
  write_text(folder / "z.csv", "theta,phi,T\n1,2,3\n1,2,many\n");
  expect_error<core::InputError>([&] { values_of(io::open_points(folder / "z.csv"), 0); },
                                 {"line 3: 'many' is not a number"});
}

TEST(BadPoints, NumbersThatAreNotFiniteAreNamedByTheirPoint) {
  const TemporaryFolder folder;
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  for (const std::string& path : foreign_catalogues(folder, "theta", "phi", {1, 2, nan, nan}, {1, 2, 3, 4}))
    expect_bad_places(path, {"point 2 (counted from 0): theta = nan"});
  for (const std::string& path : foreign_catalogues(folder, "RA", "DEC", {1, -inf, 3}, {1, 2, 3}))
    expect_bad_places(path, {"point 1 (counted from 0): RA = -inf"});
  const Catalogue<double> catalogue(4, 0, 4, 1);
  for (const char* ending : kPointEndings) {
    const std::string path = folder / (std::string("values") + ending);
    io::write_points<double>(comm::Communicator::self(), path, {}, catalogue.theta, catalogue.phi,
                             std::vector<double>{1, nan, io::kBadPixel, inf}, {});
    const io::PointsInfo info = io::open_points(path);
    expect_error<core::InputError>([&] { values_of(info, 0); }, {path, "point 1 (counted from 0)", "nan", "0 (T)"});
    std::vector<double> last(2);
    expect_error<core::InputError>([&] { io::read_values<double>(info, 0, 2, last); }, {"point 2 (counted"});
    const auto found = io::read_values<double>(info, 0, 2, last, io::BadDataPolicy::kZero);
    EXPECT_EQ(found.nan, 1);
    EXPECT_EQ(found.bad_data, 1);
    EXPECT_EQ(last, (std::vector<double>{0, 0}));
    EXPECT_TRUE(std::isnan(values_of(info, 0, io::BadDataPolicy::kKeep)[1]));
  }
}

TEST(BadPoints, PlacesOutOfRangeAreNamedWithALikelyMistake) {
  const TemporaryFolder folder;
  const auto expect = [&](const char* x, const char* y, const std::vector<double>& a, const std::vector<double>& b,
                          const std::vector<std::string>& parts, const std::string& unit = "") {
    auto paths = foreign_catalogues(folder, x, y, a, b, unit);
    if (!unit.empty()) paths.pop_back();  // text has no units of coordinates
    for (const std::string& path : paths) expect_bad_places(path, parts);
  };
  expect("theta", "phi", {1, 3.2, 200, -100}, {0, 0, 0, 0},
         {"point 1 (counted from 0): theta = 3.2 is out of range 0 .. pi", "correct the values"});
  expect("theta", "phi", {1, 90, 120}, {0, 0, 0}, {"point 1 (counted", "look like degrees"});
  expect("theta", "phi", {1, -1, 0.5}, {0, 0, 0}, {"point 1 (counted from 0): theta = -1", "look like latitudes"});
  expect("ra", "dec", {0, 0}, {10, 91},
         {"point 1 (counted from 0): dec = 91 is out of range -90 .. 90", "colatitudes"});
  expect("ra", "dec", {0, 0}, {-91, 91}, {"point 0 (counted from 0): dec = -91", "correct the values"});
  expect("lon", "lat", {0, 0}, {10, 45}, {"lat = 10 is out of range -pi/2 .. pi/2", "look like degrees"}, "rad");
  expect("theta", "phi", {10, 181}, {10, 45}, {"theta = 181 is out of range 0 .. 180 degrees"}, "deg");
}

TEST(BadPoints, TruncatedFilesAndOtherKindsAreRefused) {
  const TemporaryFolder folder;
  const Catalogue<double> catalogue(3000, 0, 3000, 2);
  for (const char* ending : {".h5", ".fits"}) {
    const std::string path = folder / (std::string("x") + ending);
    io::write_points<double>(comm::Communicator::self(), path, {}, catalogue.theta, catalogue.phi, catalogue.values,
                             {});
    truncate_to(path, static_cast<Index>(bytes_of(path).size()) / 2);
    expect_bad_open(path, {"truncated"});
  }
  expect_error<core::InputError>([&] { io::open_points(folder / "none.csv"); }, {"none.csv", "No such file"});
}

TEST(BadPoints, NamesOfOutputsAreChecked) {
  EXPECT_NO_THROW(io::check_output("x.csv", io::FileKind::kPoints, nullptr));
  EXPECT_EQ(io::point_format_of_name("x.FIT"), io::TableFormat::kFits);
  expect_error<core::InputError>([] { io::check_output("x.png", io::FileKind::kPoints, nullptr); },
                                 {"x.png", ".h5", ".fits", ".csv"});
  const TemporaryFolder folder;
  const Catalogue<double> catalogue(3, 0, 3, 1);
  expect_error<core::InputError>(
      [&] {
        io::write_points<double>(comm::Communicator::self(), folder / "x.csv",
                                 {.fields = {"a b"}, .units = {}, .coordsys = {}, .polcconv = {}}, catalogue.theta,
                                 catalogue.phi, catalogue.values, {});
      },
      {"x.csv", "'a b'", "cannot be a column name"});
  EXPECT_TRUE(folder.names().empty());
}

}  // namespace armilla::test
