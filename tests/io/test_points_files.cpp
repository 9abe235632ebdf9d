#include <armilla/core/error.hpp>

#include <cmath>
#include <tuple>

#include "point_support.hpp"

namespace armilla::test {

namespace {

using core::kPi;
using core::Precision;
using io::PointCoordinates;

constexpr Index kPoints = 50;

io::FieldMetadata shear() {
  return {.fields = {"T", "Q", "U", "kappa"},
          .units = {"uK", "uK", "uK", ""},
          .coordsys = "G",
          .polcconv = "",
          .spins = {0, 2, 2, 0}};
}

template <class T>
void round_trip(const std::string& ending, Precision precision) {
  SCOPED_TRACE(ending);
  const TemporaryFolder folder;
  const std::string path = folder / ("points" + ending);
  const Catalogue<T> catalogue(kPoints, 0, kPoints, 4);
  io::write_points<T>(comm::Communicator::self(), path, shear(), catalogue.theta, catalogue.phi, catalogue.values,
                      {.precision = precision});
  EXPECT_EQ(folder.names(), std::vector<std::string>{"points" + ending});
  EXPECT_EQ(io::file_kind(path), io::FileKind::kPoints);
  const io::PointsInfo info = io::open_points(path);
  EXPECT_EQ(info.points, kPoints);
  EXPECT_EQ(info.components, 4);
  EXPECT_EQ(info.coordinates, PointCoordinates::kThetaPhi);
  EXPECT_EQ(info.metadata.fields, shear().fields);
  EXPECT_EQ(info.metadata.units, shear().units);
  EXPECT_EQ(info.metadata.spins, shear().spins);
  EXPECT_EQ(info.metadata.coordsys, "G");
  EXPECT_EQ(info.metadata.polcconv, "COSMO");
  EXPECT_EQ(info.precision, info.format == io::TableFormat::kText ? Precision::kDouble : precision);
  EXPECT_LE(static_cast<Index>(bytes_of(path).size()), io::points_file_bytes(path, kPoints, 4, precision) + 1024);
  for (const Index piece : {1, 7, 50}) expect_catalogue(info, catalogue, 0, precision, piece);
}

}  // namespace

// claims: read HDF5 points, read FITS points, read text points, write HDF5 points, write FITS points
// claims: write text points
TEST(PointsFiles, KeepEveryBitAndTheirMetadataInEveryFormatAndPrecision) {
  for (const char* ending : kPointEndings)
    for (const Precision precision : {Precision::kSingle, Precision::kDouble}) {
      round_trip<float>(ending, precision);
      round_trip<double>(ending, precision);
    }
}

TEST(PointsFiles, MayHaveNoValues) {
  const TemporaryFolder folder;
  for (const char* ending : kPointEndings) {
    SCOPED_TRACE(ending);
    const std::string path = folder / (std::string("bare") + ending);
    const Catalogue<double> catalogue(kPoints, 0, kPoints, 0);
    const io::FieldMetadata metadata{.fields = {}, .units = {}, .coordsys = "C", .polcconv = {}};
    io::write_points<double>(comm::Communicator::self(), path, metadata, catalogue.theta, catalogue.phi, {}, {});
    EXPECT_EQ(io::file_kind(path), io::FileKind::kPoints);
    const io::PointsInfo info = io::open_points(path);
    EXPECT_EQ(info.components, 0);
    EXPECT_EQ(info.metadata.coordsys, "C");
    expect_catalogue(info, catalogue, 0, Precision::kDouble, 11);
  }
}

TEST(PointsFiles, OfFieldsWithoutNamesGetThoseOfMaps) {
  const TemporaryFolder folder;
  for (const char* ending : kPointEndings) {
    const std::string path = folder / (std::string("x") + ending);
    const Catalogue<double> catalogue(3, 0, 3, 2);
    io::write_points<double>(comm::Communicator::self(), path, {}, catalogue.theta, catalogue.phi, catalogue.values,
                             {});
    EXPECT_EQ(io::open_points(path).metadata.fields, (std::vector<std::string>{"Q", "U"})) << ending;
  }
}

TEST(PointsFiles, MayHaveAFieldThatIsCalledAsACoordinate) {
  const TemporaryFolder folder;
  for (const char* ending : {".fits", ".csv", ".txt"}) {
    const std::string path = folder / (std::string("x") + ending);
    const Catalogue<double> catalogue(9, 0, 9, 1);
    io::write_points<double>(comm::Communicator::self(), path,
                             {.fields = {"phi"}, .units = {}, .coordsys = {}, .polcconv = {}}, catalogue.theta,
                             catalogue.phi, catalogue.values, {});
    expect_catalogue(io::open_points(path), catalogue, 0, Precision::kDouble, 4);
    EXPECT_EQ(io::open_points(path, {.coordinates = {}, .places = {}, .values = {"phi"}}).components, 1);
  }
}

TEST(PointsFiles, DegreesAndLatitudesBecomeThetaAndPhi) {
  const TemporaryFolder folder;
  const std::vector<double> lon{0, 90, -30, 720, 10}, lat{90, -90, 30, 0, -45.5};
  for (const auto& [x, y, coordinates] :
       {std::tuple("RA", "Dec", PointCoordinates::kRaDec), {"lon", "lat", PointCoordinates::kLonLat}})
    for (const std::string& path : foreign_catalogues(folder, x, y, lon, lat)) {
      SCOPED_TRACE(path);
      EXPECT_EQ(io::file_kind(path), io::FileKind::kPoints);
      const io::PointsInfo info = io::open_points(path);
      EXPECT_EQ(info.coordinates, coordinates);
      EXPECT_EQ(info.places, (std::vector<std::string>{x, y}));
      EXPECT_TRUE(info.in_degrees);
      EXPECT_EQ(info.metadata.coordsys, coordinates == PointCoordinates::kRaDec ? "C" : "");
      const auto theta = thetas_of(info), phi = phis_of(info);
      EXPECT_EQ(theta[0], 0);
      EXPECT_EQ(theta[1], kPi);
      for (std::size_t i = 0; i < lon.size(); ++i) {
        // Two roundings of numbers up to pi, and of phi.
        EXPECT_NEAR(theta[i], (90 - lat[i]) / 180 * kPi, 1e-15);
        EXPECT_NEAR(phi[i], lon[i] / 180 * kPi, 3e-16 * (1 + std::abs(phi[i])));
      }
      EXPECT_EQ(values_of(info, 0), std::vector<double>(5, 1.5));
    }
}

TEST(PointsFiles, NamesOfCataloguesSayTheirCoordinates) {
  const TemporaryFolder folder;
  for (const auto& [x, y, coordsys] : {std::tuple("GLON", "GLAT", "G"),
                                       {"elon", "elat", "E"},
                                       {"RAJ2000", "DEJ2000", "C"},
                                       {"RA_ICRS", "DE_ICRS", "C"},
                                       {"longitude", "latitude", ""}})
    for (const std::string& path : foreign_catalogues(folder, x, y, {90}, {30})) {
      SCOPED_TRACE(path);
      const io::PointsInfo info = io::open_points(path);
      EXPECT_EQ(info.metadata.coordsys, coordsys);
      EXPECT_NEAR(thetas_of(info)[0], kPi / 3, 1e-15);
      EXPECT_NEAR(phis_of(info)[0], kPi / 2, 1e-15);
    }
  write_text(folder / "two.csv", "Ra,rA,dec,x\n1,2,3,4\n");
  expect_error<core::InputError>(
      [&] {
        io::open_points(folder / "two.csv", {.coordinates = {}, .places = {"RA", "dec"}, .values = {}});
      },
      {"2 columns named 'RA'"});
}

TEST(PointsFiles, UndefinedWholeNumbersAreNoNumbers) {
  const TemporaryFolder folder;
  const std::string path = folder / "x.fits";
  append_fits_table(path, {{"THETA", "D", {1, 2}}, {"PHI", "D", {1, 2}}, {"COUNT", "I", {-99, 5}}}, 2,
                    {{"TNULL3", "-99"}});
  const io::PointsInfo info = io::open_points(path);
  std::vector<double> values(2);
  io::read_values<double>(info, 0, 0, values, io::BadDataPolicy::kKeep);
  EXPECT_TRUE(std::isnan(values[0]));
  EXPECT_EQ(values[1], 5);
  expect_error<core::InputError>([&] { values_of(info, 0); }, {path, "point 0 (counted", "nan"});
}

TEST(PointsFiles, UnitsOfColumnsWinOverWhatIsUsual) {
  const TemporaryFolder folder;
  const auto of_format = [&](std::size_t i, const auto& paths) { return io::open_points(paths[i]); };
  for (const std::size_t i : {0, 1}) {
    auto paths = foreign_catalogues(folder, "theta", "phi", {0, 90, 180}, {0, 90, 360}, "deg");
    EXPECT_EQ(thetas_of(of_format(i, paths)), (std::vector<double>{0, kPi / 2, kPi}));
    EXPECT_EQ(phis_of(of_format(i, paths)), (std::vector<double>{0, kPi / 2, 2 * kPi}));
    paths = foreign_catalogues(folder, "ra", "dec", {0, 1, 2}, {kPi / 2, 0, -kPi / 2}, "rad");
    EXPECT_EQ(thetas_of(of_format(i, paths)), (std::vector<double>{0, kPi / 2, kPi}));
    EXPECT_EQ(phis_of(of_format(i, paths)), (std::vector<double>{0, 1, 2}));
    paths = foreign_catalogues(folder, "ra", "dec", {0}, {0}, "arcmin");
    expect_bad_open(paths[i], {"ra has the unit 'arcmin'", "rad or deg"});
  }
}

TEST(PointsFiles, RoundingAtThePolesIsClamped) {
  const TemporaryFolder folder;
  const double beyond = kPi * (1 + 3e-16);
  ASSERT_GT(beyond, kPi);
  for (const std::string& path : foreign_catalogues(folder, "theta", "phi", {-1e-17, beyond}, {0, 1}))
    EXPECT_EQ(thetas_of(io::open_points(path)), (std::vector<double>{0, kPi})) << path;
  // Single precision has a pi beyond pi; so have seven digits.
  for (const char* form : {"E", "D"}) {
    const std::string path = folder / (std::string("single") + form + ".fits");
    append_fits_table(path, {{"THETA", "E", {0, static_cast<double>(static_cast<float>(kPi))}}, {"PHI", form, {0, 1}}},
                      2, {});
    EXPECT_EQ(thetas_of(io::open_points(path)), (std::vector<double>{0, kPi}));
  }
  write_text(folder / "digits.csv", "theta,phi\n3.141593,1\n");
  EXPECT_EQ(thetas_of(io::open_points(folder / "digits.csv")), std::vector<double>{kPi});
}

TEST(PointsFiles, ColumnsAreChosenByName) {
  const TemporaryFolder folder;
  const std::string csv = folder / "x.csv", fits = folder / "x.fits";
  write_text(csv,
             "# a catalogue of ra and dec\n# unit: mK\nname, AlphaJ2000, DeltaJ2000 ,e1,e2\nM31,10.5,41.25,1,2\n"
             "M33 , 23.25,30.5,3,4  # a comment\n\n");
  append_fits_table(fits,
                    {{"AlphaJ2000", "D", {10.5, 23.25}},
                     {"DeltaJ2000", "D", {41.25, 30.5}},
                     {"e1", "E", {1, 3}},
                     {"e2", "J", {2, 4}},
                     {"pair", "2D", {1, 2, 3, 4}}},
                    2, {});
  const io::PointColumns columns{
      .coordinates = PointCoordinates::kRaDec, .places = {"AlphaJ2000", "deltaj2000"}, .values = {"E2", "e1"}};
  io::PointColumns all = columns;
  all.values.clear();
  for (const std::string& path : {csv, fits}) {
    SCOPED_TRACE(path);
    const io::PointsInfo info = io::open_points(path, columns);
    EXPECT_EQ(info.points, 2);
    EXPECT_EQ(info.metadata.fields, (std::vector<std::string>{"e2", "e1"}));
    EXPECT_EQ(values_of(info, 0), (std::vector<double>{2, 4}));
    EXPECT_EQ(values_of(info, 1), (std::vector<double>{1, 3}));
    EXPECT_NEAR(thetas_of(info)[1], 59.5 * kPi / 180, 1e-15);
    // Without text, and without columns of another length.
    EXPECT_EQ(io::open_points(path, all).metadata.fields, (std::vector<std::string>{"e1", "e2"}));
    expect_bad_open(path, {"has no columns THETA and PHI", "AlphaJ2000, DeltaJ2000", "e1, e2"},
                    {.coordinates = PointCoordinates::kThetaPhi, .places = {}, .values = {}});
    expect_bad_open(path, {"has no columns", "theta and phi, ra and dec, or lon and lat", "AlphaJ2000"});
    expect_bad_open(path, {"the meaning of the columns AlphaJ2000 and DeltaJ2000 is unknown"},
                    {.coordinates = {}, .places = {"AlphaJ2000", "DeltaJ2000"}, .values = {}});
    io::PointColumns missing = columns;
    missing.values = {"kappa"};
    expect_bad_open(path, {"has no value column 'kappa'", "e1"}, missing);
  }
  EXPECT_EQ(io::open_points(csv, all).metadata.units, (std::vector<std::string>{"mK", "mK"}));
}

TEST(PointsFiles, ColumnsOfManyNumbersInARowAreRead) {
  const TemporaryFolder folder;
  const std::string path = folder / "vectors.fits";
  std::vector<double> theta, phi, values;
  for (int i = 0; i < 12; ++i) {
    theta.push_back(0.1 * i);
    phi.push_back(0.2 * i);
    values.push_back(i);
  }
  append_fits_table(
      path, {{"theta", "4D", theta}, {"phi", "4D", phi}, {"I_STOKES", "4D", values}, {"ID", "J", {1, 2, 3}}}, 3, {});
  const io::PointsInfo info = io::open_points(path);
  EXPECT_EQ(info.points, 12);
  EXPECT_EQ(info.metadata.fields, std::vector<std::string>{"T"});
  EXPECT_EQ(thetas_of(info), theta);
  std::vector<double> part(5);
  io::read_values<double>(info, 0, 3, part);
  EXPECT_EQ(part, (std::vector<double>{3, 4, 5, 6, 7}));
}

TEST(PointsFiles, TextIsReadAsOtherProgramsWriteIt) {
  const TemporaryFolder folder;
  const std::vector<std::pair<std::string, std::string>> texts{
      {"numpy.txt", "# ra dec flux\n1.0e+01 4.1e+01 1.5\n2.0e+01 3.0e+01 2.5\n"},
      {"numpy.csv", "# ra,dec,flux\n10,41,1.5\n20,30,2.5\n"},
      {"windows.csv", "\xef\xbb\xbfRA,DEC,Flux\r\n10,41,1.5\r\n20,30,2.5\r\n"},
      {"quoted.csv", "\"ra\",\"dec\",\"flux\"\n10,41,1.5\n20,30,2.5\n"},
      {"ecsv.dat",
       "# %ECSV 1.0\n# ---\n# datatype:\n# - {name: ra, datatype: float64}\nra dec flux\n10 41 1.5\n20 30 2.5"},
      {"spaces.txt", "  ra\tdec   flux \n\n +10 41. 1.5\n20 3E1 2.5\n"}};
  for (const auto& [name, text] : texts) {
    SCOPED_TRACE(name);
    write_text(folder / name, text);
    EXPECT_EQ(io::file_kind(folder / name), io::FileKind::kPoints);
    const io::PointsInfo info = io::open_points(folder / name);
    EXPECT_EQ(info.points, 2);
    EXPECT_EQ(info.coordinates, PointCoordinates::kRaDec);
    EXPECT_NEAR(thetas_of(info)[0], 49 * kPi / 180, 1e-15);
    EXPECT_EQ(values_of(info, 0), (std::vector<double>{1.5, 2.5}));
  }
}

TEST(PointsFiles, IauPolarisationBecomesCosmo) {
  const TemporaryFolder folder;
  const std::string csv = folder / "x.csv", fits = folder / "x.fits", hdf5 = folder / "x.h5";
  write_text(csv, "# polcconv: IAU\nra,dec,Q,U\n1,2,3,4\n");
  append_fits_table(fits, {{"RA", "D", {1}}, {"DEC", "D", {2}}, {"Q", "D", {3}}, {"U", "D", {4}}}, 1,
                    {{"POLCCONV", "IAU"}});
  make_hdf5(hdf5, [](hid_t file) {
    H5Dclose(add_hdf5_dataset(file, "RA", {1}, {}, {1}));
    H5Dclose(add_hdf5_dataset(file, "DEC", {1}, {}, {2}));
    const hid_t values = add_hdf5_dataset(file, "VALUES", {2, 1}, {1, 1}, {3, 4});
    add_hdf5_text(values, "POLCCONV", {"IAU"});
    H5Dclose(values);
  });
  for (const std::string& path : {csv, fits, hdf5}) {
    const io::PointsInfo info = io::open_points(path);
    EXPECT_EQ(info.metadata.polcconv, "IAU");
    EXPECT_EQ(values_of(info, 0), std::vector<double>{3}) << path;
    EXPECT_EQ(values_of(info, 1), std::vector<double>{-4}) << path;
  }
}

TEST(PointsFiles, AreToldFromOtherFiles) {
  const TemporaryFolder folder;
  write_text(folder / "cl.dat", "# a note on phi and theta\n# L TT EE\n2 1 2\n3 1 2\n");
  EXPECT_EQ(io::file_kind(folder / "cl.dat"), io::FileKind::kSpectra);
  make_hdf5(folder / "rings.h5",
            [](hid_t file) { H5Gclose(H5Gcreate2(file, "grid", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)); });
  EXPECT_EQ(io::file_kind(folder / "rings.h5"), io::FileKind::kRings);
  make_hdf5(folder / "kernel.h5", [](hid_t file) {
    for (const char* name : {"theta", "kernel"}) H5Dclose(add_hdf5_dataset(file, name, {2}, {}, {0, 1}));
  });
  expect_error<core::InputError>([&] { io::file_kind(folder / "kernel.h5"); }, {"'theta' and 'phi'"});
  append_fits_table(folder / "cl.fits", {{"TT", "D", {1, 2}}}, 2, {});
  EXPECT_EQ(io::file_kind(folder / "cl.fits"), io::FileKind::kSpectra);
}

}  // namespace armilla::test
