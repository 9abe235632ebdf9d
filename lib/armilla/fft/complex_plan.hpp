#pragma once

#include <armilla/core/types.hpp>

#include <complex>
#include <memory>

namespace armilla::fft {

using core::Index;

/// FFTW's plan for one complex forward transform, not normalised. Lengths for which is_measured (wisdom.hpp) holds are
/// planned by FFTW_MEASURE, from the wisdom of the process, which Wisdom::measure and Wisdom::add extend. A plan
/// without wisdom is measured here and used for the rest of the process. Its results may differ from those of other
/// processes by rounding. Other lengths are planned by FFTW_ESTIMATE, which is deterministic
/// (docs/decisions/0006-ring-ffts.md).
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
  Index length_;
  std::unique_ptr<Handle> handle_;
};

}  // namespace armilla::fft
