#include <armilla/armilla.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <vector>

namespace {

// A program with its own distribution: pixel p of a HEALPix grid belongs to rank (p / 100) % ranks, as in codes that
// deal out blocks of the sky. It has two fields on them, [pixel][field], and wants both without their l < 2.
void run() {
  const auto world = armilla::Communicator::world();
  armilla::Transform t(world, {.grid = armilla::make_healpix(64), .lmax = 64, .maps = 2});
  std::vector<armilla::Index> pixels;
  for (armilla::Index p = 0; p < t.grid().npix(); ++p)
    if (p / 100 % world.size() == world.rank()) pixels.push_back(p);

  // Longitudes and colatitudes of the pixels: those of the rings, moved in the same way.
  const armilla::PixelRedistribution move(world, t.pixel_distribution(), pixels);
  const armilla::Strides by_pixel{.map = 1, .component = 2, .index = 2};
  std::vector<double> angles(2 * pixels.size()), fields(2 * pixels.size());
  auto map = t.make_map();
  for (const armilla::LocalRing& own : map.rings())
    for (armilla::Index j = 0; j < own.ring.nphi; ++j) {
      map.of_ring(own, 0, 0)[static_cast<std::size_t>(j)] = own.ring.theta;
      map.of_ring(own, 0, 1)[static_cast<std::size_t>(j)] = own.phi(j);
    }
  move.from_map<double>(map, angles, by_pixel);

  // Monopole, dipole, and l = 2 in the first field; l = 3, m = 3 in the second.
  const auto quadrupole = [](double theta, double) { return 3 * std::cos(theta) * std::cos(theta) - 1; };
  const auto octupole = [](double theta, double phi) { return std::pow(std::sin(theta), 3) * std::cos(3 * phi); };
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    const double theta = angles[2 * i], phi = angles[2 * i + 1];
    fields[2 * i] = 5 + 4 * std::sin(theta) * std::sin(phi) + quadrupole(theta, phi);
    fields[2 * i + 1] = 7 + octupole(theta, phi);
  }

  auto alm = t.make_alm();
  move.to_map<double>(fields, map, {}, by_pixel);
  t.analysis(map, alm, {.iterations = 8});
  for (const armilla::Index m : alm.local_m())
    for (armilla::Index k = 0; k < 2; ++k)
      for (armilla::Index l = m; l < 2; ++l) alm.of_m(m, 0, k)[static_cast<std::size_t>(l - m)] = 0;
  t.synthesis(alm, map);
  move.from_map<double>(map, fields, by_pixel);

  double largest = 0;
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    const double theta = angles[2 * i], phi = angles[2 * i + 1];
    largest = std::max({largest, std::abs(fields[2 * i] - quadrupole(theta, phi)),
                        std::abs(fields[2 * i + 1] - octupole(theta, phi))});
  }
  world.max({&largest, 1});
  if (world.is_root()) std::printf("largest error of a pixel: %.1e\n", largest);
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
