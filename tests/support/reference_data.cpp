#include "support/reference_data.hpp"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include <hdf5.h>

namespace armilla::test {

namespace {

template <class T>
std::vector<T> read_all(const std::string& file, const std::string& path, hid_t type) {
  const hid_t f = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t d = f < 0 ? -1 : H5Dopen2(f, path.c_str(), H5P_DEFAULT);
  if (d < 0) throw std::runtime_error("cannot read " + path + " of " + file);
  const hid_t space = H5Dget_space(d);
  std::vector<T> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  H5Dread(d, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  H5Sclose(space);
  H5Dclose(d);
  H5Fclose(f);
  return values;
}

}  // namespace

std::string source_file(const std::string& path) {
  const char* named = std::getenv("ARMILLA_SOURCE_DIR");
  const std::string file = std::string(named == nullptr ? ARMILLA_SOURCE_DIR : named) + "/" + path;
  if (!std::filesystem::exists(file))
    throw std::runtime_error("no test data: " + file + " is missing; set ARMILLA_SOURCE_DIR to a checkout of Armilla");
  return file;
}

std::string reference_file(const std::string& name) { return source_file("tests/data/reference/" + name); }

std::vector<double> read_doubles(const std::string& file, const std::string& path) {
  return read_all<double>(file, path, H5T_NATIVE_DOUBLE);
}

std::vector<core::Index> read_integers(const std::string& file, const std::string& path) {
  return read_all<core::Index>(file, path, H5T_NATIVE_INT64);
}

namespace {

template <class Value>
Value read_attribute_as(const std::string& file, const std::string& group, const std::string& name, hid_t type) {
  const hid_t f = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t a = f < 0 ? -1 : H5Aopen_by_name(f, group.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
  if (a < 0) throw std::runtime_error("cannot read attribute " + name + " of " + group + " of " + file);
  Value value = 0;
  H5Aread(a, type, &value);
  H5Aclose(a);
  H5Fclose(f);
  return value;
}

}  // namespace

core::Index read_attribute(const std::string& file, const std::string& group, const std::string& name) {
  return read_attribute_as<core::Index>(file, group, name, H5T_NATIVE_INT64);
}

double read_real_attribute(const std::string& file, const std::string& group, const std::string& name) {
  return read_attribute_as<double>(file, group, name, H5T_NATIVE_DOUBLE);
}

std::vector<std::string> members(const std::string& file, const std::string& group) {
  std::vector<std::string> names;
  const hid_t f = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const auto collect = [](hid_t, const char* name, const H5L_info_t*, void* out) -> herr_t {
    static_cast<std::vector<std::string>*>(out)->emplace_back(name);
    return 0;
  };
  H5Literate_by_name(f, group.c_str(), H5_INDEX_NAME, H5_ITER_INC, nullptr, collect, &names, H5P_DEFAULT);
  H5Fclose(f);
  return names;
}

bool exists(const std::string& file, const std::string& path) {
  const hid_t f = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const bool found = H5Lexists(f, path.c_str(), H5P_DEFAULT) > 0;
  H5Fclose(f);
  return found;
}

std::complex<double> closed_form(core::Index l, core::Index m, core::Index component, core::Index spin) {
  if (l < spin) return 0;
  const auto [dl, dm, dc] = std::tuple(static_cast<double>(l), static_cast<double>(m), static_cast<double>(component));
  const double re = std::cos(0.7 * dl + 1.3 * dm + 0.5 * dc) / (dl + 1);
  const double im = m == 0 ? 0.0 : std::sin(1.1 * dl - 0.4 * dm + 0.9 * dc) / (dl + 1);
  return {re, im};
}

}  // namespace armilla::test
