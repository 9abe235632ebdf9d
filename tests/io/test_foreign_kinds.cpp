#include <armilla/core/error.hpp>
#include <armilla/io/kernel_table.hpp>
#include <armilla/io/points.hpp>
#include <armilla/io/read.hpp>

#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "foreign_support.hpp"
#include "io_support.hpp"
#include "point_support.hpp"

// Files of other programs that are not read: every reader names them as what they are and says what to do.
namespace armilla::test {

namespace {

void expect_named(const std::string& path, const std::vector<std::string>& parts) {
  SCOPED_TRACE(path);
  const std::vector<std::function<void()>> readers{[&] { io::file_kind(path); }, [&] { io::open_map(path); },
                                                   [&] { io::open_points(path); },
                                                   [&] { io::read_spectra(path, false); }};
  for (const auto& read : readers) expect_error<core::InputError>(read, parts);
}

/// Appends an image of zeros.
void append_fits_image(const std::string& path, std::vector<long> axes, const Keywords& keywords) {
  fitsfile* file = nullptr;
  int status = 0;
  if (std::filesystem::exists(path))
    fits_open_diskfile(&file, path.c_str(), READWRITE, &status);
  else
    fits_create_diskfile(&file, path.c_str(), &status);
  fits_create_img(file, FLOAT_IMG, static_cast<int>(axes.size()), axes.data(), &status);
  for (const auto& [key, value] : keywords) fits_write_key_str(file, key.c_str(), value.c_str(), "", &status);
  fits_close_file(file, &status);
  ASSERT_EQ(status, 0);
}

std::vector<double> steps(double first, double step, std::size_t count) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(first + step * static_cast<double>(i));
  return values;
}

void make_netcdf(const std::string& path, const std::vector<double>& latitude, const std::vector<double>& longitude,
                 const std::vector<hsize_t>& extent) {
  make_hdf5(path, [&](hid_t file) {
    H5Dclose(add_hdf5_dataset(file, "latitude", {latitude.size()}, {}, latitude));
    H5Dclose(add_hdf5_dataset(file, "longitude", {longitude.size()}, {}, longitude));
    const hsize_t count = std::accumulate(extent.begin(), extent.end(), hsize_t{1}, std::multiplies<>());
    H5Dclose(add_hdf5_dataset(file, "t2m", extent, {}, std::vector<double>(count, 1.5)));
  });
}

}  // namespace

TEST(ForeignKinds, BinaryFormatsAreNamedByTheirFirstBytes) {
  const TemporaryFolder folder;
  for (const auto& [bytes, parts] : std::vector<std::pair<std::string, std::vector<std::string>>>{
           {"CDF\1", {"a NetCDF file (classic format)", "HDF5"}},
           {"CDF\2", {"a NetCDF file (64-bit offsets)", "HDF5"}},
           {"CDF\5", {"a NetCDF file (64-bit data)", "HDF5"}},
           {"GRIB", {"a GRIB file", "HDF5"}},
           {"\x93NUMPY\1", {"an array of NumPy", "healpy"}},
           {"PK\3\4", {"a ZIP archive", "numpy.savez"}}}) {
    write_text(folder / "x.dat", bytes + std::string("\0\1\2\3\0\0", 6));
    expect_named(folder / "x.dat", parts);
  }
}

TEST(ForeignKinds, ModelsOfGravityAndMagneticFieldsAreNamed) {
  const TemporaryFolder folder;
  write_text(folder / "model.gfc",
             "product_type gravity_field\nmodelname TEST\nmax_degree 2\nend_of_head ====\n"
             "gfc 0 0 1.0d0 0.0d0 0.0 0.0\ngfc 2 0 -0.48d-03 0.0d0 0.1e-10 0.0\n");
  expect_named(folder / "model.gfc", {"model of a gravity field (gfc", "4pi"});
  write_text(folder / "igrf.shc",
             "# IGRF\n1 2 2 2 1\n2020.0 2025.0\n1 0 -29404.8 -29376.0\n1 1 -1450.9 -1413.9\n1 -1 4652.5 4523.0\n");
  expect_named(folder / "igrf.shc", {"model of a magnetic field (shc)", "schmidt"});
  // A table of numbers is not one.
  write_text(folder / "cl.dat", "# L TT EE BB\n1 2 2 2\n2 3 4 5\n3 4 5 6\n");
  EXPECT_EQ(io::read_spectra(folder / "cl.dat", false).lmax, 3);
}

TEST(ForeignKinds, NetcdfGridsAreNeverPointsOnTheirDiagonal) {
  const TemporaryFolder folder;
  const std::string square = folder / "square.nc", global = folder / "global.nc", era = folder / "era.nc";
  make_netcdf(square, steps(50, -0.5, 31), steps(-5, 0.5, 31), {31, 31});
  expect_named(square, {"a region of a NetCDF grid of t2m", "31 x 31", "latitude and longitude"});
  make_netcdf(global, steps(88.6, -2.8125, 64), steps(0, 5.625, 64), {64, 64});
  expect_named(global, {"a NetCDF grid of t2m", "64 x 64"});
  make_netcdf(era, steps(90, -2, 91), steps(0, 2, 180), {3, 91, 180});  // [time][latitude][longitude]
  expect_named(era, {"a NetCDF grid of t2m", "91 x 180"});
  // Observations at places are points.
  const std::string places = folder / "places.nc";
  make_netcdf(places, {10, 20}, {30, 40}, {2});
  EXPECT_EQ(io::open_points(places).points, 2);
  // Coordinates of other names.
  const std::string other = folder / "other.nc";
  make_hdf5(other, [](hid_t file) {
    const hid_t wind = add_hdf5_dataset(file, "wind", {2, 3}, {}, std::vector<double>(6, 1));
    add_hdf5_index(wind, "DIMENSION_LIST", 1);
    H5Dclose(wind);
  });
  expect_error<core::InputError>([&] { io::file_kind(other); }, {"a NetCDF file with the variables wind"});
}

