#include "version.hpp"

#include <armilla/backend/devices.hpp>
#include <armilla/core/build_info.hpp>
#include <armilla/legendre/scalar_kernel.hpp>

#include <array>

#include <fftw3.h>
#include <fitsio.h>
#include <fmt/format.h>
#include <hdf5.h>
#include <mpi.h>

namespace armilla::app {

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

std::string gpus() {
  if (std::string(core::kCudaBuild) != "ON") return "built without CUDA";
  std::string text;
  for (const backend::Device& device : backend::visible_devices())
    text += fmt::format("{}{} ({}.{}, {} GiB)", text.empty() ? "" : ", ", device.name, device.compute_major,
                        device.compute_minor, device.memory_bytes >> 30);
  return text.empty() ? "built with CUDA, no GPU visible" : "built with CUDA, visible: " + text;
}

}  // namespace

std::string version_text() {
  float cfitsio = 0;
  fits_get_version(&cfitsio);
  return fmt::format("armilla {}\ncompiler: {}, {}, {}\nGPUs: {}\nlibraries: {}; HDF5 {}; CFITSIO {:.2f}; {}; Eigen {}",
                     core::kVersion, core::kCompiler, core::kBuildType, legendre::kernel_instruction_set(), gpus(),
                     mpi_version(), hdf5_version(), cfitsio, fftw_version, core::kEigenVersion);
}

}  // namespace armilla::app
