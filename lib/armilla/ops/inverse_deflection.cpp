#include <armilla/comm/phase.hpp>
#include <armilla/core/aligned_buffer.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/ops/deflection.hpp>
#include <armilla/ops/inverse_deflection.hpp>
#include <armilla/ops/lensing.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace armilla::ops {

using core::at;

namespace {

constexpr Index kMostIterations = 30;
// Approximate rounding error of the angles of points.
constexpr double kLeastTolerance = 4e-15;
// Maximum length of a step [rad].
constexpr double kLongestStep = 0.5;

/// A point of the sphere, or a tangent vector, in axes in which the current pixel has longitude 0.
struct Vector {
  double x, y, z;

  friend Vector operator+(const Vector& a, const Vector& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend Vector operator-(const Vector& a, const Vector& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend Vector operator*(double factor, const Vector& a) { return {factor * a.x, factor * a.y, factor * a.z}; }
  friend double dot(const Vector& a, const Vector& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
};

/// Ratio of the distance between two points to the sine of that distance.
double distance_over_sine(double sine, double cosine) {
  constexpr double kNear = 1e-3;  // the next term of the series is below rounding
  const double square = sine * sine;
  if (cosine > 0 && sine < kNear) return 1 + square * (1.0 / 6 + square * (3.0 / 40));
  return std::atan2(sine, cosine) / sine;
}

/// Search for the inverse image of one pixel: the best point so far, and the next point to try.
struct Search {
  Index own, pixel;  // local index, and index in the grid
  double phi;        // longitude of the pixel
  Vector place;      // position of the pixel
  Vector best, next;
  Vector step{0, 0, 0};  // from the best point to the next
  double residual = std::numeric_limits<double>::infinity();
  double determinant = 1;

  Search(const grid::Ring& ring, Index j, Index own_number)
      : own(own_number),
        pixel(ring.first_pixel + j),
        phi(ring.phi0 + 2 * core::kPi * static_cast<double>(j) / static_cast<double>(ring.nphi)),
        place{ring.sin_theta, 0, ring.cos_theta},
        best(place),
        next(place) {}

  void choose_next() {
    const double length = std::sqrt(dot(step, step));
    const Vector there = std::cos(length) * best + (length > 0 ? std::sin(length) / length : 1) * step;
    next = 1 / std::sqrt(dot(there, there)) * there;
  }
  double next_theta() const { return std::atan2(std::sqrt(next.x * next.x + next.y * next.y), next.z); }
  double next_phi() const { return phi + std::atan2(next.y, next.x); }

  /// Accepts the next point as the best one, or halves the step. Returns true if the search has finished.
  bool advance(const DisplacementGradient& there, double tolerance) {
    const DisplacementMatrix matrix(there);
    const double rho = std::sqrt(next.x * next.x + next.y * next.y);
    const double c = rho > 0 ? next.x / rho : 1, s = rho > 0 ? next.y / rho : 0;
    const Vector south{c * next.z, s * next.z, -rho}, east{-s, c, 0};
    const Vector u = matrix.along.real() * south + matrix.along.imag() * east;
    const Vector v = matrix.along.real() * east - matrix.along.imag() * south;
    const double sine_moved = matrix.share * matrix.angle;
    const Vector moved = matrix.cosine * next + sine_moved * u, u_moved = matrix.cosine * u - sine_moved * next;
    // Vector from the displaced point to the pixel.
    double off_u = dot(place - moved, u_moved), off_v = dot(place - moved, v);
    const double sine = std::sqrt(off_u * off_u + off_v * off_v), cosine = dot(place, moved);
    double distance = core::kPi;
    if (sine > 0 || cosine > 0) {
      const double scale = distance_over_sine(sine, cosine);
      off_u *= scale;
      off_v *= scale;
      distance = scale * sine;
    } else {
      off_u = core::kPi;  // the antipode: any direction is valid
    }
    if (!(distance < residual)) {
      step = 0.5 * step;
      return false;
    }
    residual = distance;
    best = next;
    determinant = matrix.determinant();
    if (residual <= tolerance) return true;
    const double step_u = (matrix.vv * off_u - matrix.uv * off_v) / determinant;
    const double step_v = (matrix.uu * off_v - matrix.vu * off_u) / determinant;
    const double length = std::sqrt(step_u * step_u + step_v * step_v);
    if (length <= kLongestStep)
      step = step_u * u + step_v * v;
    else if (std::isfinite(length))
      step = kLongestStep / length * (step_u * u + step_v * v);
    else
      step = std::min(1.0, kLongestStep / distance) * (off_u * u + off_v * v);  // the derivative is singular
    return false;
  }

  /// The southward and the eastward component of the vector from the pixel to the best point.
  std::complex<double> way() const {
    const double south = best.x * place.z - best.z * place.x, east = best.y;
    const double sine = std::sqrt(south * south + east * east), cosine = dot(best, place);
    if (sine == 0) return cosine > 0 ? 0 : core::kPi;
    const double scale = distance_over_sine(sine, cosine);
    return {scale * south, scale * east};
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

/// Records the time of a phase if the monitor has timers.
struct Timer {
  std::optional<core::ScopedPhase> phase;

  Timer(const transform::Monitor& monitor, const char* name) {
    if (monitor.timers != nullptr) phase.emplace(*monitor.timers, name);
  }
};

/// d and its derivatives at the next points of all unfinished searches.
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
      theta.resize(open.size());
      phi.resize(open.size());
#pragma omp parallel for schedule(static)
      for (std::size_t i = 0; i < open.size(); ++i) {
        theta[i] = open[i].next_theta();
        phi[i] = open[i].next_phi();
      }
      for (Index c = 0; c < components; ++c)
        spans.emplace_back(values.data() + c * static_cast<Index>(open.size()), open.size());
    });
    std::optional<points::PointTransform<T>> transform;
    {
      const Timer timer(monitor, "prepare");
      transform.emplace(comm, spec, theta, phi, monitor);
    }
    transform->synthesis(alm, spans);
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
  for (; outcome.iterations < kMostIterations; ++outcome.iterations) {
    auto left = static_cast<Index>(open.size());
    comm.sum(std::span(&left, 1));
    if (left == 0) break;
    const Evaluation<T> found(comm, *alm, spec, open, monitor);
    const auto count = static_cast<Index>(open.size());
    if (outcome.iterations == 0) {
      double longest = 0;
#pragma omp parallel for schedule(static) reduction(max : longest)
      for (Index i = 0; i < count; ++i)
        longest = std::max(longest, std::abs(gradient_at(found.parts.data(), at(i)).displacement));
      comm.max(std::span(&longest, 1));
      outcome.tolerance = std::max(accuracy * longest, kLeastTolerance);
    }
    comm::phase(comm, [&] {
      const Timer timer(monitor, "newton");
      std::vector<char> done(open.size());
#pragma omp parallel for schedule(static)
      for (Index i = 0; i < count; ++i) {
        Search& one = open[at(i)];
        done[at(i)] = one.advance(gradient_at(found.parts.data(), at(i)), outcome.tolerance);
        if (!done[at(i)]) one.choose_next();
        if (!done[at(i)] || one.determinant <= 0) continue;
        const std::complex<double> way = one.way();
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
  comm::phase(comm, [&] { failed.insert(failed.end(), open.begin(), open.end()); });
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
  // Unfinished searches are copied in each iteration.
  const Index each = static_cast<Index>(sizeof(Search)) + 4 * static_cast<Index>(sizeof(double)) +
                     spec.kind.components() * static_cast<Index>(sizeof(T));
  return {.workspace = lens_memory<T>(spec, pixels, rank).peak() + own * each};
}

ARMILLA_INSTANTIATE(inverse_deflection);
ARMILLA_INSTANTIATE(inverse_deflection_memory);

}  // namespace armilla::ops
