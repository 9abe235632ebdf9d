#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/io/hdf5_attributes.hpp>
#include <armilla/io/points.hpp>
#include <armilla/io/write.hpp>

#include <concepts>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <hdf5.h>

namespace armilla::test {

/// A fresh folder with the files that jobs of tests need; removed at the end.
class JobFolder {
 public:
  /// Names and numbers of datasets.
  using Columns = std::vector<std::pair<std::string, std::vector<double>>>;

  JobFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "armilla-job-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~JobFolder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  JobFolder(const JobFolder&) = delete;
  JobFolder& operator=(const JobFolder&) = delete;

  std::string path(const std::string& file) const { return path_ + "/" + file; }

  std::string text(const std::string& file, const std::string& content) const {
    std::ofstream(path(file)) << content;
    return path(file);
  }

  /// Spectra TT, EE, BB, TE as D_l to l = 40.
  void spectra(const std::string& file) const {
    std::ofstream out(path(file));
    out << "# L TT EE BB TE\n";
    for (int l = 2; l <= 40; ++l)
      out << l << " " << 1000.0 / l << " " << 40.0 / l << " " << 1.0 / l << " " << 50.0 / l << "\n";
  }

  /// A map of smooth numbers; `fields` may be empty.
  void map(const std::string& file, const grid::RingGrid& grid, const std::vector<std::string>& fields,
           std::size_t components) const {
    const dist::PixelDistribution pixels(std::make_shared<const grid::RingGrid>(grid), 1);
    std::vector<double> values(static_cast<std::size_t>(grid.npix()) * components);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = 1.0 + static_cast<double>(i % 97);
    write_map(file, pixels, fields, values);
  }

  void write_map(const std::string& file, const dist::PixelDistribution& pixels, const std::vector<std::string>& fields,
                 const std::vector<double>& values) const {
    io::write_map<double>(comm::Communicator::self(), path(file),
                          {fields, std::vector<std::string>(fields.size(), "mK"), "G", ""}, pixels, values, {});
  }

  void alm(const std::string& file, core::Index lmax, core::Index mmax, const std::vector<std::string>& fields) const {
    const dist::AlmDistribution whole(alm::AlmLayout(lmax, mmax), 1);
    const std::vector<std::complex<double>> values(static_cast<std::size_t>(whole.local_size(0)) * fields.size(), 0.5);
    io::write_alm<double>(comm::Communicator::self(), path(file), {fields, {}, "", ""}, whole, values, {});
  }

  /// Values (none: points alone) at `theta`, `phi`.
  void points(const std::string& file, const std::vector<double>& theta, const std::vector<double>& phi,
              const std::vector<double>& values = {}, const std::vector<std::string>& fields = {}) const {
    io::write_points<double>(comm::Communicator::self(), path(file), {fields, {}, "", ""}, theta, phi, values, {});
  }

  /// A file with one-dimensional datasets of numbers in a group, such as the rings of a grid in `grid`, or points in
  /// "/".
  void columns(const std::string& file, const std::string& group, const Columns& columns) const {
    const hid_t id = H5Fcreate(path(file).c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    if (group != "/") H5Gclose(H5Gcreate2(id, group.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Fclose(id);
    with_object(file, group, [&](hid_t opened) {
      for (const auto& [name, values] : columns) add_column(opened, name, values);
    });
  }

  /// Replaces such a dataset.
  void replace_column(const std::string& file, const std::string& group, const std::string& name,
                      const std::vector<double>& values) const {
    with_object(file, group, [&](hid_t opened) {
      H5Ldelete(opened, name.c_str(), H5P_DEFAULT);
      add_column(opened, name, values);
    });
  }

  void drop_attribute(const std::string& file, const std::string& object, const std::string& name) const {
    with_object(file, object, [&](hid_t id) {
      if (H5Aexists(id, name.c_str()) > 0) H5Adelete(id, name.c_str());
    });
  }

  /// Sets an attribute of a dataset or group: a text, an integer, or a list of integers.
  template <class Value>
  void attribute(const std::string& file, const std::string& object, const std::string& name,
                 const Value& value) const {
    drop_attribute(file, object, name);
    with_object(file, object, [&](hid_t id) {
      if constexpr (std::integral<Value>)
        io::write_hdf5_index(id, name, value);
      else if constexpr (std::convertible_to<Value, std::string>)
        io::write_hdf5_text(id, name, value);
      else
        io::write_hdf5_indices(id, name, value);
    });
  }

 private:
  template <class Work>
  void with_object(const std::string& file, const std::string& object, Work&& work) const {
    const hid_t id = H5Fopen(path(file).c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t opened = H5Oopen(id, object.c_str(), H5P_DEFAULT);
    work(opened);
    H5Oclose(opened);
    H5Fclose(id);
  }

  static void add_column(hid_t group, const std::string& name, const std::vector<double>& values) {
    const hsize_t size = values.size();
    const hid_t space = H5Screate_simple(1, &size, nullptr);
    const hid_t column = H5Dcreate2(group, name.c_str(), H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(column, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    H5Dclose(column);
    H5Sclose(space);
  }

  std::string path_;
};

}  // namespace armilla::test
