#pragma once

#include <armilla/iteration/checkpoint.hpp>
#include <armilla/ops/solvers/least_squares.hpp>

#include <string>

namespace armilla::ops {

/// Parameters of an analysis with a given accuracy, known before any map.
struct AccuracyTask {
  const grid::RingGrid& grid;
  Index lmax;
  Index mmax;
  Index spin;  ///< the highest
  core::Precision precision;
  double tolerance;
};

/// Method that meets the tolerance; depends on the task only.
enum class AccuracyRoute {
  kExactQuadrature,    ///< the grid's quadrature, checked and corrected by quadrature of the residual
  kConjugateGradients  ///< least squares with pixels weighted by area
};
AccuracyRoute accuracy_route(const AccuracyTask& task);

/// The smallest eigenvalue of Y^T W Y, W the areas of pixels, for HEALPix at this lmax: exp(-0.26 - 0.9 nside d^2),
/// where d is the excess of lmax / nside over sqrt(6). Up to sqrt(6) nside no harmonic is near an alias of another.
/// Above that, the pixel lattice around the poles, with rings of 4 i pixels at sin(theta) = sqrt(2/3) i / nside,
/// couples wave numbers. The formula is a fit to dense matrices and Lanczos runs of nside 4 to 64, spins 0 and 2; see
/// docs/decisions/0014-least-squares.md.
double healpix_min_eigenvalue(Index nside, Index lmax);

/// The highest lmax that HEALPix supports with this tolerance: rounding error divided by the smallest eigenvalue is
/// below the tolerance, and there are fewer than about 600 iterations.
Index healpix_accurate_lmax(Index nside, core::Precision precision, double tolerance);

/// The smallest tolerance that can be requested: a few times the rounding error of the transforms.
double min_accuracy(core::Precision precision, Index lmax);

/// Not collective. Throws InputError if the tolerance is below the limit of the precision, or if the grid is known not
/// to support this lmax with it. The message says what is supported.
void check_accuracy(const AccuracyTask& task);
/// Advice for messages if a run did not reach the tolerance: the lmax that the grid supports, if known.
std::string accuracy_advice(const AccuracyTask& task);

/// Collective. Computes alm to the tolerance, each map with its own number of iterations. alm_error of the outcomes is
/// an estimate of the relative rms error, against the least-squares coefficients, or on exact grids those of the
/// quadrature. For exact quadrature it is the size of the last correction. For conjugate gradients it is the residual
/// of the normal equations divided by their smallest eigenvalue. That eigenvalue is the smaller of the Ritz value from
/// the iterations and healpix_min_eigenvalue(). `checkpoint`: as in fit_in_rounds(), for conjugate gradients, or null.
template <class T>
std::vector<AnalysisOutcome> analysis_to_accuracy(transform::FieldTransform<T>& transform,
                                                  const transform::MapField<T>& map, transform::AlmField<T>& alm,
                                                  double tolerance, iteration::Checkpoint<T>* checkpoint = nullptr);

}  // namespace armilla::ops
