#include <armilla/core/error.hpp>
#include <armilla/resample/theta_quadrature.hpp>

namespace armilla::resample {

ThetaQuadrature::Workspace::Workspace(const ThetaQuadrature& quadrature, ThetaResampler::Workspace& resampling)
    : resampling_(resampling), product_(quadrature.product_), coefficients_(quadrature.grid_side_.lmax() + 1) {}

ThetaQuadrature::ThetaQuadrature(const ThetaResampler& source_side, const ThetaResampler& grid_side,
                                 const CircleRings& rings)
    : source_side_(source_side),
      grid_side_(grid_side),
      rings_(rings),
      product_(source_side.lmax(), grid_side.lmax()),
      grid_gain_(static_cast<double>(4 * source_side.source_pairs()) / static_cast<double>(rings.points())),
      from_source_(source_side.lmax() + 1),
      from_grid_(grid_side.lmax() + 1),
      to_source_(source_side.lmax() + 1),
      to_grid_(grid_side.lmax() + 1) {
  if (grid_side.lmax() < source_side.lmax())
    throw core::InternalError("exact quadrature: the degree of the rings is below that of the Legendre stage");
  // With n source rings and a circle of N points, coefficients are 4 norm_k times the sums over source rings, and 8 n /
  // N norm_k times those over the rings of the grid. The sums contain a factor 2 or -2 i, the output 2 or 2 i, and the
  // product 4.
  const std::vector<double> deconvolution = grid_side.deconvolution();
  for (Index k = 0; k <= grid_side.lmax(); ++k) {
    const auto i = static_cast<std::size_t>(k);
    const double half = k == 0 ? 0.25 : 0.5;
    const double norm = half / static_cast<double>(2 * source_side.source_pairs());
    const double scale = 4 * core::kPi * half / static_cast<double>(rings.points());
    from_grid_.data()[k] = norm * deconvolution[i] * grid_side.fine_twiddle()[i];
    to_grid_.data()[k] = scale * deconvolution[i] * product_.twiddle()[i];
    if (k > source_side.lmax()) continue;
    from_source_.data()[k] = norm * source_side.source_twiddle()[i];
    to_source_.data()[k] = scale * product_.twiddle()[i];
  }
}

void ThetaQuadrature::add_rings(bool at_pole, PairValue* rings, Workspace& workspace) const {
  rings_.prepare(at_pole, rings);
  grid_side_.clear(workspace.resampling_);
  grid_side_.add_targets(0, grid_side_.target_pairs(), column_of(static_cast<const PairValue*>(rings)),
                         workspace.resampling_);
}

void ThetaQuadrature::get_rings(PoleParity parity, bool at_pole, PairValue* rings, Workspace& workspace) const {
  grid_side_.coefficients_to_fine(parity, workspace.coefficients_.data(), workspace.resampling_);
  grid_side_.get_targets(0, grid_side_.target_pairs(), column_of(rings), workspace.resampling_);
  rings_.prepare_transposed(at_pole, rings);
}

void ThetaQuadrature::rings_to_rings(PoleParity parity, bool at_pole, PairValue* rings, Workspace& workspace) const {
  Complex* coefficients = workspace.coefficients_.data();
  add_rings(at_pole, rings, workspace);
  grid_side_.fine_to_coefficients(parity, from_grid_.data(), coefficients, workspace.resampling_);
  product_.apply(parity, grid_gain_, {coefficients, from_grid_.span().size()}, to_grid_.span(), coefficients,
                 workspace.product_);
  get_rings(parity, at_pole, rings, workspace);
}

void ThetaQuadrature::rings_to_source(PoleParity parity, bool at_pole, PairValue* rings, RingColumn source,
                                      Workspace& workspace) const {
  Complex* coefficients = workspace.coefficients_.data();
  add_rings(at_pole, rings, workspace);
  grid_side_.fine_to_coefficients(parity, from_grid_.data(), coefficients, workspace.resampling_);
  product_.apply(parity, 1, {coefficients, from_grid_.span().size()}, to_source_.span(), coefficients,
                 workspace.product_);
  source_side_.coefficients_to_source(parity, coefficients, source, workspace.resampling_);
}

void ThetaQuadrature::source_to_rings(PoleParity parity, bool at_pole, ConstRingColumn source, PairValue* rings,
                                      Workspace& workspace) const {
  Complex* coefficients = workspace.coefficients_.data();
  source_side_.source_to_coefficients(parity, source, from_source_.data(), coefficients, workspace.resampling_);
  product_.apply(parity, 1, {coefficients, from_source_.span().size()}, to_grid_.span(), coefficients,
                 workspace.product_);
  get_rings(parity, at_pole, rings, workspace);
}

core::MemoryEstimate ThetaQuadrature::memory(Index lmax, Index degree, Index pairs, Index workspaces) {
  constexpr auto kComplex = static_cast<Index>(sizeof(Complex));
  constexpr auto kReal = static_cast<Index>(sizeof(double));
  return SineProduct::memory(lmax, degree, workspaces) +
         core::MemoryEstimate{.tables = 2 * (lmax + 1 + degree + 1) * kComplex + 4 * pairs * kReal,
                              .kept = workspaces * (degree + 1) * kComplex};
}

}  // namespace armilla::resample
