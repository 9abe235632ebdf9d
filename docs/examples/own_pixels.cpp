#include <armilla/armilla.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>

namespace {

// Access to local data: fills the pixels of each rank with 3 cos(theta) + 2 sin(theta) cos(phi), whose only non-zero
// coefficients are a_10 = 3 sqrt(4 pi / 3) and a_11 = -2 sqrt(2 pi / 3).
void run() {
  const auto world = armilla::Communicator::world();
  const auto grid = armilla::make_gauss(33, 65);  // exact up to lmax = 32
  armilla::Transform t(world, {.grid = grid, .lmax = 32});

  auto map = t.make_map();
  for (const armilla::LocalRing& own : map.rings()) {
    const auto pixels = map.of_ring(own);
    for (armilla::Index j = 0; j < own.ring.nphi; ++j)
      pixels[static_cast<std::size_t>(j)] = 3 * own.ring.cos_theta + 2 * own.ring.sin_theta * std::cos(own.phi(j));
  }

  auto alm = t.make_alm();
  t.analysis(map, alm);
  double largest = 0;
  for (const armilla::Index m : alm.local_m()) {
    armilla::Index l = m;
    for (const auto& found : alm.of_m(m)) {
      const double expected = l != 1 ? 0 : m == 0 ? 3 * std::sqrt(4 * M_PI / 3) : -2 * std::sqrt(2 * M_PI / 3);
      largest = std::max(largest, std::abs(found - expected));
      ++l;
    }
  }
  world.max({&largest, 1});
  if (!world.is_root()) return;
  std::printf("rank 0 of %d owns %zu of %zu rings; m = 1 is on rank %d\n", world.size(), map.rings().size(),
              grid.rings().size(), alm.distribution().owner(1));
  std::printf("largest error of a coefficient: %.1e\n", largest);
}

}  // namespace

int main(int argc, char** argv) {
  armilla::Session mpi(argc, argv);
  try {
    run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);  // other ranks may be waiting: errors of local calls are not collective
  }
}
