#pragma once

#include <armilla/core/aligned_buffer.hpp>
#include <armilla/core/memory_estimate.hpp>
#include <armilla/fft/complex_plan.hpp>
#include <armilla/resample/pole_parity.hpp>

#include <complex>
#include <span>

namespace armilla::resample {

using core::Index;

/// Applies the integrals T_jk of trig_j trig_k sin(theta) over theta from 0 to pi to columns of coefficients; trig_k =
/// cos(k theta) for even parity, sin(k theta) for odd, j, k = 0 .. lmax. Coefficients are evaluated on equidistant
/// rings where Fejer's weights are exact for degree 2 lmax, multiplied by the weights, and transformed by the
/// transpose. Both directions use one complex FFT. Immutable and thread-safe; each thread needs its own Workspace.
class SineProduct {
 public:
  /// Buffers of one thread.
  class Workspace {
   public:
    explicit Workspace(const SineProduct& product) : first_(product.plan_.length()), second_(product.plan_.length()) {}

   private:
    friend class SineProduct;
    core::AlignedBuffer<std::complex<double>> first_;
    core::AlignedBuffer<std::complex<double>> second_;
  };

  explicit SineProduct(Index lmax);

  /// exp(-i pi k / (2 n)), k = 0 .. lmax, where n is the number of rings; apply() takes them multiplied by factors.
  std::span<const std::complex<double>> twiddle() const { return twiddle_.span(); }

  /// Weights of the rings, in the order and number of the FFT sequence.
  std::span<const double> weights() const { return weights_.span(); }

  /// out_j = factor_j 4 gain sum over k of T_jk in_k. `scaled_twiddle`: twiddle() times the factors. `in` and `out` [0
  /// .. lmax] may be the same array.
  void apply(PoleParity parity, double gain, const std::complex<double>* in, const std::complex<double>* scaled_twiddle,
             std::complex<double>* out, Workspace& workspace) const;

  /// Length of the FFTs for this lmax.
  static Index plan_length(Index lmax);
  /// Memory with this number of workspaces.
  static core::MemoryEstimate memory(Index lmax, Index workspaces);

 private:
  Index lmax_;
  fft::ComplexPlan<double> plan_;
  core::AlignedBuffer<std::complex<double>> twiddle_;
  core::AlignedBuffer<double> weights_;  ///< [index in the FFT sequence of rings]
};

}  // namespace armilla::resample
