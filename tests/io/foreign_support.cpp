#include "foreign_support.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <stdexcept>

namespace armilla::test {

namespace {

void check(int status) {
  if (status != 0) throw std::runtime_error("cfitsio status " + std::to_string(status));
}

void write_keyword(fitsfile* file, const std::string& key, const std::string& value) {
  int status = 0;
  const char first = value.empty() ? ' ' : value.front();
  if (std::isdigit(static_cast<unsigned char>(first)) != 0 || first == '-')
    fits_write_record(file, (key + std::string(8 - key.size(), ' ') + "= " + value).c_str(), &status);
  else
    fits_write_key_str(file, key.c_str(), value.c_str(), nullptr, &status);
  check(status);
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  return result;
}

}  // namespace

void append_fits_table(const std::string& path, const std::vector<ForeignColumn>& columns, Index rows,
                       const Keywords& keywords) {
  fitsfile* file = nullptr;
  int status = 0;
  if (std::filesystem::exists(path)) {
    fits_open_diskfile(&file, path.c_str(), READWRITE, &status);
  } else {
    fits_create_diskfile(&file, path.c_str(), &status);
    fits_create_img(file, BYTE_IMG, 0, nullptr, &status);
  }
  std::vector<std::string> names, forms;
  for (const ForeignColumn& column : columns) {
    names.push_back(column.name);
    forms.push_back(column.form);
  }
  fits_create_tbl(file, BINARY_TBL, rows, static_cast<int>(columns.size()), pointers(names).data(),
                  pointers(forms).data(), nullptr, nullptr, &status);
  check(status);
  for (const auto& [key, value] : keywords) write_keyword(file, key, value);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    std::vector<double> values = columns[c].values;
    fits_write_col(file, TDOUBLE, static_cast<int>(c) + 1, 1, 1, static_cast<LONGLONG>(values.size()), values.data(),
                   &status);
  }
  fits_close_file(file, &status);
  check(status);
}

void make_hdf5(const std::string& path, const std::function<void(hid_t)>& fill) {
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  if (file < 0) throw std::runtime_error("cannot create " + path);
  fill(file);
  H5Fclose(file);
}

hid_t add_hdf5_dataset(hid_t file, const std::string& name, const std::vector<hsize_t>& extent,
                       const std::vector<hsize_t>& chunk, const std::vector<double>& values) {
  const hid_t space = H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr);
  const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
  if (!chunk.empty()) {
    H5Pset_chunk(properties, static_cast<int>(chunk.size()), chunk.data());
    H5Pset_deflate(properties, 4);
  }
  const hid_t dataset = H5Dcreate2(file, name.c_str(), H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, properties, H5P_DEFAULT);
  if (dataset < 0 || H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
    throw std::runtime_error("cannot write dataset " + name);
  H5Pclose(properties);
  H5Sclose(space);
  return dataset;
}

void add_hdf5_text(hid_t object, const std::string& name, const std::vector<std::string>& fixed_length) {
  std::size_t length = 1;
  for (const std::string& text : fixed_length) length = std::max(length, text.size());
  std::string bytes;
  for (const std::string& text : fixed_length) bytes += text + std::string(length - text.size(), '\0');
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, length);
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  const hsize_t count = fixed_length.size();
  const hid_t space = count == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &count, nullptr);
  const hid_t attribute = H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(attribute, type, bytes.data());
  H5Aclose(attribute);
  H5Sclose(space);
  H5Tclose(type);
}

void add_hdf5_index(hid_t object, const std::string& name, Index value) {
  const hid_t space = H5Screate(H5S_SCALAR);
  const hid_t attribute = H5Acreate2(object, name.c_str(), H5T_NATIVE_INT64, space, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(attribute, H5T_NATIVE_INT64, &value);
  H5Aclose(attribute);
  H5Sclose(space);
}

}  // namespace armilla::test
