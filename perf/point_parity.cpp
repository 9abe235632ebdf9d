#include "point_parity.hpp"

#include <armilla/core/cache.hpp>
#include <armilla/nufft/interpolate.hpp>
#include <armilla/nufft/spread.hpp>
#include <armilla/points/torus_rows.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "noise.hpp"
#include <kernels/nufft/nufft.hpp>

namespace armilla::perf {

using core::at;

namespace {

template <class T>
constexpr double kTolerance = sizeof(T) == sizeof(double) ? 1e-13 : 1e-6;

struct Points {
  std::vector<double> theta, phi;

  void add(double t, double p) {
    theta.push_back(std::clamp(t, 0.0, core::kPi));
    phi.push_back(p);
  }
};

// Points whose windows begin at a row and column of the fine grid, at the end of the interval of such points: on the
// border of the next row and column, except for rounding.
class Placer {
 public:
  explicit Placer(const nufft::KernelChoice& kernel) : kernel_(kernel) {}

  void add(Points& points, double row, double column) const {
    const double step = 2 * core::kPi / static_cast<double>(kernel_.fine_length), half = 0.5 * kernel_.width;
    points.add((row + half + 0.5) * step, (column + half) * step);
  }

 private:
  const nufft::KernelChoice& kernel_;
};

// All numbers of points per sub-cell of 4 x 4 up to 9, and some greater ones; poles; borders of cells; the meridian at
// which phi begins; a cell with several chunks.
Points make_points(const nufft::KernelChoice& kernel, bool crowded) {
  constexpr int kCounts[] = {0, 1, 3, 4, 5, 2, 6, 7, 8, 9, 15, 16, 17, 31, 32, 33, 50};
  Points points;
  const Placer placer(kernel);
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(0, 1);
  int cell = 0;
  for (Index row = 0; row + 4 < kernel.fine_length / 2 - kernel.width; row += 4)
    for (Index column = 0; column < 16; column += 4, ++cell)
      for (int i = 0; i < kCounts[cell % std::size(kCounts)]; ++i)
        placer.add(points, static_cast<double>(row) + 3.999 * uniform(random),
                   static_cast<double>(column) + 3.999 * uniform(random));
  for (const double phi : {0.0, 1.0, core::kPi, 2 * core::kPi, std::nextafter(2 * core::kPi, 0.0), -1e-17, -7.0, 100.0})
    for (const double theta : {0.0, 1e-12, 0.3, core::kPi / 2, core::kPi - 1e-12, core::kPi}) points.add(theta, phi);
  for (Index row = 0; row < kernel.fine_length / 2 - kernel.width; row += 4)
    for (Index column = 0; column < kernel.fine_length; column += 12)
      placer.add(points, static_cast<double>(row), static_cast<double>(column));
  for (int i = 0; i < 2000; ++i) points.add(std::acos(2 * uniform(random) - 1), 14 * uniform(random) - 7);
  for (Index i = 0; crowded && i < 2 * nufft::kChunk + 500; ++i)
    points.add(1.1 + 1e-3 * uniform(random), 2.2 + 1e-3 * uniform(random));
  // In no order.
  std::vector<std::size_t> order(points.theta.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::shuffle(order, random);
  Points shuffled;
  for (const std::size_t i : order) shuffled.add(points.theta[i], points.phi[i]);
  return shuffled;
}

// Both directions of given input: [field][point], and [field][sample].
template <class T>
struct Results {
  std::vector<T> values, torus;
};

template <class T>
Results<T> run_on_device(const PointVariant& variant, const points::PointTransformSpec& spec, const Points& points,
                         const Results<T>& from) {
  PointStage<T> stage(variant, spec, points.theta, points.phi);
  const auto part = [](const std::vector<T>& all, auto count) { return std::span(all).first(count); };
  const std::span<T> torus = stage.torus().data();
  std::ranges::copy(part(from.torus, torus.size()), torus.begin());
  stage.interpolate();
  Results<T> results;
  const auto values = std::as_const(stage.values()).host();
  results.values.assign(values.begin(), values.end());
  std::ranges::copy(part(from.values, values.size()), stage.values().host().begin());
  stage.spread();
  const std::span<const T> spread = std::as_const(stage.torus()).data();
  results.torus.assign(spread.begin(), spread.end());
  return results;
}

template <class T>
Results<T> run_on_cpu(const points::PointTransformSpec& spec, const nufft::KernelChoice& kernel, const Points& points,
                      const Results<T>& from) {
  const auto comm = comm::Communicator::self();
  transform::MapField<T> torus(spec.kind, points::PointTransform<T>::torus(spec, 1).pixels, 0, spec.maps);
  std::ranges::copy(from.torus, torus.data().begin());
  std::vector<Index> spins;
  for (Index map = 0; map < spec.maps; ++map)
    for (const Index spin : spec.kind.spins()) spins.push_back(spin);
  transform::RingHalo<T> halo(comm, torus.shared_distribution(), {{0, kernel.fine_length / 4}},
                              static_cast<Index>(spins.size()), transform::RingHalo<T>::Use::kBoth);
  const nufft::PointPlan<T> plan(kernel, nufft::sphere_band(kernel), points.theta, points.phi);
  points::TorusRows<T> rows(torus.distribution(), 0, plan.band(), spins);
  Results<T> results;
  results.values.resize(from.values.size());
  std::vector<T*> to;
  std::vector<const T*> values;
  for (std::size_t f = 0; f < spins.size(); ++f) {
    to.push_back(results.values.data() + f * points.theta.size());
    values.push_back(from.values.data() + f * points.theta.size());
  }
  halo.exchange(comm, transform::host_components(std::as_const(torus)), [&](bool own) {
    if (own) return;
    rows.gather(halo);
    nufft::interpolate<T>(plan, rows.from(), to);
  });
  std::vector<std::span<T>> fields;
  for (Index map = 0; map < spec.maps; ++map)
    for (Index c = 0; c < spec.kind.components(); ++c) fields.push_back(torus.component(map, c));
  rows.prepare(halo, fields);
  nufft::spread<T>(plan, values, rows.to());
  rows.fold();
  results.torus.assign(torus.data().begin(), torus.data().end());
  return results;
}

template <class T>
double dot(const std::vector<T>& a, const std::vector<T>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += double{a[i]} * double{b[i]};
  return sum;
}

template <class T>
double relative_error(const std::vector<T>& some, const std::vector<T>& expected) {
  std::vector<double> difference(some.size());
  for (std::size_t i = 0; i < some.size(); ++i) difference[i] = double{some[i]} - double{expected[i]};
  return std::sqrt(dot(difference, difference) / dot(expected, expected));
}

template <class T>
std::uint64_t hash(const Results<T>& results) {
  return core::fnv1a(results.torus.data(), results.torus.size() * sizeof(T),
                     core::fnv1a(results.values.data(), results.values.size() * sizeof(T)));
}

template <class T>
bool begins_with(const std::vector<T>& all, const std::vector<T>& some) {
  return std::ranges::equal(std::span(all).first(some.size()), some);
}

// Whether values are the same bits without the other points, which are on other ranks in a job.
template <class T>
bool same_without_others(const PointVariant& variant, const points::PointTransformSpec& spec, const Points& points,
                         const Results<T>& from, const std::vector<T>& values) {
  constexpr std::size_t kStride = 3;
  Points some;
  for (std::size_t i = 0; i < points.theta.size(); i += kStride) some.add(points.theta[i], points.phi[i]);
  const std::vector<T> found = run_on_device<T>(variant, spec, some, from).values;
  for (std::size_t k = 0; k < found.size(); ++k) {
    const std::size_t field = k / some.theta.size(), point = k % some.theta.size() * kStride;
    if (found[k] != values[field * points.theta.size() + point]) return false;
  }
  return true;
}

template <class T>
bool agrees(const PointVariant& variant, points::PointTransformSpec spec, bool crowded) {
  const nufft::KernelChoice kernel =
      nufft::choose_kernel(spec.alm->layout().lmax(), spec.accuracy, core::kPrecisionOf<T>);
  if (!why_unusable(variant, kernel.width, core::kPrecisionOf<T>).empty()) return true;
  const Points points = make_points(kernel, crowded);
  const Index fields = spec.maps * spec.kind.components();
  Results<T> from;
  from.values.resize(at(fields) * points.theta.size());
  from.torus.resize(at(fields * kernel.fine_length * kernel.fine_length / 2));
  fill_with_noise(std::span(from.values), 1);
  fill_with_noise(std::span(from.torus), 2);
  const Results<T> expected = run_on_cpu<T>(spec, kernel, points, from);
  const Results<T> own = run_on_device<T>(variant, spec, points, from);
  const bool same = hash(own) == hash(run_on_device<T>(variant, spec, points, from));
  bool alone = same_without_others(variant, spec, points, from, own.values);
  if (spec.maps > 1) {
    spec.maps = 1;
    const Results<T> first = run_on_device<T>(variant, spec, points, from);
    alone = alone && begins_with(own.values, first.values) && begins_with(own.torus, first.torus);
  }
  const double to = relative_error(own.values, expected.values), back = relative_error(own.torus, expected.torus);
  const double transpose = std::abs(dot(own.values, from.values) - dot(from.torus, own.torus)) /
                           std::sqrt(dot(own.values, own.values) * dot(from.values, from.values));
  const bool good = same && alone && to <= kTolerance<T> && back <= kTolerance<T> && transpose <= kTolerance<T>;
  std::printf("parity %s: width %d, %lld fields, %zu points, %s: %.1e %.1e, transpose %.1e %016llx %s\n", variant.name,
              kernel.width, static_cast<long long>(fields), points.theta.size(),
              sizeof(T) == sizeof(double) ? "double" : "single", to, back, transpose,
              static_cast<unsigned long long>(hash(own)),
              good     ? "ok"
              : !same  ? "FAILED: not the same bits in two runs"
              : !alone ? "FAILED: not the same bits beside other points or fields"
                       : "FAILED");
  std::fflush(stdout);
  return good;
}

}  // namespace

int count_failures(const PointVariant& variant) {
  int failures = 0;
  for (const double accuracy : {0.1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12}) {
    const bool crowded = accuracy == 1e-6 || accuracy == 1e-10;
    points::PointTransformSpec spec{
        .kind = crowded ? transform::FieldKind::temperature_polarisation() : transform::FieldKind::spin(3),
        .alm = std::make_shared<dist::AlmDistribution>(alm::AlmLayout(60, 60), 1),
        .maps = crowded ? 2 : 1,
        .accuracy = accuracy,
        .backend = backend::Kind::kCuda};
    failures += agrees<double>(variant, spec, crowded) ? 0 : 1;
    if (accuracy >= 1e-5) failures += agrees<float>(variant, spec, crowded) ? 0 : 1;
  }
  return failures;
}

}  // namespace armilla::perf
