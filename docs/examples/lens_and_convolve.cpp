#include <armilla/armilla.hpp>

#include <cstdio>
#include <vector>

// A lensed sky, observed with a beam.
int main(int argc, char** argv) {
  armilla::Session mpi(argc, argv);
  const auto world = armilla::Communicator::world();
  constexpr armilla::Index kLmax = 128;

  armilla::SpectraTable sky{kLmax, {"TT"}, {std::vector<double>(kLmax + 1)}, "uK^2"}, potential = sky;
  for (std::size_t l = 2; l <= kLmax; ++l) {
    sky.columns[0][l] = 1e3 / static_cast<double>(l * l);
    potential.columns[0][l] = 1e-7 / static_cast<double>(l * l * l * l);
  }

  armilla::Job job(world, R"(
version: 1
steps:
  - random_alm: {spectrum: sky_cl, fields: [T], lmax: 128, seed: 1, out: sky}
  - random_alm: {spectrum: potential_cl, fields: [T], lmax: 128, seed: 2, out: phi}
  - lens:       {alm: sky, potential: phi, grid: healpix:64, accuracy: 1.0e-7, out: lensed}
  - convolve:   {map: lensed, kernel: {gaussian: {fwhm_arcmin: 180}}, out: observed}
)");
  job.input("sky_cl", sky);
  job.input("potential_cl", potential);
  job.keep("lensed");  // a value that a step uses is otherwise freed
  armilla::JobResult result = job.run();

  const auto power = [&](const armilla::Map<double>& map) {
    double sum = 0;
    for (const double pixel : map.data()) sum += pixel * pixel;
    world.sum({&sum, 1});
    return sum;
  };
  const double lensed = power(result.take_map("lensed")), observed = power(result.take_map("observed"));
  if (world.is_root()) std::printf("the beam removes power: %s\n", observed > 0 && observed < lensed ? "yes" : "no");
}
