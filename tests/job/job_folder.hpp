#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/io/write.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace armilla::test {

/// A fresh folder with the files that jobs of tests need; removed at the end.
class JobFolder {
 public:
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

 private:
  std::string path_;
};

}  // namespace armilla::test
