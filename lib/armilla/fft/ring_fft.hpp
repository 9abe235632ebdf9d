#pragma once

#include <armilla/core/aligned_buffer.hpp>
#include <armilla/fft/complex_plan.hpp>
#include <armilla/fft/unit_table.hpp>

#include <complex>
#include <map>
#include <memory>

namespace armilla::fft {

/// The chirp transform of lengths that FFTW plans slowly: four interleaved parts (one where 4 does not divide the
/// length), each a convolution with exp(i pi j^2 / part) by FFTs of a padded length (Bluestein 1970), then one radix-4
/// step. The tables of the last length used and the working arrays; one per thread.
template <class T>
class ChirpWorkspace {
 public:
  /// For lengths up to `longest_part` per part and `longest_padded` after padding; zero where no ring needs it.
  ChirpWorkspace(Index longest_part, Index longest_padded);

  /// The transform that ComplexPlan::forward defines, for 1 or 4 `parts` of `length` / `parts` values.
  void forward(const ComplexPlan<T>& padded, Index length, Index parts, const std::complex<T>* in,
               std::complex<T>* out);

 private:
  void set_part(const ComplexPlan<T>& padded, Index part);
  void convolve(const ComplexPlan<T>& padded, Index part, Index stride, const std::complex<T>* in,
                std::complex<T>* out);
  void combine(Index part, std::complex<T>* out) const;

  Index part_ = 0;  ///< the tables are for this length of a part
  UnitTable units_;
  core::AlignedBuffer<std::complex<T>> chirp_;    ///< exp(-i pi j^2 / part)
  core::AlignedBuffer<std::complex<T>> twiddle_;  ///< exp(-2 pi i k / (4 part))
  core::AlignedBuffer<std::complex<T>> filter_;   ///< transform of the conjugate chirp, divided by the padded length
  core::AlignedBuffer<std::complex<T>> a_;
  core::AlignedBuffer<std::complex<T>> b_;
  core::AlignedBuffer<std::complex<T>> parts_;
};

/// How one ring length is transformed: by FFTW where its prime factors are small, else by chirps. The choice looks at
/// the length only.
template <class T>
struct RingFft {
  /// A length without prime factors above 7, or short: FFTW itself.
  static bool is_direct(Index length);
  /// Number of interleaved parts and the padded length of each, for lengths that are not direct.
  static Index chirp_parts(Index length) { return length % 4 == 0 ? 4 : 1; }
  static Index padded_length(Index part);

  /// As ComplexPlan::forward.
  void forward(const std::complex<T>* in, std::complex<T>* out, ChirpWorkspace<T>& workspace) const {
    if (plan->length() == length)
      plan->forward(in, out);
    else
      workspace.forward(*plan, length, chirp_parts(length), in, out);
  }

  Index length;
  const ComplexPlan<T>* plan;  ///< of the length itself, or of the padded one
};

/// Plans of ring lengths; those that are chirped share a few padded lengths. Not safe to fill from several threads; use
/// is.
template <class T>
class PlanCache {
 public:
  /// Plans where the length is new.
  void prepare(Index length);
  const RingFft<T>& at(Index length) const { return rings_.at(length); }
  /// Working arrays for any length prepared so far.
  ChirpWorkspace<T> workspace() const { return ChirpWorkspace<T>(longest_part_, longest_padded_); }

 private:
  std::map<Index, std::unique_ptr<ComplexPlan<T>>> plans_;
  std::map<Index, RingFft<T>> rings_;
  Index longest_part_ = 0;
  Index longest_padded_ = 0;
};

extern template class ChirpWorkspace<float>;
extern template class ChirpWorkspace<double>;
extern template struct RingFft<float>;
extern template struct RingFft<double>;
extern template class PlanCache<float>;
extern template class PlanCache<double>;

}  // namespace armilla::fft
