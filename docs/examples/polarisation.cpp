#include <armilla/armilla.hpp>

#include <algorithm>
#include <cstdio>

// T, Q and U in single precision: writes the map of an E-only field to a file and reads it back. Its analysis has no B.
int main(int argc, char** argv) {
  armilla::Session mpi(argc, argv);
  const auto world = armilla::Communicator::world();
  const armilla::Index lmax = 64;
  armilla::Transform<float> t(world, {.grid = armilla::make_gauss(lmax + 1, 2 * lmax + 2),
                                      .lmax = lmax,
                                      .fields = armilla::FieldKind::temperature_polarisation()});
  auto sky = t.make_alm();  // components T, E, B
  for (const armilla::Index m : sky.local_m()) {
    const auto e = sky.of_m(m, 1);
    std::fill(e.begin() + std::max<armilla::Index>(2 - m, 0), e.end(), m == 0 ? 1.0F : 0.5F);  // spin 2 begins at l = 2
  }
  auto map = t.make_map();  // components T, Q, U
  t.synthesis(sky, map);
  write("polarised.h5", map, {.coordsys = "G"});

  auto again = t.make_map();
  read("polarised.h5", again);
  auto found = t.make_alm();
  t.analysis(again, found);
  const armilla::SpectraTable cl = spectra(found);
  const auto error = relative_error(found, sky);
  if (!world.is_root()) return 0;
  std::printf("relative error of E: %.1e, rms of B: %.1e\n", error[1], error[2]);
  std::printf("EE(10) %.5f BB(10) %.1e\n", (*cl.find("EE"))[10], (*cl.find("BB"))[10]);
}
