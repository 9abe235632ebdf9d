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

/// cuFFT, to be shared by plans: the file named, or else libcufft.so of the version that this program was built with,
/// where the loader finds it or in the folder of CUDA's libraries on the machine of the build. Throws ResourceError
/// where it cannot be loaded.
std::shared_ptr<const CufftLibrary> load_cufft(const std::string& file = {});

/// cuFFT's plan for complex transforms of one length, not normalised, of several lines in their place: always this
/// many, because with another number cuFFT may add up in another order. The plan allocates no working space; it is
/// handed to each run, so that plans share it. Move only.
template <class T>
class FftPlan {
 public:
  /// Throws ResourceError where cuFFT has no plan.
  FftPlan(std::shared_ptr<const CufftLibrary> library, Index length, Index lines);
  ~FftPlan();
  FftPlan(FftPlan&&) noexcept;
  FftPlan& operator=(FftPlan&&) noexcept;

  Index work_bytes() const { return work_bytes_; }
  /// values [line][k] = sum over j of values [line][j] exp(-+ 2 pi i j k / length), complex numbers on the device, in
  /// the order of the stream. `work` has work_bytes(), or at least one byte: cuFFT refuses to work without. Throws
  /// InternalError where it is null.
  void run(DevicePointer<T> values, FftDirection direction, DevicePointer<char> work, StreamHandle stream) const;

 private:
  struct Handle;
  std::unique_ptr<Handle> handle_;
  Index work_bytes_ = 0;
};

}  // namespace armilla::kernels
