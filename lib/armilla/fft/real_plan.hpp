#pragma once

#include <armilla/core/types.hpp>

#include <complex>
#include <map>
#include <memory>

namespace armilla::fft {

using core::Index;

/// FFTW plans of one length for real data, both directions, not normalised. Planned by FFTW_ESTIMATE, which chooses by
/// arithmetic alone: the same sums in the same order in every run. Data must be aligned to 64 bytes.
template <class T>
class RealPlan {
 public:
  /// Throws InternalError where FFTW has no plan.
  explicit RealPlan(Index length);
  ~RealPlan();
  RealPlan(const RealPlan&) = delete;
  RealPlan& operator=(const RealPlan&) = delete;

  /// out_j = sum over k of the Hermitian spectrum of in_k exp(2 pi i j k / length), length / 2 + 1 values in; destroys
  /// `in`.
  void to_real(std::complex<T>* in, T* out) const;
  /// out_k = sum over j of in_j exp(-2 pi i j k / length), k = 0 .. length / 2.
  void to_spectrum(T* in, std::complex<T>* out) const;

 private:
  struct Handles;
  std::unique_ptr<Handles> handles_;
};

/// One RealPlan per length. Not safe to fill from several threads; use is.
template <class T>
class PlanCache {
 public:
  /// Plans where the length is new.
  void prepare(Index length);
  const RealPlan<T>& at(Index length) const { return *plans_.at(length); }

 private:
  std::map<Index, std::unique_ptr<RealPlan<T>>> plans_;
};

extern template class RealPlan<float>;
extern template class RealPlan<double>;
extern template class PlanCache<float>;
extern template class PlanCache<double>;

}  // namespace armilla::fft
