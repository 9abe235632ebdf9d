#include <armilla/comm/phase.hpp>
#include <armilla/core/log.hpp>
#include <armilla/core/timer.hpp>
#include <armilla/ops/pixel_weights_solver.hpp>
#include <armilla/ops/reproducible_sum.hpp>
#include <armilla/transform/field_transform.hpp>

#include <algorithm>
#include <cmath>
#include <memory>

namespace armilla::ops {

namespace {

using Alm = transform::AlmField<double>;
using Map = transform::MapField<double>;

constexpr Index kMaxIterations = 500;
constexpr int kMaxRestarts = 3;
// Tolerances for the rms residual of all conditions: recursively updated, and recomputed from the weights.
constexpr double kEnough = 2e-15;
constexpr double kGood = 1e-14;
constexpr Index kQuarters = 4;
constexpr double kQuietSeconds = 30;

using core::at;

transform::FieldTransformSpec quarter_spec(Index nside, Index degree, int ranks) {
  transform::FieldTransformSpec spec;
  spec.kind = transform::FieldKind::scalar();
  spec.alm =
      std::make_shared<dist::AlmDistribution>(alm::AlmLayout(degree, degree - degree % kQuarters), ranks, kQuarters);
  spec.pixels = std::make_shared<dist::PixelDistribution>(
      std::make_shared<const grid::RingGrid>(grid::make_healpix_quarter(nside)), ranks);
  // The cached weights must not depend on the backend or on options of the job.
  spec.backend = backend::Kind::kCpu;
  spec.options.theta_resampling = backend::ThetaResampling::kOff;
  return spec;
}

struct Fields {
  Fields(const transform::FieldTransformSpec& spec, int rank)
      : residual(spec.kind, spec.alm, rank, 1),
        image(spec.kind, spec.alm, rank, 1),
        x(spec.kind, spec.pixels, rank, 1),
        direction(spec.kind, spec.pixels, rank, 1),
        gradient(spec.kind, spec.pixels, rank, 1) {}
  Alm residual, image;
  Map x, direction, gradient;
};

class WeightsSolver {
 public:
  WeightsSolver(const comm::Communicator& comm, const grid::HealpixOrbits& orbits,
                transform::FieldTransform<double>& transform, Fields& fields)
      : comm_(comm),
        orbits_(orbits),
        transform_(transform),
        own_m_(spec().alm->local_m(comm.rank())),
        offsets_(spec().alm->local_offsets(comm.rank())),
        residual_(fields.residual),
        image_(fields.image),
        x_(fields.x),
        direction_(fields.direction),
        gradient_(fields.gradient),
        scale_(4 * core::kPi / (3 * static_cast<double>(orbits.nside()) * static_cast<double>(orbits.nside()))) {
    std::ranges::fill(x_.data(), 0.0);
    for (Index m = 0; m <= degree(); m += kQuarters) conditions_ += (degree() - m) / 2 + 1;
  }

  FoundWeights run() {
    FoundWeights found;
    const double all = std::sqrt(static_cast<double>(conditions_));
    for (int restart = 0; restart <= kMaxRestarts; ++restart) {
      symmetrise();
      find_residual();
      if (std::sqrt(square(residual_)) <= kGood * all || found.iterations == kMaxIterations) break;
      if (restart < kMaxRestarts) iterate(kEnough * all, found.iterations);
    }
    found.error = largest(residual_);
    found.corrections = own_corrections();
    const dist::PixelDistribution& pixels = *spec().pixels;
    for (int rank = 0; rank <= pixels.ranks(); ++rank) found.begin.push_back(orbits_.begin(pixels.pair_begin(rank)));
    return found;
  }

 private:
  const transform::FieldTransformSpec& spec() const { return transform_.spec(); }
  Index degree() const { return spec().alm->layout().lmax(); }

  // Calls f(coefficient, multiplicity in a sum over m and -m) for the coefficients that symmetry permits, and sets the
  // others to zero.
  template <class F>
  void for_each(Alm& alm, F&& f) const {
    std::complex<double>* const values = alm.data().data();
    for (std::size_t k = 0; k < own_m_.size(); ++k)
      for (Index l = own_m_[k]; l <= degree(); ++l) {
        std::complex<double>& value = values[offsets_[k] + l];
        if (l % 2 == 0)
          f(value, own_m_[k] == 0 ? 1.0 : 2.0);
        else
          value = 0;
      }
  }

  double square(Alm& alm) const {
    return reproducible_sums(comm_, 1, conditions_, [&](auto&& add) {
      for_each(alm, [&](std::complex<double>& a, double count) { add(0, count * a.real() * a.real()); });
    })[0];
  }

  double square(const Map& map) const {
    return reproducible_sums(comm_, 1, spec().pixels->grid().npix(), [&](auto&& add) {
      for (const double value : map.data()) add(0, value * value);
    })[0];
  }

  double largest(Alm& alm) const {
    double most = 0;
    for_each(alm, [&](std::complex<double>& a, double) { most = std::max(most, std::abs(a.real())); });
    comm_.max(std::span(&most, 1));
    return most;
  }

  // Sums over the pixels of the whole sphere of (4 pi / npix) map conj(Y_lm).
  void integrate(const Map& map, Alm& alm) {
    transform_.adjoint_synthesis(map, alm);
    for_each(alm, [&](std::complex<double>& a, double) { a = scale_ * a.real(); });
  }

