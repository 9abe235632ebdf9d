#include <armilla/core/build_info.hpp>
#include <armilla/job/report/versions.hpp>

#include <array>

#include <fftw3.h>
#include <fitsio.h>
#include <fmt/format.h>
#include <hdf5.h>
#include <mpi.h>

namespace armilla::job {

namespace {

std::string mpi_version() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  const std::string whole(text.data(), static_cast<std::size_t>(length));
  return whole.substr(0, whole.find_first_of(",\n"));
}

std::string hdf5_version() {
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  return fmt::format("{}.{}.{}", major, minor, release);
}

std::string cfitsio_version() { return fmt::format("{}.{}.{}", CFITSIO_MAJOR, CFITSIO_MINOR, CFITSIO_MICRO); }

/// Extracts "3.3.10" from "fftw-3.3.10-sse2-avx".
std::string plain_fftw_version() {
  const std::string whole = fftw_version;
  const auto first = whole.find_first_of("0123456789");
  return whole.substr(first, whole.find('-', first) - first);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> library_versions() {
  return {{"MPI", mpi_version()},
          {"HDF5", hdf5_version()},
          {"CFITSIO", cfitsio_version()},
          {"FFTW", plain_fftw_version()},
          {"Eigen", core::kEigenVersion}};
}

}  // namespace armilla::job
