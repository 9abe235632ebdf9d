#include <armilla/alm/alm_layout.hpp>
#include <armilla/core/error.hpp>
#include <armilla/io/points.hpp>
#include <armilla/io/read.hpp>
#include <armilla/io/spectra_summary.hpp>
#include <armilla/job/run_job.hpp>

#include <complex>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <system_error>

#include "targets.hpp"
#include <hdf5.h>
#include <unistd.h>

namespace armilla::fuzz {

namespace {

using core::Index;

/// A folder of this process with the inputs that the jobs of the corpus name.
const std::filesystem::path& scratch_folder() {
  static const std::filesystem::path folder = [] {
    const auto made =
        std::filesystem::temp_directory_path() / ("armilla-fuzz-" + std::to_string(static_cast<long>(::getpid())));
    std::filesystem::remove_all(made);
    std::filesystem::copy(ARMILLA_FUZZ_INPUTS, made, std::filesystem::copy_options::recursive);
    std::atexit([] {
      std::error_code ignored;
      std::filesystem::remove_all(scratch_folder(), ignored);
    });
    return made;
  }();
  return folder;
}

/// Bytes as a file of that name in the folder.
class ScratchFile {
 public:
  ScratchFile(std::span<const std::uint8_t> bytes, const std::string& name) : path_(scratch_folder() / name) {
    std::ofstream file(path_, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()), std::ssize(bytes));
    file.close();
    if (!file) throw std::runtime_error(path_.string() + " cannot be written");
  }
  ~ScratchFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

/// Whether `read` went through; false where it threw an InputError.
template <class Function>
bool readable(const Function& read) {
  try {
    read();
    return true;
  } catch (const core::InputError&) {
    return false;
  }
}

template <class T>
void read_numbers(const io::MapInfo& info, io::BadDataPolicy policy) {
  const Index npix = info.grid->npix();
  // As two ranks would: the first and the last pixels, and those between.
  const std::vector<dist::PixelRange> ends{{0, npix / 4}, {npix - npix / 4, npix / 4}};
  const std::vector<dist::PixelRange> middle{{npix / 4, npix - 2 * (npix / 4)}};
  for (const auto& ranges : {ends, middle}) {
    std::size_t count = 0;
    for (const auto& range : ranges) count += static_cast<std::size_t>(range.count);
    std::vector<T> values(count);
    for (Index c = 0; c < info.components; ++c) io::read_map<T>(info, c, ranges, values, policy);
  }
}

bool read_map(const std::string& path) {
  bool read = readable([&] { io::open_map(path); });
  read |= readable([&] {
    io::MapInfo info = io::open_map(path, io::BatchPolicy::kTake);
    // A part of a large sky has a large grid; what is read of it is as large as the sky.
    if (info.grid->npix() > Index{1} << 20 || info.components > 100) return;
    read_numbers<double>(info, io::BadDataPolicy::kKeep);
    readable([&] { read_numbers<float>(info, io::BadDataPolicy::kError); });
    readable([&] { read_numbers<double>(info, io::BadDataPolicy::kMark); });
    if (info.batch.maps > 1) {
      info.batch.map = info.batch.maps - 1;
      read_numbers<double>(info, io::BadDataPolicy::kZero);
    }
  });
  return read;
}

bool read_alm(const std::string& path) {
  return readable([&] {
    const io::AlmInfo info = io::open_alm(path, io::BatchPolicy::kTake);
    const auto read = [&](Index lmax, Index mmax, int ranks) {
      const dist::AlmDistribution target({lmax, mmax}, ranks);
      for (int rank = 0; rank < ranks; ++rank) {
        std::vector<std::complex<double>> values(static_cast<std::size_t>(target.local_size(rank)));
        for (Index c = 0; c < info.components && c < 100; ++c) io::read_alm<double>(info, c, target, rank, values);
      }
    };
    if (alm::AlmLayout(info.lmax, info.mmax).size() > Index{1} << 20) return;
    read(info.lmax, info.mmax, 2);
    readable([&] { read(info.lmax / 2, info.mmax / 2, 1); });
  });
}

bool read_spectra(const std::string& path) {
  const bool read = readable([&] { io::read_spectra(path, false); });
  return readable([&] { io::read_spectra(path, true); }) || read;
}

bool read_points_with(const std::string& path, const io::PointColumns& columns) {
  return readable([&] {
    const io::PointsInfo info = io::open_points(path, columns);
    if (info.points > Index{1} << 20 || info.components > 100) return;
    // All but the first point.
    std::vector<double> theta(static_cast<std::size_t>(info.points - 1)), phi(theta.size());
    std::vector<float> values(theta.size());
    readable([&] { io::read_places(info, 1, theta, phi); });
    for (Index c = 0; c < info.components; ++c) {
      io::read_values<double>(info, c, 1, phi, io::BadDataPolicy::kKeep);
      readable([&] { io::read_values<float>(info, c, 1, values); });
    }
  });
}

bool read_points(const std::string& path) {
  const bool read = read_points_with(path, {});
  return read_points_with(path,
                          {.coordinates = io::PointCoordinates::kLonLat, .places = {"a", "b"}, .values = {"c"}}) ||
         read;
}

/// All readers, whatever the file says it is: users may name any file in any place.
bool read_as_everything(const std::string& path) {
  bool read = readable([&] { io::file_kind(path); });
  read |= read_map(path);
  read |= read_alm(path);
  read |= read_spectra(path);
  read |= read_points(path);
  return read;
}

}  // namespace

bool read_fits(std::span<const std::uint8_t> file) {
  const ScratchFile scratch(file, "input");
  return read_as_everything(scratch.path());
}

bool read_hdf5(std::span<const std::uint8_t> file) {
  const ScratchFile scratch(file, "input");
  bool read = read_as_everything(scratch.path());
  read |= readable([&] { io::read_rings(scratch.path()); });
  read |= readable([&] { io::read_spectra_summary(scratch.path(), 3); });
  if (H5Fget_obj_count(static_cast<hid_t>(H5F_OBJ_ALL), H5F_OBJ_ALL) != 0)
    throw std::logic_error("a reader leaves objects of HDF5 open");
  return read;
}

bool read_text(std::span<const std::uint8_t> file) {
  const ScratchFile scratch(file, "input");
  return read_as_everything(scratch.path());
}

bool plan_job(std::span<const std::uint8_t> file) {
  const ScratchFile scratch(file, "job.yaml");
  job::RunOptions options;
  options.mode = job::RunMode::kDryRun;
  options.verbosity = job::Verbosity::kQuiet;
  try {
    return readable([&] { job::run_job(comm::Communicator::self(), scratch.path(), options); });
  } catch (const core::ResourceError&) {  // more memory or disk than this machine has
    return true;
  }
}

}  // namespace armilla::fuzz
