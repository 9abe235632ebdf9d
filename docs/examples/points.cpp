#include <armilla/armilla.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

// A random field at the points of a catalogue, and its coefficients computed only from these values.
int main(int argc, char** argv) {
  armilla::Session mpi(argc, argv);
  const auto world = armilla::Communicator::world();
  const armilla::Index lmax = 64;

  // Each rank provides its own points: 20000 in total, anywhere on the sphere.
  std::mt19937_64 random(static_cast<std::uint64_t>(world.rank()) + 1);
  std::uniform_real_distribution<double> cosine(-1, 1), longitude(0, 2 * std::acos(-1.0));
  std::vector<double> theta, phi;
  for (int i = world.rank(); i < 20000; i += world.size()) {
    theta.push_back(std::acos(cosine(random)));
    phi.push_back(longitude(random));
  }

  armilla::PointTransform t(world, {.lmax = lmax, .accuracy = 1e-12}, theta, phi);
  auto sky = t.make_alm();
  random_alm(sky, {.lmax = lmax, .names = {"TT"}, .columns = {std::vector<double>(65, 1.0)}, .unit = ""}, 42);
  std::vector<double> values(static_cast<std::size_t>(t.values_size()));
  t.synthesis(sky, values);

  auto found = t.make_alm();
  const auto fit = t.analysis(values, found, {}, {.tolerance = 1e-10})[0];
  const double error = relative_error(found, sky)[0];
  if (!world.is_root()) return 0;
  std::printf("condition %.1f; relative error below 1e-8: %s\n", fit.condition, error < 1e-8 ? "yes" : "no");
}
