#pragma once

#include <string>

#include <cufft.h>

namespace armilla::kernels {

/// cuFFT, loaded on first use, because the program must also start where CUDA's libraries are not installed. Functions
/// have the types of cufft.h.
class CufftLibrary {
 public:
  /// Like load_cufft (fft_plan.hpp).
  explicit CufftLibrary(const std::string& file);
  ~CufftLibrary();
  CufftLibrary(const CufftLibrary&) = delete;
  CufftLibrary& operator=(const CufftLibrary&) = delete;

  decltype(&cufftCreate) create;
  decltype(&cufftDestroy) destroy;
  decltype(&cufftSetAutoAllocation) set_auto_allocation;
  decltype(&cufftMakePlanMany64) make_plan_many;
  decltype(&cufftSetWorkArea) set_work_area;
  decltype(&cufftSetStream) set_stream;
  decltype(&cufftExecC2C) run_single;
  decltype(&cufftExecZ2Z) run_double;

 private:
  void* library_;
};

/// Throws ResourceError if a call of cuFFT failed, with the operation and cuFFT's reason. All calls are checked here.
void check(cufftResult status, const char* what);

}  // namespace armilla::kernels
