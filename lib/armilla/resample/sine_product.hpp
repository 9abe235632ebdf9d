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
/// cos(k theta) for even parity, sin(k theta) for odd. The degrees of input and output may differ. Coefficients are
/// evaluated on equidistant rings where Fejer's weights are exact for the sum of both degrees, multiplied by the
/// weights, and transformed by the transpose. Both directions use one complex FFT. Immutable and thread-safe; each
/// thread needs its own Workspace.
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

  /// For input of degree `low` and output of degree `high` >= low, and the reverse.
  SineProduct(Index low, Index high);

  /// exp(-i pi k / (2 n)), k = 0 .. high, where n is the number of rings; apply() takes them multiplied by factors.
  std::span<const std::complex<double>> twiddle() const { return twiddle_.span(); }

  /// Weights of the rings, in the order and number of the FFT sequence.
  std::span<const double> weights() const { return weights_.span(); }

  /// out_j = factor_j 4 gain sum over k of T_jk in_k. `scaled_twiddle`: twiddle() times the factors, for each degree of
  /// the output. The result is exact if the degrees of input and output add up to at most low + high. `in` and `out`
  /// may begin at the same address.
  void apply(PoleParity parity, double gain, std::span<const std::complex<double>> in,
             std::span<const std::complex<double>> scaled_twiddle, std::complex<double>* out,
             Workspace& workspace) const;

  /// Length of the FFTs for these degrees.
  static Index plan_length(Index low, Index high);
  /// Memory with this number of workspaces.
  static core::MemoryEstimate memory(Index low, Index high, Index workspaces);

 private:
  fft::ComplexPlan<double> plan_;
  core::AlignedBuffer<std::complex<double>> twiddle_;
  core::AlignedBuffer<double> weights_;  ///< [index in the FFT sequence of rings]
};

}  // namespace armilla::resample
