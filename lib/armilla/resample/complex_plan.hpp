#pragma once

#include <armilla/core/types.hpp>

#include <complex>
#include <memory>

namespace armilla::resample {

using core::Index;

/// FFTW plan for complex data of one length, not normalised. Planned by FFTW_ESTIMATE, which chooses by arithmetic
/// alone: the same sums in the same order in every run. Data must be aligned to 64 bytes.
class ComplexPlan {
 public:
  /// Throws InternalError where FFTW has no plan.
  explicit ComplexPlan(Index length);
  ~ComplexPlan();
  ComplexPlan(const ComplexPlan&) = delete;
  ComplexPlan& operator=(const ComplexPlan&) = delete;

  Index length() const { return length_; }
  /// out_k = sum over j of in_j exp(-2 pi i j k / length); its own transpose. `in` and `out` must differ.
  void run(std::complex<double>* in, std::complex<double>* out) const;

 private:
  struct Handle;
  Index length_;
  std::unique_ptr<Handle> handle_;
};

/// The least length >= `least` of the form 4 * 2^a 3^b 5^c 7^d: FFTW is fast there, and pairs of its rings pair up
/// again.
Index fast_length(Index least);

}  // namespace armilla::resample
