#pragma once

#include <armilla/core/types.hpp>

#include <complex>
#include <memory>

namespace armilla::fft {

using core::Index;

/// FFTW's plan for one complex transform, forward, not normalised. Planned by FFTW_ESTIMATE, which chooses by
/// arithmetic alone: the same sums in the same order in every process, whatever was planned before
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

extern template class ComplexPlan<float>;
extern template class ComplexPlan<double>;

}  // namespace armilla::fft