TEST(ForeignKinds, ImagesAndMapsOfOtherPixelsInFitsAreNamed) {
  const TemporaryFolder folder;
  append_fits_image(folder / "car.fits", {180, 90, 3}, {{"CTYPE1", "RA---CAR"}, {"CTYPE2", "DEC--CAR"}});
  expect_named(folder / "car.fits", {"an image of 180 x 90 x 3 values in the projection CAR", "RA---CAR", "pixell"});
  append_fits_image(folder / "moll.fits", {40, 20}, {{"CTYPE1", "GLON-MOL"}, {"CTYPE2", "GLAT-MOL"}});
  expect_named(folder / "moll.fits", {"an image of 40 x 20 values in the projection MOL", "reproject"});
  append_fits_image(folder / "lines.fits", {8, 4, 5},
                    {{"CTYPE1", "GLON-CAR"}, {"CTYPE2", "GLAT-CAR"}, {"CTYPE3", "VRAD"}});
  expect_named(folder / "lines.fits", {"a spectral cube of 8 x 4 x 5 values", "VRAD"});
  append_fits_image(folder / "second.fits", {}, {});
  append_fits_image(folder / "second.fits", {10, 10}, {});
  expect_named(folder / "second.fits", {"an image of 10 x 10 values, not a HEALPix map"});
  append_fits_image(folder / "healsparse.fits", {}, {});
  append_fits_image(folder / "healsparse.fits", {48}, {{"EXTNAME", "COV"}});
  append_fits_image(folder / "healsparse.fits", {100}, {{"EXTNAME", "SPARSE"}});
  expect_named(folder / "healsparse.fits", {"a map of healsparse", "generate_healpix_map"});
  append_fits_table(folder / "moc.fits", {{"UNIQ", "K", {4, 17}}}, 2,
                    {{"ORDERING", "NUNIQ"}, {"MOCORDER", "1"}, {"COORDSYS", "C"}});
  for (const auto& read : {std::function<void()>([&] { io::file_kind(folder / "moc.fits"); }),
                           std::function<void()>([&] { io::open_points(folder / "moc.fits"); })})
    expect_error<core::InputError>(read, {"a multi-order coverage (MOC)", "healpy.write_map"});
  append_fits_table(folder / "cube.fits", {{"INTENSITY", "5D", std::vector<double>(60, 1.0)}}, 12,
                    {{"PIXTYPE", "HEALPIX"}, {"ORDERING", "RING"}, {"NSIDE", "1"}});
  expect_error<core::InputError>([&] { io::open_map(folder / "cube.fits"); },
                                 {"column 'INTENSITY' has 5 values for each of the 12 pixels", "spectral cubes"});
}

TEST(ForeignKinds, WindowsOfPlanckAreSpectra) {
  const TemporaryFolder folder;
  const std::vector<double> one{1, 0.5, 0.25}, two{0, 0, 0.125};
  append_fits_table(folder / "teb.fits", {{"T", "E", one}, {"E", "E", two}, {"B", "E", two}}, 3,
                    {{"EXTNAME", "WINDOW FUNCTION"}});
  EXPECT_EQ(io::file_kind(folder / "teb.fits"), io::FileKind::kSpectra);
  EXPECT_EQ(*io::read_spectra(folder / "teb.fits", false).find("T"), one);
  // The map comes first.
  append_fits_table(folder / "map.fits", {{"I_STOKES", "D", std::vector<double>(12, 1.0)}}, 12,
                    {{"PIXTYPE", "HEALPIX"}, {"ORDERING", "RING"}, {"NSIDE", "1"}});
  append_fits_table(folder / "map.fits", {{"INT_BEAM", "E", one}, {"POL_BEAM", "E", two}}, 3, {{"EXTNAME", "BEAMWF"}});
  EXPECT_EQ(io::file_kind(folder / "map.fits"), io::FileKind::kMap);
  EXPECT_EQ(*io::read_spectra(folder / "map.fits", false).find("POL_BEAM"), two);
  // An instrument model with one window, and with two.
  const auto add_window = [&](const char* name) {
    append_fits_table(folder / "rimo.fits", {{"NOMINAL", "E", one}, {"EIGEN_1", "E", two}}, 3, {{"EXTNAME", name}});
  };
  append_fits_table(folder / "rimo.fits", {{"NET", "E", {1}}}, 1, {{"EXTNAME", "MAP_PARAMS"}});
  add_window("BEAMWF_100X100");
  EXPECT_EQ(io::file_kind(folder / "rimo.fits"), io::FileKind::kSpectra);
  EXPECT_EQ(*io::read_spectra(folder / "rimo.fits", false).find("NOMINAL"), one);
  add_window("BEAMWF_143X143");
  expect_error<core::InputError>([&] { io::read_spectra(folder / "rimo.fits", false); },
                                 {"BEAMWF_100X100,BEAMWF_143X143", "fitscopy"});
}

}  // namespace armilla::test
