#include <armilla/core/error.hpp>

#include <string>

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <kernels/fft/cufft_library.hpp>

namespace armilla::kernels {

namespace {

// RTLD_NODELETE: objects that cuFFT registers with the CUDA runtime must outlive all plans.
void* open(const std::string& file) { return dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE); }

std::string reason() {
  const char* text = dlerror();
  return text == nullptr ? "no reason given" : text;
}

[[noreturn]] void refuse(const std::string& file, const std::string& why) {
  throw core::ResourceError(
      fmt::format("cuFFT cannot be loaded from {} ({}): load the CUDA module of this machine, add the folder of the "
                  "CUDA {} libraries to LD_LIBRARY_PATH, or use execution.backend: cpu",
                  file, why, CUDART_VERSION / 1000));
}

template <class Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr) refuse(fmt::format("the library found, which lacks {}", name), reason());
}

// Uses the search path of the loader, then the folder of the CUDA libraries with which this program was built. Every
// cuFFT of a major version has the functions used here.
void* open_usual() {
  const std::string file = fmt::format("libcufft.so.{}", CUFFT_VER_MAJOR);
  void* library = open(file);
  if (library != nullptr) return library;
  const std::string why = reason();
  library = open(fmt::format("{}/{}", ARMILLA_CUDA_LIBRARY_FOLDER, file));
  if (library == nullptr) refuse(file, why);
  return library;
}

void* open_named(const std::string& file) {
  void* library = open(file);
  if (library == nullptr) refuse(file, reason());
  return library;
}

}  // namespace

CufftLibrary::CufftLibrary(const std::string& file) : library_(file.empty() ? open_usual() : open_named(file)) {
  find(library_, "cufftCreate", create);
  find(library_, "cufftDestroy", destroy);
  find(library_, "cufftSetAutoAllocation", set_auto_allocation);
  find(library_, "cufftMakePlanMany64", make_plan_many);
  find(library_, "cufftSetWorkArea", set_work_area);
  find(library_, "cufftSetStream", set_stream);
  find(library_, "cufftExecC2C", run_single);
  find(library_, "cufftExecZ2Z", run_double);
}

CufftLibrary::~CufftLibrary() { dlclose(library_); }

void check(cufftResult status, const char* what) {
  if (status == CUFFT_SUCCESS) return;
  const char* reason = "see cufftResult in the cuFFT documentation";
  if (status == CUFFT_ALLOC_FAILED) reason = "out of memory on the GPU";
  if (status == CUFFT_INVALID_DEVICE || status == CUFFT_SETUP_FAILED) reason = "no usable GPU";
  if (status == CUFFT_EXEC_FAILED) reason = "the transform failed on the GPU";
  if (status == CUFFT_INVALID_SIZE) reason = "unsupported transform length";
  throw core::ResourceError(
      fmt::format("cuFFT: {} failed with code {} ({}): check the GPU with nvidia-smi, or use execution.backend: cpu",
                  what, static_cast<int>(status), reason));
}

}  // namespace armilla::kernels
