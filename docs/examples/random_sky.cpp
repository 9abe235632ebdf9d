#include <armilla/armilla.hpp>

#include <cstdio>
#include <vector>

// Synthesises a random field, analyses its map iteratively, and writes both to files.
int main(int argc, char** argv) {
  armilla::Session mpi(argc, argv);
  const auto world = armilla::Communicator::world();
  armilla::Transform t(world, {.grid = armilla::make_healpix(64), .lmax = 128});
  auto sky = t.make_alm();
  random_alm(sky, {.lmax = 128, .names = {"TT"}, .columns = {std::vector<double>(129, 1.0)}, .unit = "uK^2"}, 42);
  auto map = t.make_map();
  t.synthesis(sky, map);
  auto found = t.make_alm();
  t.analysis(map, found, {.iterations = 3});
  const double error = relative_error(found, sky)[0];
  if (world.is_root()) std::printf("relative error of the coefficients: %.3e\n", error);
  write("sky_map.fits", map, {.units = {"uK"}});
  write("found_alm.h5", found, {.units = {"uK"}});
}
