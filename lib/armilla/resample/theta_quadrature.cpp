#include <armilla/resample/theta_quadrature.hpp>

namespace armilla::resample {

ThetaQuadrature::Workspace::Workspace(const ThetaQuadrature& quadrature, ThetaResampler::Workspace& resampling)
    : resampling_(resampling), product_(quadrature.product_), coefficients_(quadrature.resampler_.lmax() + 1) {}

ThetaQuadrature::ThetaQuadrature(const ThetaResampler& resampler, const CircleRings& rings)
    : resampler_(resampler),
      rings_(rings),
      product_(resampler.lmax()),
      grid_gain_(static_cast<double>(4 * resampler.source_pairs()) / static_cast<double>(rings.points())),
      from_source_(resampler.lmax() + 1),
      from_grid_(resampler.lmax() + 1),
      to_source_(resampler.lmax() + 1),
      to_grid_(resampler.lmax() + 1) {
  // With n source rings and a circle of N points, coefficients are 4 norm_k times the sums over source rings, and 8 n /
  // N norm_k times those over the rings of the grid. The sums contain a factor 2 or -2 i, the output 2 or 2 i, and the
  // product 4.
  const std::vector<double> deconvolution = resampler.deconvolution();
  for (Index k = 0; k <= resampler.lmax(); ++k) {
    const auto i = static_cast<std::size_t>(k);
    const double half = k == 0 ? 0.25 : 0.5;
    const double norm = half / static_cast<double>(2 * resampler.source_pairs());
    const double scale = 4 * core::kPi * half / static_cast<double>(rings.points());
    from_source_.data()[k] = norm * resampler.source_twiddle()[i];
    from_grid_.data()[k] = norm * deconvolution[i] * resampler.fine_twiddle()[i];
    to_source_.data()[k] = scale * product_.twiddle()[i];
    to_grid_.data()[k] = scale * deconvolution[i] * product_.twiddle()[i];
  }
}

void ThetaQuadrature::add_rings(bool at_pole, PairValue* rings, Workspace& workspace) const {
  rings_.prepare(at_pole, rings);
  resampler_.clear(workspace.resampling_);
  resampler_.add_targets(0, resampler_.target_pairs(), column_of(static_cast<const PairValue*>(rings)),
                         workspace.resampling_);
}

void ThetaQuadrature::get_rings(PoleParity parity, bool at_pole, PairValue* rings, Workspace& workspace) const {
  resampler_.coefficients_to_fine(parity, workspace.coefficients_.data(), workspace.resampling_);
  resampler_.get_targets(0, resampler_.target_pairs(), column_of(rings), workspace.resampling_);
  rings_.prepare_transposed(at_pole, rings);
}

void ThetaQuadrature::rings_to_rings(PoleParity parity, bool at_pole, PairValue* rings, Workspace& workspace) const {
  Complex* coefficients = workspace.coefficients_.data();
  add_rings(at_pole, rings, workspace);
  resampler_.fine_to_coefficients(parity, from_grid_.data(), coefficients, workspace.resampling_);
  product_.apply(parity, grid_gain_, coefficients, to_grid_.data(), coefficients, workspace.product_);
  get_rings(parity, at_pole, rings, workspace);
}

void ThetaQuadrature::rings_to_source(PoleParity parity, bool at_pole, PairValue* rings, RingColumn source,
                                      Workspace& workspace) const {
  Complex* coefficients = workspace.coefficients_.data();
  add_rings(at_pole, rings, workspace);
  resampler_.fine_to_coefficients(parity, from_grid_.data(), coefficients, workspace.resampling_);
  product_.apply(parity, 1, coefficients, to_source_.data(), coefficients, workspace.product_);
  resampler_.coefficients_to_source(parity, coefficients, source, workspace.resampling_);
}

void ThetaQuadrature::source_to_rings(PoleParity parity, bool at_pole, ConstRingColumn source, PairValue* rings,
                                      Workspace& workspace) const {
  Complex* coefficients = workspace.coefficients_.data();
  resampler_.source_to_coefficients(parity, source, from_source_.data(), coefficients, workspace.resampling_);
  product_.apply(parity, 1, coefficients, to_grid_.data(), coefficients, workspace.product_);
  get_rings(parity, at_pole, rings, workspace);
}

core::MemoryEstimate ThetaQuadrature::memory(Index lmax, Index pairs, Index workspaces) {
  constexpr auto kComplex = static_cast<Index>(sizeof(Complex));
  constexpr auto kReal = static_cast<Index>(sizeof(double));
  return SineProduct::memory(lmax, workspaces) +
         core::MemoryEstimate{.tables = 4 * (lmax + 1) * kComplex + 4 * pairs * kReal,
                              .kept = workspaces * (lmax + 1) * kComplex};
}

}  // namespace armilla::resample
