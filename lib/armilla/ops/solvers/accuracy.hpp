#pragma once

#include <armilla/iteration/checkpoint.hpp>
#include <armilla/ops/solvers/least_squares.hpp>

#include <string>

namespace armilla::ops {

/// What is asked of an analysis whose accuracy is given, before any map is there.
struct AccuracyTask {
  const grid::RingGrid& grid;
  Index lmax;
  Index mmax;
  Index spin;  ///< the highest
  core::Precision precision;
  double tolerance;
};

/// How it is met; depends on the task only.
enum class AccuracyRoute {
  kExactQuadrature,    ///< the grid's quadrature, checked and corrected by that of what it leaves
  kConjugateGradients  ///< least squares with pixels that count by their area
};
AccuracyRoute accuracy_route(const AccuracyTask& task);

/// The least eigenvalue of Y^T W Y, W the areas of pixels, of HEALPix at this lmax: exp(-0.26 - 0.9 nside d^2), d the
/// excess of lmax / nside over sqrt(6). Up to sqrt(6) nside no harmonic is near an alias of another; from there on the
/// lattice of pixels around the poles, a ring of 4 i pixels at sin(theta) = sqrt(2/3) i / nside, folds wave numbers
/// into each other. A fit to dense matrices and Lanczos runs of nside 4 to 64, spins 0 and 2; see
/// docs/decisions/0014-least-squares.md.
double healpix_min_eigenvalue(Index nside, Index lmax);

/// The highest lmax that HEALPix carries to this tolerance: where rounding, over the least eigenvalue, stays below it,
/// and iterations below some 600.
Index healpix_accurate_lmax(Index nside, core::Precision precision, double tolerance);

/// The least tolerance that can be asked for: a few times what rounding of the transforms leaves.
double min_accuracy(core::Precision precision, Index lmax);

/// Throws InputError if the tolerance is below what the precision can give, or where the grid is known not to carry
/// this lmax to it; the message says what can be had. Not collective.
void check_accuracy(const AccuracyTask& task);
/// What to do where a run did not reach the tolerance, for messages: the lmax that the grid carries where that is
/// known.
std::string accuracy_advice(const AccuracyTask& task);

/// Collective. Finds alm to the tolerance, each map with its own number of iterations. alm_error of the outcomes is an
/// estimate of the relative rms error, against the least-squares coefficients, or on exact grids those of the
/// quadrature: of exact quadrature, the size of its last correction; of conjugate gradients, the residual of the normal
/// equations over their least eigenvalue, as the iterations see it (Ritz value) or healpix_min_eigenvalue(),
/// whichever is less. `checkpoint`, null for none: as fit_in_rounds(), for conjugate gradients.
template <class T>
std::vector<AnalysisOutcome> analysis_to_accuracy(transform::FieldTransform<T>& transform,
                                                  const transform::MapField<T>& map, transform::AlmField<T>& alm,
                                                  double tolerance, iteration::Checkpoint<T>* checkpoint = nullptr);

}  // namespace armilla::ops
