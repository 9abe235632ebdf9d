#pragma once

#include <armilla/core/types.hpp>

#include <complex>
#include <memory>

namespace armilla::fft {

using core::Index;

/// FFTW's plan for one complex transform, forward, not normalised. Lengths for which is_measured (wisdom.hpp) holds
/// are planned by FFTW_MEASURE: as the wisdom in the process says, which Wisdom::measure and Wisdom::add put
/// there; a plan without finds out by itself, for the rest of the process, and may then differ from that of other
/// processes in its last bits. Other lengths are planned by FFTW_ESTIMATE, which chooses by arithmetic alone
/// (docs/decisions/0006-ring-ffts.md).
template <class T>
class ComplexPlan {
 public:
  /// Throws InternalError where FFTW has no plan.
  explicit ComplexPlan(Index length);
  ~ComplexPlan();
  ComplexPlan(const ComplexPlan&) = delete;
  ComplexPlan& operator=(const ComplexPlan&) = delete;

  Index length() const { return length_; }
  /// out_k = sum over j of in_j exp(-2 pi i j k / length). `in` and `out` are different arrays, aligned to 64 bytes;
  /// `in` is kept. Safe to call from several threads.
  void forward(const std::complex<T>* in, std::complex<T>* out) const;

 private:
  struct Handle;
  Index length_;
  std::unique_ptr<Handle> handle_;
};

}  // namespace armilla::fft
