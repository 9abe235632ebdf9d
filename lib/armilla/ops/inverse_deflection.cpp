#include <armilla/comm/phase.hpp>
#include <armilla/core/aligned_buffer.hpp>
#include <armilla/ops/deflection.hpp>
#include <armilla/ops/geodesic.hpp>
#include <armilla/ops/inverse_deflection.hpp>
#include <armilla/ops/lensing.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace armilla::ops {

using core::at;
using Vector = std::complex<double>;

namespace {

constexpr Index kMaxIterations = 30;
// Angles of points are rounded to about this.
constexpr double kLeastTolerance = 4e-15;
// No step is longer [rad].
constexpr double kLongestStep = 0.5;

/// A pixel whose point is sought, the best one so far, and the next one to try.
struct Search {
  Index own, pixel;  // numbers on this rank and in the grid
  double theta, cos_theta, sin_theta, phi;
  double best_theta, best_change = 0;
  Vector step = 0;  // from the best point
  double residual = std::numeric_limits<double>::infinity();
  double determinant = 1;
  double next_theta = 0, next_change = 0;

  Search(const grid::Ring& ring, Index j, Index own_number)
      : own(own_number),
        pixel(ring.first_pixel + j),
        theta(ring.theta),
        cos_theta(ring.cos_theta),
        sin_theta(ring.sin_theta),
        phi(ring.phi0 + 2 * core::kPi * static_cast<double>(j) / static_cast<double>(ring.nphi)),
        best_theta(ring.theta),
        next_theta(ring.theta) {}

  void choose_next() {
    const Geodesic way(std::cos(best_theta), std::sin(best_theta), step);
    next_theta = way.theta;
    next_change = best_change + way.phi_change;
  }
  /// How far the displaced point is from the pixel, as a vector at the next point.
  Vector miss(const Vector& displacement) const {
    const Geodesic moved(std::cos(next_theta), std::sin(next_theta), displacement);
    const Vector there =
        vector_to(std::cos(moved.theta), std::sin(moved.theta), theta, -(next_change + moved.phi_change));
    return there * std::polar(1.0, moved.gamma);
  }
  /// Takes the next point for the best one, or halves the step. Whether the search is over.
  bool advance(const DisplacementGradient& there, double tolerance) {
    const Vector off = miss(there.displacement);
    const double distance = std::abs(off);
    if (!(distance < residual)) {
      step /= 2;
      return false;
    }
    residual = distance;
    best_theta = next_theta;
    best_change = next_change;
    determinant = there.determinant();
    if (residual <= tolerance) return true;
    step = there.solve(off);
    const double length = std::abs(step);
    if (!std::isfinite(length)) step = off;  // the derivative is singular
    if (length > kLongestStep) step *= kLongestStep / length;
    return false;
  }
};

std::vector<Search> searches(const dist::PixelDistribution& pixels, int rank) {
  std::vector<Search> all;
  all.reserve(at(pixels.local_pixels(rank)));
  const std::vector<Index> rings = pixels.local_rings(rank), places = pixels.local_ring_pixels(rank);
  for (std::size_t r = 0; r < rings.size(); ++r) {
    const grid::Ring& ring = pixels.grid().rings()[at(rings[r])];
    for (Index j = 0; j < ring.nphi; ++j) all.emplace_back(ring, j, places[r] + j);
  }
  return all;
}

points::PointTransformSpec inverse_spec(const std::shared_ptr<const dist::AlmDistribution>& alm, double accuracy,
                                        const std::string& engine) {
  return {.kind = deflection_kind(DeflectionParts::kDerivatives), .alm = alm, .accuracy = accuracy, .engine = engine};
}

/// d and its derivatives at the next points of all searches.
template <class T>
struct Evaluation {
  std::vector<std::span<const T>> parts;
  core::AlignedBuffer<T> values;

  Evaluation(const comm::Communicator& comm, const transform::AlmField<T>& alm, const points::PointTransformSpec& spec,
             const std::vector<Search>& open, const transform::Monitor& monitor) {
    std::vector<double> theta, phi;
    std::vector<std::span<T>> spans;
    comm::phase(comm, [&] {
      const Index components = spec.kind.components();
      values = core::AlignedBuffer<T>(components * static_cast<Index>(open.size()));
      for (const Search& one : open) {
        theta.push_back(one.next_theta);
        phi.push_back(one.phi + one.next_change);
      }
      for (Index c = 0; c < components; ++c)
        spans.emplace_back(values.data() + c * static_cast<Index>(open.size()), open.size());
    });
    points::PointTransform<T> transform(comm, spec, theta, phi, monitor);
    transform.synthesis(alm, spans);
    parts.assign(spans.begin(), spans.end());
  }
};

}  // namespace

