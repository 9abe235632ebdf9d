#include <armilla/armilla.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

// 100 simulations of a smoothed sky. The job is prepared once; later runs reuse what it has planned.
int main(int argc, char** argv) {
  armilla::Session mpi(argc, argv);
  const auto world = armilla::Communicator::world();
  constexpr armilla::Index kLmax = 48;
  const armilla::SpectraTable flat{kLmax, {"TT"}, {std::vector<double>(kLmax + 1, 1.0)}, ""};

  armilla::Transform t(world, {.grid = armilla::make_gauss(kLmax + 1, 2 * kLmax + 2), .lmax = kLmax});
  auto alm = t.make_alm();
  armilla::Job job(world, R"(
version: 1
steps:
  - smooth:    {alm: alm, fwhm_arcmin: 600, out: smooth}
  - synthesis: {alm: smooth, grid: healpix:16, out: sky}
  - spectra:   {alm: smooth, out: cl}
)");
  job.input("alm", alm);  // not copied: each run reads the present coefficients
  double mean = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    random_alm(alm, flat, seed);
    armilla::JobResult result = job.run();
    mean += result.take_spectra("cl")[0].columns[0][10] / 100;
  }
  // A Gaussian of that width has B_l = exp(-l (l + 1) sigma^2 / 2).
  const double sigma = 10.0 / 180 * std::acos(-1.0) / std::sqrt(8 * std::log(2.0));
  const double expected = std::exp(-110 * sigma * sigma);
  if (world.is_root())
    std::printf("mean C_10 within 20%% of B_10^2: %s\n", std::abs(mean / expected - 1) < 0.2 ? "yes" : "no");
}