  // Computes the residual of the conditions from the weights.
  void find_residual() {
    const auto x = x_.data();
    const auto weights = direction_.data();
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < x.size(); ++i) weights[i] = 1 + x[i];
    integrate(direction_, residual_);
    for_each(residual_, [](std::complex<double>& a, double) { a = -a; });
    if (!own_m_.empty() && own_m_.front() == 0) residual_.data()[at(offsets_.front())] += std::sqrt(4 * core::kPi);
  }

  // Updates x by conjugate gradients. residual_ is updated recursively and may differ from the true residual by
  // rounding.
  void iterate(double enough, Index& iterations) {
    const auto x = x_.data();
    const auto direction = direction_.data();
    transform_.synthesis(residual_, gradient_);
    const auto gradient = gradient_.data();
    std::ranges::copy(gradient, direction.begin());
    double size = square(gradient_);
    while (size > 0 && iterations < kMaxIterations) {
      ++iterations;
      integrate(direction_, image_);
      const double step = scale_ * size / square(image_);
#pragma omp parallel for schedule(static)
      for (std::size_t i = 0; i < x.size(); ++i) x[i] += step * direction[i];
      const auto left = residual_.data();
      const auto image = image_.data();
#pragma omp parallel for schedule(static)
      for (std::size_t i = 0; i < left.size(); ++i) left[i] -= step * image[i];
      const double error = std::sqrt(square(residual_));
      if (error <= enough) return;
      tell(iterations, error);
      transform_.synthesis(residual_, gradient_);
      const double next = square(gradient_);
      const double back = next / size;
#pragma omp parallel for schedule(static)
      for (std::size_t i = 0; i < x.size(); ++i) direction[i] = gradient[i] + back * direction[i];
      size = next;
    }
  }

  // Reports progress at intervals, because large nside take minutes.
  void tell(Index iterations, double error) {
    if (!comm_.is_root() || core::now_seconds() - told_at_ < kQuietSeconds) return;
    told_at_ = core::now_seconds();
    core::log().info("pixel weights: {} of at most {} iterations, rms error {:.1e}", iterations, kMaxIterations,
                     error / std::sqrt(static_cast<double>(conditions_)));
  }

  // Calls f(pair, index of the first pixel in the map) for the local rings.
  template <class F>
  void for_each_ring(F&& f) const {
    const dist::PixelDistribution& pixels = *spec().pixels;
    const std::vector<Index> rings = pixels.local_rings(comm_.rank());
    const std::vector<Index> begins = pixels.local_ring_pixels(comm_.rank());
    for (std::size_t slot = 0; slot < rings.size(); ++slot)
      f(std::min(rings[slot], 4 * orbits_.nside() - 2 - rings[slot]), begins[slot]);
  }

  std::vector<double> own_corrections() const {
    const dist::PixelDistribution& pixels = *spec().pixels;
    const Index first = orbits_.begin(pixels.pair_begin(comm_.rank()));
    std::vector<double> own(at(orbits_.begin(pixels.pair_begin(comm_.rank() + 1)) - first));
    const std::span<const double> x = x_.data();
    for_each_ring([&](Index pair, Index begin) {
      for (Index j = 0; j < orbits_.quarter(pair); ++j)
        own[at(orbits_.begin(pair) + orbits_.place(pair, j) - first)] = x[at(begin + j)];
    });
    return own;
  }

  // Sets all pixels of an orbit to the same value; rounding errors make them differ.
  void symmetrise() {
    const Index first = orbits_.begin(spec().pixels->pair_begin(comm_.rank()));
    const std::vector<double> own = own_corrections();
    const std::span<double> x = x_.data();
    for_each_ring([&](Index pair, Index begin) {
      for (Index j = 0; j < orbits_.quarter(pair); ++j)
        x[at(begin + j)] = own[at(orbits_.begin(pair) + orbits_.place(pair, j) - first)];
    });
  }

  const comm::Communicator& comm_;
  const grid::HealpixOrbits& orbits_;
  transform::FieldTransform<double>& transform_;
  std::vector<Index> own_m_, offsets_;
  Alm& residual_;
  Alm& image_;
  Map& x_;
  Map& direction_;
  Map& gradient_;
  double scale_;  // 4 (4 pi / npix)
  Index conditions_ = 0;
  double told_at_ = core::now_seconds();
};

}  // namespace

FoundWeights find_pixel_weights(const comm::Communicator& comm, const grid::HealpixOrbits& orbits, Index degree) {
  transform::FieldTransform<double> transform(comm, quarter_spec(orbits.nside(), degree, comm.size()));
  std::unique_ptr<Fields> fields;
  comm::phase(comm, [&] { fields = std::make_unique<Fields>(transform.spec(), comm.rank()); });
  return WeightsSolver(comm, orbits, transform, *fields).run();
}

core::MemoryEstimate find_pixel_weights_memory(Index nside, Index degree, int rank, int ranks) {
  const transform::FieldTransformSpec spec = quarter_spec(nside, degree, ranks);
  const core::MemoryEstimate all = transform::FieldTransform<double>::memory(spec, rank) +
                                   Index{3} * spec.map_memory<double>(rank) + Index{2} * spec.alm_memory<double>(rank);
  return {.workspace =
              all.peak() + 2 * grid::HealpixOrbits(nside).count() * static_cast<Index>(sizeof(double)) / ranks};
}

}  // namespace armilla::ops
