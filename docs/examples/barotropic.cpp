#include <armilla/armilla.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <exception>
#include <vector>

namespace {

using armilla::Index;
using Coefficients = std::vector<std::complex<double>>;

constexpr double kRadius = 6.37122e6, kRotation = 7.292e-5, kAmplitude = 7.848e-6, kStep = 600, kTime = 5 * 86400;

// The Rossby-Haurwitz wave R = 4 of Williamson et al. (1992), which keeps its shape and moves eastward.
double wave(double cos_theta, double sin_theta, double phi, double time) {
  const double speed = (28 * kAmplitude - 2 * kRotation) / 30;
  return 2 * kAmplitude * cos_theta -
         30 * kAmplitude * cos_theta * std::pow(sin_theta, 4) * std::cos(4 * (phi - speed * time));
}

// Calls use(index of the local pixel, ring, longitude).
template <class Use>
void for_pixels(const armilla::Map<double>& map, const Use& use) {
  for (const armilla::LocalRing& own : map.rings())
    for (Index j = 0; j < own.ring.nphi; ++j) use(static_cast<std::size_t>(own.offset + j), own.ring, own.phi(j));
}

// Barotropic vorticity model, on the ranks of `world`: d zeta / dt = - div((zeta + f) v), v without divergence. The
// state is memory of the program.
class Model {
 public:
  explicit Model(const armilla::Communicator& world)
      : scalars_(world, {.grid = armilla::make_gauss(64, 128), .lmax = 42}),
        winds_(world, {.grid = scalars_.grid(), .lmax = 42, .fields = armilla::FieldKind::wind()}),
        vorticity_(scalars_.make_map()),
        wind_(winds_.make_map()),
        derivatives_(winds_.make_vorticity_divergence()) {}

  Coefficients start() {
    for_pixels(vorticity_, [&](std::size_t i, const armilla::Ring& ring, double phi) {
      vorticity_.data()[i] = wave(ring.cos_theta, ring.sin_theta, phi, 0);
    });
    Coefficients zeta(scalars_.make_alm().data().size());
    auto alm = scalars_.alm_of(zeta);
    scalars_.analysis(vorticity_, alm);
    return zeta;
  }

  Coefficients tendency(const Coefficients& zeta) {
    const auto all = derivatives_.data();
    const auto divergence = all.subspan(zeta.size());
    std::ranges::copy(zeta, all.begin());
    std::ranges::fill(divergence, 0.0);
    winds_.vector_fields(derivatives_, wind_, {.radius = kRadius});
    scalars_.synthesis(scalars_.const_alm_of(zeta), vorticity_);
    const auto pixels = vorticity_.data(), wind = wind_.data();
    for_pixels(vorticity_, [&](std::size_t i, const armilla::Ring& ring, double) {
      const double absolute = pixels[i] + 2 * kRotation * ring.cos_theta;
      wind[i] *= absolute;
      wind[pixels.size() + i] *= absolute;
    });
    winds_.vorticity_divergence(wind_, derivatives_, {.radius = kRadius});
    Coefficients change(zeta.size());
    std::ranges::transform(divergence, change.begin(), std::negate());
    return change;
  }

  // The largest error of the vorticity at a time, divided by its largest value.
  double error(const Coefficients& zeta, double time) {
    scalars_.synthesis(scalars_.const_alm_of(zeta), vorticity_);
    std::vector<double> largest(2, 0.0);
    for_pixels(vorticity_, [&](std::size_t i, const armilla::Ring& ring, double phi) {
      const double exact = wave(ring.cos_theta, ring.sin_theta, phi, time);
      largest[0] = std::max(largest[0], std::abs(vorticity_.data()[i] - exact));
      largest[1] = std::max(largest[1], std::abs(exact));
    });
    scalars_.comm().max(std::span<double>(largest));
    return largest[0] / largest[1];
  }

 private:
  armilla::Transform<double> scalars_, winds_;
  armilla::Map<double> vorticity_, wind_;
  armilla::Alm<double> derivatives_;
};

Coefficients sum(const Coefficients& a, double factor, const Coefficients& b) {
  Coefficients result(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) result[i] = a[i] + factor * b[i];
  return result;
}

void run() {
  Model model(armilla::Communicator::world());
  Coefficients zeta = model.start();
  for (int step = 0; step < static_cast<int>(kTime / kStep); ++step) {  // Runge-Kutta
    const Coefficients k1 = model.tendency(zeta), k2 = model.tendency(sum(zeta, kStep / 2, k1));
    const Coefficients k3 = model.tendency(sum(zeta, kStep / 2, k2)), k4 = model.tendency(sum(zeta, kStep, k3));
    zeta = sum(sum(sum(sum(zeta, kStep / 6, k1), kStep / 3, k2), kStep / 3, k3), kStep / 6, k4);
  }
  const double error = model.error(zeta, kTime);
  if (armilla::Communicator::world().is_root())
    std::printf("largest error of the vorticity after 5 days, of its largest value: %.1e\n", error);
}

}  // namespace

int main(int argc, char** argv) {
  armilla::Session mpi(argc, argv);
  try {
    run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}
