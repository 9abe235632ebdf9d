#include <armilla/core/text.hpp>
#include <armilla/io/field_names.hpp>
#include <armilla/io/file_probe.hpp>
#include <armilla/io/foreign_files.hpp>
#include <armilla/io/hdf5_ranges.hpp>
#include <armilla/io/hdf5_table.hpp>
#include <armilla/io/text_rows.hpp>

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::io {

namespace {

constexpr Index kHead = 4096;  // bytes

constexpr std::string_view kWriteMap =
    "write its values to the dataset 'map' [component][pixel] of an HDF5 file, with the grid (docs/file_formats.md)";
constexpr std::string_view kWriteArrays =
    "write arrays as FITS with healpy (write_map, write_alm, write_cl), or as HDF5";

struct Magic {
  std::string_view bytes, what, advice;
};
constexpr std::array<Magic, 6> kMagics{
    {{"CDF\x01", "a NetCDF file (classic format), which is not read", kWriteMap},
     {"CDF\x02", "a NetCDF file (64-bit offsets), which is not read", kWriteMap},
     {"CDF\x05", "a NetCDF file (64-bit data), which is not read", kWriteMap},
     {"GRIB", "a GRIB file, which is not read", kWriteMap},
     {"\x93NUMPY", "an array of NumPy, which is not read", kWriteArrays},
     {"PK\x03\x04", "a ZIP archive, as numpy.savez and others write them", kWriteArrays}}};

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    if (!trimmed(line).empty() && !line.starts_with('#')) lines.push_back(line);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

// Words that are numbers; empty if one is not.
std::vector<double> numbers_in(std::string_view line) {
  std::vector<std::string_view> words;
  split_words(line, Separator::kSpace, words);
  std::vector<double> numbers;
  for (const std::string_view word : words) {
    if (!is_number(word)) return {};
    numbers.push_back(number_of(word, {}, 0));
  }
  return numbers;
}

// ICGEM: a header of keywords that ends with end_of_head, then lines gfc L M C S.
bool is_gfc(std::string_view head) {
  const std::vector<std::string_view> lines = lines_of(head);
  return std::ranges::any_of(lines, [](std::string_view line) {
    return line.starts_with("product_type") || line.starts_with("end_of_head") || line.starts_with("gfc ");
  });
}

// Comments, a line of five or more integers (lowest and highest degree, number of epochs, ...), the epochs in years,
// then lines of degree, order and one coefficient for each epoch.
bool is_shc(std::string_view head) {
  const std::vector<std::string_view> lines = lines_of(head);
  if (lines.size() < 3) return false;
  const std::vector<double> sizes = numbers_in(lines[0]), epochs = numbers_in(lines[1]), first = numbers_in(lines[2]);
  return sizes.size() >= 4 && !epochs.empty() && sizes[2] == static_cast<double>(epochs.size()) &&
         first.size() == 2 + epochs.size() && first[0] == sizes[0] &&
         std::ranges::all_of(epochs, [](double year) { return year > -20000 && year < 3000; });
}

std::string axis_type(const FitsFile& file, int axis) {
  return upper(fits_text(file, fmt::format("CTYPE{}", axis)).value_or(""));
}

// The current HDU, an image with these axes.
[[noreturn]] void throw_image(const FitsFile& file, const std::vector<long>& axes) {
  const std::string first = axis_type(file, 1), second = axis_type(file, 2), third = axis_type(file, 3);
  const std::string size = fmt::format("{}", fmt::join(axes, " x "));
  const auto dash = first.rfind('-');
  const std::string projection = dash == std::string::npos ? std::string() : first.substr(dash + 1);
  std::string what = fmt::format("an image of {} values", size);
  if (!projection.empty())
    what = fmt::format("an image of {} values in the projection {} (CTYPE1 = '{}', CTYPE2 = '{}')", size, projection,
                       first, second);
  constexpr std::array<std::string_view, 6> kSpectral{"FREQ", "WAVE", "VELO", "VRAD", "VOPT", "ENER"};
  if (std::ranges::any_of(kSpectral, [&](std::string_view axis) { return third.starts_with(axis); }))
    what = fmt::format("a spectral cube of {} values (CTYPE1 = '{}', CTYPE3 = '{}')", size, first, third);
  const bool is_plate_carree = projection == "CAR";
  throw core::InputError(fmt::format("'{}' contains {}, not a HEALPix map: {}", file.name(), what,
                                     is_plate_carree
                                         ? "reproject it to HEALPix, for example with pixell or reproject; or, if it "
                                           "covers the sky, write its rows to "
                                           "HDF5 as a map on an equiangular grid (docs/file_formats.md)"
                                         : "reproject it to HEALPix, for example with the Python package reproject"));
}

[[noreturn]] void throw_healsparse(const FitsFile& file) {
  throw core::InputError(
      fmt::format("'{}' contains a map of healsparse (extensions COV and SPARSE), which is not read: write it as a "
                  "HEALPix map with generate_healpix_map() and healpy.write_map()",
                  file.name()));
}

bool is_healsparse(const FitsFile& file) {
  const std::string name = upper(fits_text(file, "EXTNAME").value_or(""));
  return name == "SPARSE" || upper(fits_text(file, "PIXTYPE").value_or("")) == "HEALSPARSE";
}

// Whether a coordinate in degrees does not go around a circle of that length, or along a meridian.
bool is_part(std::vector<double> degrees, double length) {
  if (degrees.size() < 2) return true;
  std::ranges::sort(degrees);
  const double extent = degrees.back() - degrees.front();
  return extent + 2 * extent / static_cast<double>(degrees.size() - 1) < length;
}

// The dimensions of a dataset of the file; empty for other objects, and for data in other files, which are not opened.
std::vector<hsize_t> own_extent(hid_t file, const std::string& name) {
  H5L_info_t link;
  if (H5Lget_info(file, name.c_str(), &link, H5P_DEFAULT) < 0 || link.type != H5L_TYPE_HARD) return {};
  const std::string context = fmt::format("dataset '{}'", name);
  const hid_t object = H5Oopen(file, name.c_str(), H5P_DEFAULT);
  if (object < 0) return {};
  const Hdf5Handle dataset(object, H5Oclose, kInput, context);
  if (H5Iget_type(dataset.get()) != H5I_DATASET) return {};
  const Hdf5Handle properties(H5Dget_create_plist(dataset.get()), H5Pclose, kInput, context);
  if (H5Pget_layout(properties.get()) == H5D_VIRTUAL) return {};
  const Hdf5Handle space(H5Dget_space(dataset.get()), H5Sclose, kInput, context);
  std::vector<hsize_t> extent(static_cast<std::size_t>(std::max(H5Sget_simple_extent_ndims(space.get()), 0)));
  H5Sget_simple_extent_dims(space.get(), extent.data(), nullptr);
  return extent;
}

bool has_attribute(hid_t object, const char* name) { return H5Aexists(object, name) > 0; }

}  // namespace

void refuse_foreign(const std::string& path) {
  const std::string head = file_head(path, kHead);
  for (const Magic& magic : kMagics)
    if (head.starts_with(magic.bytes))
      throw core::InputError(fmt::format("'{}' is {}: {}", path, magic.what, magic.advice));
  if (!is_text(head)) return;
  if (is_gfc(head))
    throw core::InputError(
        fmt::format("'{}' is a model of a gravity field (gfc, ICGEM), which is not read: write its coefficients to the "
                    "dataset 'alm' of an HDF5 file with NORM = '4pi', PHASE = 'none' and BASIS = 'real' "
                    "(docs/file_formats.md)",
                    path));
  if (is_shc(head))
    throw core::InputError(
        fmt::format("'{}' is a model of a magnetic field (shc), which is not read: write the coefficients of one epoch "
                    "to the dataset 'alm' of an HDF5 file with NORM = 'schmidt', PHASE = 'none' and BASIS = 'real' "
                    "(docs/file_formats.md)",
                    path));
}

void refuse_fits_images(const FitsFile& file) {
  const int count = file.hdu_count();
  for (int hdu = 1; hdu <= count; ++hdu) {
    file.move_to(hdu);
    if (is_healsparse(file)) throw_healsparse(file);
    int axes = 0, status = 0;
    fits_get_img_dim(file.get(), &axes, &status);
    file.check(status, fmt::format("the axes of HDU {} cannot be read", hdu - 1));
    if (axes < 2) continue;
    std::vector<long> sizes(static_cast<std::size_t>(axes));
    fits_get_img_size(file.get(), axes, sizes.data(), &status);
    file.check(status, fmt::format("the axes of HDU {} cannot be read", hdu - 1));
    throw_image(file, sizes);
  }
}

void refuse_fits_table(const FitsFile& file, const std::vector<FitsColumn>& columns) {
  if (is_healsparse(file)) throw_healsparse(file);
  const std::string ordering = upper(fits_text(file, "ORDERING").value_or(""));
  const bool is_coverage = fits_text(file, "MOCVERS") || fits_text(file, "MOCORDER") || fits_text(file, "MOCORD_S") ||
                           ordering.starts_with("RANGE") || ordering == "NUNIQ";
  if (is_coverage && columns.size() == 1)
    throw core::InputError(
        fmt::format("'{}' contains a multi-order coverage (MOC), which is a region without values: write it as a "
                    "HEALPix map of 0 and 1, for example with mocpy and healpy.write_map(), to use it as a mask",
                    file.name()));
}

void refuse_netcdf(hid_t file, const std::string& first, const std::string& second, const std::string& path) {
  const auto is_latitude = [](const std::string& name) { return upper(name).starts_with("LA"); };
  if (is_latitude(second) && !is_latitude(first)) return refuse_netcdf(file, second, first, path);
  const Hdf5Handle a = open_hdf5_dataset(file, first, path), b = open_hdf5_dataset(file, second, path);
  const Hdf5Shape shape_a = hdf5_shape(a.get(), first, path), shape_b = hdf5_shape(b.get(), second, path);
  bool is_grid = has_attribute(a.get(), "REFERENCE_LIST") && has_attribute(b.get(), "REFERENCE_LIST");
  is_grid = is_grid || (has_attribute(a.get(), "_Netcdf4Dimid") && has_attribute(b.get(), "_Netcdf4Dimid"));
  std::vector<std::string> variables;
  for (const std::string& name : hdf5_names(file, path)) {
    if (name == first || name == second || upper(name) == "VALUES") continue;
    const std::vector<hsize_t> extent = own_extent(file, name);
    if (extent.size() < 2) continue;
    const auto last = static_cast<Index>(extent.back()), before = static_cast<Index>(extent[extent.size() - 2]);
    const bool spans = (before == shape_a.columns && last == shape_b.columns) ||
                       (before == shape_b.columns && last == shape_a.columns);
    if (spans) variables.push_back(name);
  }
  if (!is_grid && variables.empty()) return;
  const std::string of = variables.empty() ? std::string() : fmt::format(" of {}", fmt::join(variables, ", "));
  const bool is_region = is_part(read_hdf5_column(file, first, path), is_latitude(first) ? 180 : 360) ||
                         is_part(read_hdf5_column(file, second, path), 360);
  throw core::InputError(fmt::format("'{}' contains {}{}, {} x {} values over {} and {}, not points: {}", path,
                                     is_region ? "a region of a NetCDF grid" : "a NetCDF grid", core::excerpt(of),
                                     shape_a.columns, shape_b.columns, first, second,
                                     is_region ? "its values can be used on a grid that covers the sphere, or as a "
                                                 "catalogue with one position for each value (docs/file_formats.md)"
                                               : kWriteMap));
}

void refuse_netcdf_variables(hid_t file, const std::string& path) {
  std::vector<std::string> variables;
  for (const std::string& name : hdf5_names(file, path)) {
    if (own_extent(file, name).empty()) continue;
    if (H5Aexists_by_name(file, name.c_str(), "DIMENSION_LIST", H5P_DEFAULT) > 0) variables.push_back(name);
  }
  if (variables.empty()) return;
  throw core::InputError(fmt::format("'{}' is a NetCDF file with the variables {}, which is not read: {}", path,
                                     core::excerpt(join_list(variables)), kWriteMap));
}

}  // namespace armilla::io
