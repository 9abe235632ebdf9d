#pragma once

#include <armilla/fft/split_buffer.hpp>

#include <complex>
#include <memory>
#include <vector>

namespace armilla::fft {

/// A complex forward transform of one length, not normalised. FFTW plans it with FFTW_ESTIMATE. Some long lengths for
/// which this gives a slow plan are divided into 4, 16, 64 or 256 interleaved parts, which radix-4 steps combine. The
/// plan depends on the length, the precision, the instruction set and FFTW's version only. It depends neither on plans
/// or wisdom of other users of FFTW in the process, nor does it change theirs (docs/decisions/0021-fft-plans.md).
template <class T>
class ComplexPlan {
 public:
  /// Throws InternalError if FFTW has no plan.
  explicit ComplexPlan(Index length);
  ~ComplexPlan();
  ComplexPlan(const ComplexPlan&) = delete;
  ComplexPlan& operator=(const ComplexPlan&) = delete;

  Index length() const { return length_; }
  /// out_k = sum over j of in_j exp(-2 pi i j k / length). `in` and `out` are different arrays, aligned to 64 bytes;
  /// `in` is preserved. Thread-safe.
  void forward(const std::complex<T>* in, std::complex<T>* out) const;

 private:
  struct Handle;
  struct Step {
    Index quarter;           // length of the transforms that it combines
    SplitBuffer<T> twiddle;  // of radix4_step
  };

  Index length_;
  std::vector<Step> steps_;  // in the order of execution
  std::unique_ptr<Handle> handle_;
};

}  // namespace armilla::fft
