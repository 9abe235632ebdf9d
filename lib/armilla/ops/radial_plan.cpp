#include <armilla/core/error.hpp>
#include <armilla/ops/radial_convolution.hpp>
#include <armilla/radial/legendre_series.hpp>
#include <armilla/radial/support.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace armilla::ops {

namespace {

using core::at;
using core::kPi;

// A kernel with a larger jump, relative to its peak, at a discontinuity or at the cutoff, has no usable band limit.
constexpr double kLargestStep = 1e-3;
// Modes below this fraction of the jump at the cutoff are omitted, but none above the resolution of doubles.
constexpr double kStepShare = 0.1;
constexpr double kLeastMode = 1e-13;
// Error of kernel tables, relative to the largest value.
constexpr double kTableError = 1e-13;
// Maximum error of a table that a device uses instead of the formula.
constexpr double kDeviceTableError = 1e-12;

double degrees(double angle) { return angle * 180 / kPi; }

/// FMA of the harmonic method: two Legendre stages with 3 per degree including the polar cut, optional resampling, and
/// two FFTs of each ring.
double harmonic_count(const std::shared_ptr<const grid::RingGrid>& grid, const transform::FieldKind& kind, Index lmax) {
  transform::FieldTransformSpec spec{.kind = kind,
                                     .alm = std::make_shared<dist::AlmDistribution>(alm::AlmLayout(lmax, lmax), 1),
                                     .pixels = std::make_shared<dist::PixelDistribution>(grid, 1)};
  const auto degrees_count = static_cast<double>(lmax + 1);
  const auto pairs = static_cast<double>(spec.legendre_pairs());
  double ffts = 0;
  for (const grid::Ring& ring : grid->rings()) ffts += radial::ring_fft_count(ring.nphi);
  double resampling = 0;
  if (spec.resampled())
    resampling = degrees_count *
                 (30 * degrees_count * std::log2(degrees_count + 1) + 210 * static_cast<double>(spec.grid_pairs()));
  return 2 * (1.05 * degrees_count * degrees_count * pairs + resampling + ffts);
}

// Time of an FMA of the ring method relative to one of the harmonic method, measured at nside 512 and 2048
// (docs/performance.md).
constexpr double kRingCost = 2;

/// FMA of the ring method, in units of those of the harmonic method. Estimated from a sample of ring pairs if there are
/// many.
double ring_count(const grid::RingGrid& in, const grid::RingGrid& out, const radial::ConvolutionSpec& spec) {
  const auto pairs = static_cast<Index>(out.pairs().size());
  const Index samples = std::min<Index>(pairs, 128);
  double sum = 0;
  for (Index k = 0; k < samples; ++k) {
    const Index p = (2 * k + 1) * pairs / (2 * samples);
    sum += radial::RowPlan(in, out, spec, {p, p + 1}).count();
  }
  return kRingCost * sum * static_cast<double>(pairs) / static_cast<double>(samples);
}

}  // namespace

RadialCutoff plan_cutoff(const RadialRequest& request) {
  const radial::Kernel& kernel = *request.kernel;
  const double tolerance = request.cutoff_error.value_or(kDefaultCutoffError);
  std::optional<radial::SpectrumError> with_spectrum;
  if (request.spectrum) with_spectrum.emplace(kernel, *request.spectrum);
  const auto error_at = [&](double angle) {
    return with_spectrum ? with_spectrum->at_cutoff(angle) : radial::cutoff_error(kernel, angle);
  };
  const double cutoff = request.cutoff ? *request.cutoff : radial::cutoff_of_error(kernel, tolerance, error_at);
  const double error = error_at(cutoff);
  if (request.cutoff && request.cutoff_error && error > tolerance)
    throw core::InputError(
        fmt::format("causes a relative rms error of {:.2g}, but cutoff_error allows {:.2g}, which requires a cutoff of "
                    "{:.4g} degrees: set only one of the two keys",
                    error, tolerance, degrees(radial::cutoff_of_error(kernel, tolerance, error_at))));
  return {cutoff, error};
}

