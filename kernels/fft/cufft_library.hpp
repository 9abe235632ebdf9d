#pragma once

#include <string>

#include <cufft.h>

namespace armilla::kernels {

/// cuFFT, loaded when it is first asked for: the program must also start where CUDA's libraries are not installed. Its
/// functions by the names and types of cufft.h.
class CufftLibrary {
 public:
  /// As load_cufft (fft_plan.hpp).
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

/// Throws ResourceError where a call of cuFFT failed: what was tried and cuFFT's reason. All calls pass through here.
void check(cufftResult status, const char* what);

}  // namespace armilla::kernels
