#include <armilla/fft/fast_length.hpp>
#include <armilla/resample/half_step_phase.hpp>
#include <armilla/resample/meridian.hpp>
#include <armilla/resample/sine_product.hpp>

namespace armilla::resample {

using Complex = std::complex<double>;

SineProduct::SineProduct(Index low, Index high)
    : plan_(plan_length(low, high)), twiddle_(high + 1), weights_(plan_.length()) {
  const Index length = plan_.length();
  for (Index k = 0; k <= high; ++k) twiddle_.data()[k] = half_step_phase(k, length);
  // The integral of cos(k theta) sin(theta) is 2 / (1 - k^2) for even k, and zero for odd k. A cosine series with these
  // coefficients gives the weights at the rings, in the order of the sequence.
  core::AlignedBuffer<Complex> all(length), coefficients(length), spectrum(length), weights(length);
  for (Index k = 0; k < length; ++k) {
    all.data()[k] = half_step_phase(k, length);
    const auto degree = static_cast<double>(k);
    const double integral = k % 2 == 0 ? 2 / (1 - degree * degree) : 0;
    coefficients.data()[k] = (k == 0 ? 0.5 : 1.0) * integral / static_cast<double>(length);
  }
  unfold_spectrum(coefficients.data(), length, all.data(), 1, length - 1, spectrum.data());
  plan_.forward(spectrum.data(), weights.data());
  for (Index i = 0; i < length; ++i) weights_.data()[i] = weights.data()[i].real();
}

void SineProduct::apply(PoleParity parity, double gain, std::span<const Complex> in,
                        std::span<const Complex> scaled_twiddle, Complex* out, Workspace& workspace) const {
  const double sign = sign_of(parity);
  const Index length = plan_.length();
  Complex* a = workspace.first_.data();
  Complex* b = workspace.second_.data();
  unfold_spectrum(in.data(), length, twiddle_.data(), sign, static_cast<Index>(in.size()) - 1, a);
  plan_.forward(a, b);
  // Both directions give twice the cosine sums, or -2 i times the sine sums.
  weigh_sequence(weights_.data(), sign * gain, length, b);
  plan_.forward(b, a);
  fold_spectrum(a, length, scaled_twiddle.data(), sign, static_cast<Index>(scaled_twiddle.size()) - 1, out);
}

Index SineProduct::plan_length(Index low, Index high) { return fft::fine_length(low + high + 1); }

core::MemoryEstimate SineProduct::memory(Index low, Index high, Index workspaces) {
  constexpr auto kComplex = static_cast<Index>(sizeof(Complex));
  const Index length = plan_length(low, high);
  return {.tables = (high + 1) * kComplex + length * static_cast<Index>(sizeof(double)),
          .kept = workspaces * 2 * length * kComplex};
}

}  // namespace armilla::resample
