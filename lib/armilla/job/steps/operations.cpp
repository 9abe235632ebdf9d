#include <armilla/job/parse/operation_kind.hpp>
#include <armilla/job/steps/rows.hpp>

namespace armilla::job {

namespace {

/// A step with its example in a job.
struct Row {
  OperationKind (*kind)();
  const char* example;
};

constexpr Row kRows[] = {
    {steps::random_alm, "{spectrum: dl.dat, spectrum_kind: dl, fields: [T, E, B], lmax: 1000, seed: 7, out: sky}"},
    {steps::synthesis, "{alm: sky, grid: {healpix: {nside: 512}}, out: sky_map}"},
    {steps::analysis, "{map: sky_map, lmax: 1000, method: {jacobi: 3}, out: sky}"},
    {steps::adjoint_synthesis, "{map: sky_map, lmax: 1000, out: sums}"},
    {steps::adjoint_analysis, "{alm: sky, grid: {gauss: {nlat: 1024}}, out: weighted}"},
    {steps::gradient, "{alm: height, grid: {gauss: {nlat: 1024}}, axes: east_north, radius_m: 6371000, out: slope}"},
    {steps::adjoint_gradient, "{map: slope, lmax: 1000, out: sums}"},
    {steps::synthesis_at, "{alm: sky, points: clusters, out: at_clusters}"},
    {steps::adjoint_synthesis_at, "{values: at_clusters, lmax: 1000, out: sums}"},
    {steps::analysis_at, "{values: at_points, lmax: 100, out: sky}"},
    {steps::gradient_at, "{alm: height, points: stations, axes: east_north, radius_m: 6371000, out: slope}"},
    {steps::lens, "{alm: sky, potential: phi, grid: {healpix: {nside: 2048}}, accuracy: 1.0e-7, out: lensed}"},
    {steps::pointing, "{map: deflection, out: moved}"},
    {steps::lens_adjoint, "{map: lensed, potential: phi, lmax: 3000, out: delensed}"},
    {steps::inverse_deflection, "{potential: phi, lmax: 3000, out: inverse}"},
    {steps::convert_vector, "{alm: wind, to: vorticity_divergence, radius_m: 6371000, out: rotation}"},
    {steps::regrid, "{map: sky_map, grid: {gauss: {nlat: 1024}}, method: {jacobi: 3}, out: on_gauss}"},
    {steps::smooth, "{alm: sky, fwhm_arcmin: 60, out: smooth_sky}"},
    {steps::multiply, "{alm: sky, by: {l_range: [20, 400]}, out: band}"},
    {steps::convolve, "{map: sky_map, kernel: {gaussian: {fwhm_arcmin: 60}}, out: smooth_map}"},
    {steps::reconstruct,
     "{kernels: [{map: coarse, needlet: {scale: 3, part: below}}, {map: fine, needlet: {scale: 4}}], grid: {healpix: "
     "{nside: 64}}, out: sky_map}"},
    {steps::scale, "{alm: sky, factor: 2.5, out: scaled}"},
    {steps::add, "{alm: sky, with: noise, factors: [1, -1], out: difference}"},
    {steps::resize, "{alm: sky, lmax: 500, out: cut_sky}"},
    {steps::rotate, "{alm: sky, from: galactic, to: equatorial, out: rotated}"},
    {steps::mask, "{map: sky_map, mask: galaxy, out: masked}"},
    {steps::select, "{alm: sky, fields: [E], out: modes}"},
    {steps::leakage, "{map: sky_map, mask: galaxy, lmax: 500, b_map: raw_b, template: leaked, out: clean_b}"},
    {steps::spectra, "{alm: sky, out: cl}"},
    {steps::decouple, "{spectra: pseudo_cl, mask: galaxy, bin: 20, out: full_cl}"},
    {steps::statistics, "{spectra: cl, out: mean_and_covariance}"},
    {steps::compare, "{alm: sky, reference: truth}"},
};

}  // namespace

const std::vector<OperationKind>& operation_kinds() {
  static const std::vector<OperationKind> kinds = [] {
    std::vector<OperationKind> all;
    for (const Row& row : kRows) {
      all.push_back(row.kind());
      all.back().example = row.example;
    }
    return all;
  }();
  return kinds;
}

const std::vector<FindingKind>& finding_kinds() {
  static const std::vector<FindingKind> kinds{steps::analyses(), steps::comparisons(), steps::leakage_fits()};
  return kinds;
}

}  // namespace armilla::job