template <class T>
InverseOutcome inverse_deflection(const comm::Communicator& comm, const transform::AlmField<T>& deflection, Index from,
                                  double accuracy, const std::string& engine, transform::MapField<T>& out, Index to,
                                  const transform::Monitor& monitor) {
  const points::PointTransformSpec spec = inverse_spec(deflection.shared_distribution(), accuracy, engine);
  std::optional<transform::AlmField<T>> alm;
  std::vector<Search> open, failed;
  std::span<T> south, east;
  comm::phase(comm, [&] {
    alm.emplace(spec.kind, spec.alm, comm.rank(), 1);
    for (Index c = 0; c < spec.kind.components(); ++c)
      std::ranges::copy(deflection.component(from, c), alm->component(0, c).begin());
    open = searches(out.distribution(), comm.rank());
    south = out.component(to, 0);
    east = out.component(to, 1);
    std::ranges::fill(south, T(0));
    std::ranges::fill(east, T(0));
  });
  InverseOutcome outcome;
  for (; outcome.iterations < kMaxIterations; ++outcome.iterations) {
    auto left = static_cast<Index>(open.size());
    comm.sum(std::span(&left, 1));
    if (left == 0) break;
    const Evaluation<T> found(comm, *alm, spec, open, monitor);
    const auto count = static_cast<Index>(open.size());
    if (outcome.iterations == 0) {
      double longest = 0;
      for (Index i = 0; i < count; ++i)
        longest = std::max(longest, std::abs(gradient_at(found.parts.data(), at(i)).displacement));
      comm.max(std::span(&longest, 1));
      outcome.tolerance = std::max(accuracy * longest, kLeastTolerance);
    }
    comm::phase(comm, [&] {
      std::vector<char> done(open.size());
#pragma omp parallel for schedule(static)
      for (Index i = 0; i < count; ++i) {
        Search& one = open[at(i)];
        done[at(i)] = one.advance(gradient_at(found.parts.data(), at(i)), outcome.tolerance);
        if (!done[at(i)]) one.choose_next();
        if (!done[at(i)] || one.determinant <= 0) continue;
        const Vector way = vector_to(one.cos_theta, one.sin_theta, one.best_theta, one.best_change);
        south[at(one.own)] = static_cast<T>(way.real());
        east[at(one.own)] = static_cast<T>(way.imag());
      }
      std::size_t kept = 0;
      for (std::size_t i = 0; i < open.size(); ++i) {
        if (!done[i])
          open[kept++] = open[i];
        else if (open[i].determinant <= 0)
          failed.push_back(open[i]);
        else
          outcome.largest_residual = std::max(outcome.largest_residual, open[i].residual);
      }
      open.erase(open.begin() + static_cast<std::ptrdiff_t>(kept), open.end());
    });
  }
  failed.insert(failed.end(), open.begin(), open.end());
  outcome.failed = static_cast<Index>(failed.size());
  const auto first = std::ranges::min_element(failed, {}, &Search::pixel);
  const double pixel = failed.empty() ? std::numeric_limits<double>::infinity() : static_cast<double>(first->pixel);
  double of_first[] = {pixel};
  comm.min(of_first);
  comm.sum(std::span(&outcome.failed, 1));
  const double unknown = -std::numeric_limits<double>::infinity();
  const bool here = !failed.empty() && of_first[0] == pixel;
  double numbers[] = {outcome.largest_residual, here ? first->residual : unknown, here ? first->determinant : unknown};
  comm.max(numbers);
  outcome.largest_residual = numbers[0];
  if (outcome.failed > 0) {
    outcome.pixel = static_cast<Index>(of_first[0]);
    outcome.residual = numbers[1];
    outcome.determinant = numbers[2];
  }
  return outcome;
}

template <class T>
core::MemoryEstimate inverse_deflection_memory(const std::shared_ptr<const dist::AlmDistribution>& alm, double accuracy,
                                               const dist::PixelDistribution& pixels, int rank) {
  const points::PointTransformSpec spec = inverse_spec(alm, accuracy, "auto");
  const Index own = pixels.local_pixels(rank);
  // Those of searches that go on are copied.
  const Index each = static_cast<Index>(sizeof(Search)) + 4 * static_cast<Index>(sizeof(double)) +
                     spec.kind.components() * static_cast<Index>(sizeof(T));
  return {.workspace = lens_memory<T>(spec, pixels, rank).peak() + own * each};
}

template InverseOutcome inverse_deflection(const comm::Communicator&, const transform::AlmField<float>&, Index, double,
                                           const std::string&, transform::MapField<float>&, Index,
                                           const transform::Monitor&);
template InverseOutcome inverse_deflection(const comm::Communicator&, const transform::AlmField<double>&, Index, double,
                                           const std::string&, transform::MapField<double>&, Index,
                                           const transform::Monitor&);
template core::MemoryEstimate inverse_deflection_memory<float>(const std::shared_ptr<const dist::AlmDistribution>&,
                                                               double, const dist::PixelDistribution&, int);
template core::MemoryEstimate inverse_deflection_memory<double>(const std::shared_ptr<const dist::AlmDistribution>&,
                                                                double, const dist::PixelDistribution&, int);

}  // namespace armilla::ops