RadialPlan plan_radial(const RadialRequest& request, const RadialCutoff& cutoff,
                       const std::shared_ptr<const grid::RingGrid>& in,
                       const std::shared_ptr<const grid::RingGrid>& out, const transform::FieldKind& kind) {
  const radial::Kernel& kernel = *request.kernel;
  const double tolerance = request.cutoff_error.value_or(kDefaultCutoffError);
  RadialPlan plan{{request.kernel, cutoff.angle}, request.method, cutoff.error, 0, request.sigma, {}};
  const double step = radial::step_at(kernel, plan.spec.cutoff);
  const double mode_error = request.mode_error.value_or(std::clamp(kStepShare * step, kLeastMode, 1.0));
  if (step <= kLargestStep && mode_error > 0) plan.spec.degree = radial::band_limit(kernel, mode_error);
  plan.spec.truncate = request.truncate;
  const std::optional<Index> degree = radial::band_limit(kernel, std::min(tolerance, 1e-3) * kStepShare);
  if (degree) plan.lmax = *degree;

  const bool has_spin = kind.max_spin() > 0;
  if (has_spin && (request.method == RadialMethod::kRings || request.method == RadialMethod::kDirect))
    throw core::InputError(
        "applies to scalar fields only, but the map has a field with spin, such as Q, U: use 'harmonic' or 'auto'");
  const bool same_grid = in == out || in->same_pixels(*out);
  const auto refuse_harmonic = [&]() -> std::string {
    if (!degree) return "the kernel has no band limit below l = 204800";
    if (cutoff.error > tolerance)
      return fmt::format(
          "the kernel has no band limit because it is cut off where it is not small (relative error {:.1g}): raise "
          "cutoff_deg, or set cutoff_error to an acceptable value",
          cutoff.error);
    if (request.mode_error == 0) return "mode_error: 0 requests all modes";
    if (!same_grid) return "the grid of the result differs from that of the map: use analysis, multiply and synthesis";
    return {};
  };
  const std::string not_harmonic = refuse_harmonic();
  if (has_spin || request.method == RadialMethod::kHarmonic) {
    if (!not_harmonic.empty())
      throw core::InputError(fmt::format("{} is not possible: {}",
                                         has_spin ? "'harmonic', the method for fields with spin," : "'harmonic'",
                                         not_harmonic));
    plan.method = RadialMethod::kHarmonic;
  }
  const std::string support = fmt::format("kernel cut off at {:.4g} degrees (relative error {:.1e})",
                                          degrees(plan.spec.cutoff), plan.cutoff_error);
  const double by_rings = plan.method == RadialMethod::kAuto ? ring_count(*in, *out, plan.spec) : 0;
  const double by_harmonics =
      plan.method == RadialMethod::kAuto && not_harmonic.empty() ? harmonic_count(in, kind, plan.lmax) : 0;
  std::string counts;
  if (plan.method == RadialMethod::kAuto) {
    plan.method = !not_harmonic.empty() || by_rings <= by_harmonics ? RadialMethod::kRings : RadialMethod::kHarmonic;
    counts = not_harmonic.empty() ? fmt::format(" (FMA: rings {:.2g}, harmonic {:.2g})", by_rings, by_harmonics)
                                  : fmt::format(" (harmonic is not possible: {})", not_harmonic);
  }
  if (plan.method == RadialMethod::kHarmonic) {
    plan.why = fmt::format("method harmonic{}, lmax {}; {}", counts, plan.lmax, support);
    return plan;
  }
  plan.spec.direct = plan.method == RadialMethod::kDirect;
  plan.why = fmt::format("method {}{}; {}", plan.spec.direct ? "direct" : "rings", counts, support);
  if (!plan.spec.direct)
    plan.why += plan.spec.degree
                    ? fmt::format("; kernel modes below {:.0e} of the largest one are omitted", mode_error)
                    : fmt::format("; rings of different length summed in pixel space because {}",
                                  mode_error > 0 ? "the kernel has no usable band limit" : "no mode may be omitted");
  if (request.interpolated) {
    plan.spec.table = std::make_shared<radial::InterpolatedKernel>(kernel, plan.spec.cutoff, kTableError);
    plan.why += fmt::format("; kernel interpolated to {:.0e} of its largest value", plan.spec.table->error());
  }
  return plan;
}

double own_pixel_share(const radial::Kernel& kernel, double cutoff, const grid::RingGrid& grid) {
  const double absolute = 2 * kPi * radial::absolute_integral(kernel, cutoff);
  if (!(absolute > 0)) return 0;
  // Pixel size of the full sphere: part of the sky has the same pixels as its full grid.
  double spacing = kPi;
  for (std::size_t p = 1; p < grid.pairs().size(); ++p)
    spacing = std::min(spacing, std::abs(std::atan2(grid.pairs()[p].sin_theta, grid.pairs()[p].cos_theta) -
                                         std::atan2(grid.pairs()[p - 1].sin_theta, grid.pairs()[p - 1].cos_theta)));
  Index longest = 1;
  for (const grid::Ring& ring : grid.rings()) longest = std::max(longest, ring.nphi);
  return std::abs(kernel.value(0)) * spacing * 2 * kPi / static_cast<double>(longest) / absolute;
}

void plan_for_device(RadialPlan& plan) {
  if (plan.method == RadialMethod::kHarmonic) return;
  if (plan.spec.direct) {
    plan.why += "; on CPUs";
    return;
  }
  const auto table = plan.spec.table ? plan.spec.table
                                     : std::make_shared<const radial::InterpolatedKernel>(
                                           *plan.spec.kernel, plan.spec.cutoff, kTableError);
  if (plan.spec.table || table->error() <= kDeviceTableError)
    plan.spec.device_table = table;
  else
    plan.why += fmt::format(
        "; on CPUs because a table of the kernel is accurate only to {:.0e}: set kernel_evaluation: interpolated to "
        "accept "
        "this on GPUs",
        table->error());
}

std::vector<std::vector<double>> radial_windows(const RadialPlan& plan, const transform::FieldKind& kind, Index lmax) {
  const std::vector<double> scalar = radial::legendre_transform(*plan.spec.kernel, plan.spec.cutoff, lmax);
  std::vector<std::vector<double>> windows;
  for (const transform::SpinField& field : kind.spin_fields()) {
    const double factor = std::exp(static_cast<double>(field.spin * field.spin) * plan.sigma * plan.sigma / 2);
    windows.push_back(scalar);
    for (double& value : windows.back()) value *= factor;
  }
  return windows;
}

}  // namespace armilla::ops
