#pragma once

#include <armilla/core/types.hpp>

#include <memory>
#include <string>

#include <kernels/core/device_pointer.hpp>
#include <kernels/core/stream.hpp>

namespace armilla::kernels {

using core::Index;

class CufftLibrary;

/// Sign of the exponent.
enum class FftDirection { kForward, kInverse };

/// cuFFT, to be shared by plans: the specified file, or otherwise libcufft.so of the version with which this program
/// was built, from the search path of the loader or from the folder of CUDA's libraries on the build machine. Throws
/// ResourceError if it cannot be loaded.
std::shared_ptr<const CufftLibrary> load_cufft(const std::string& file = {});

/// cuFFT's plan for unnormalised complex in-place transforms of one length, for several lines: always this number,
/// because cuFFT may sum in a different order for another number. The plan allocates no workspace; it is passed to each
/// run, so that plans share it. Move only.
template <class T>
class FftPlan {
 public:
  /// Throws ResourceError if cuFFT has no plan.
  FftPlan(std::shared_ptr<const CufftLibrary> library, Index length, Index lines);
  ~FftPlan();
  FftPlan(FftPlan&&) noexcept;
  FftPlan& operator=(FftPlan&&) noexcept;

  Index work_bytes() const { return work_bytes_; }
  /// values [line][k] = sum over j of values [line][j] exp(-+ 2 pi i j k / length), complex values on the device, in
  /// stream order. `work` has work_bytes(), but at least one byte, which cuFFT requires. Throws InternalError if it is
  /// null.
  void run(DevicePointer<T> values, FftDirection direction, DevicePointer<char> work, StreamHandle stream) const;

 private:
  struct Handle;
  std::unique_ptr<Handle> handle_;
  Index work_bytes_ = 0;
};

}  // namespace armilla::kernels
