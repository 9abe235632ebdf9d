#include <armilla/armilla.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

// The spectrum of a masked map: a job of `armilla run` on values in memory.
int main(int argc, char** argv) {
  armilla::Session mpi(argc, argv);
  const auto world = armilla::Communicator::world();
  constexpr armilla::Index kLmax = 96;

  armilla::Transform t(world, {.grid = armilla::make_healpix(32), .lmax = kLmax});
  auto alm = t.make_alm();
  random_alm(alm, {.lmax = kLmax, .names = {"TT"}, .columns = {std::vector<double>(kLmax + 1, 1.0)}, .unit = "K^2"}, 1);
  auto sky = t.make_map(), mask = t.make_map();
  t.synthesis(alm, sky);
  // The mask is 0 within 20 degrees of the equator.
  for (const armilla::LocalRing& ring : mask.rings())
    for (double& pixel : mask.of_ring(ring)) pixel = std::abs(std::cos(ring.ring.theta)) > 0.34 ? 1 : 0;

  armilla::Job job(world, R"(
version: 1
steps:
  - mask:     {map: sky, mask: galaxy, out: cut_sky}
  - analysis: {map: cut_sky, lmax: 64, method: {jacobi: 3}, out: cut_alm}
  - spectra:  {alm: cut_alm, out: pseudo_cl}
  - decouple: {spectra: pseudo_cl, mask: galaxy, bin: 8, out: cl}
)");
  job.input("sky", sky, {.units = {"K"}});
  job.input("galaxy", mask);
  armilla::JobResult result = job.run();
  const armilla::SpectraTable cl = result.take_spectra("cl")[0];
  if (!world.is_root()) return 0;
  double mean = 0;
  for (std::size_t l = 16; l < 56; ++l) mean += cl.columns[0][l] / 40;
  std::printf("mean C_l of 16 <= l < 56 within 20%% of 1 K^2: %s\n", std::abs(mean - 1) < 0.2 ? "yes" : "no");
}
