// A job that lenses a sky on the device of one rank copies no map.
#include <armilla/core/types.hpp>

#include <string>

#include <fmt/format.h>
#include <job/device_job.hpp>
#include <kernels/core/emulation.hpp>

namespace armilla::job {
namespace {

constexpr Index kRings = 30;

class LensJob : public DeviceJob {
 protected:
  /// Bytes copied by a job on rings of this many pixels, of which only coefficients are written.
  std::size_t copied(Index nphi) {
    options_.overrides = {"execution.backend=cuda"};
    const std::size_t before = kernels::emulation().copied;
    const RunOutcome outcome = run_job(world_,
                                       job_file(fmt::format(R"(steps:
  - random_alm: {{spectrum: dl.dat, spectrum_kind: dl, fields: [T, E, B], lmax: 20, seed: 6, out: sky}}
  - select: {{alm: sky, fields: [T], out: drawn}}
  - scale: {{alm: drawn, factor: 1.0e-3, out: potential}}
  - lens: {{alm: sky, potential: potential, grid: {{gauss: {{nlat: {}, nphi: {}}}}}, out: lensed}}
  - analysis: {{map: lensed, lmax: 20, out: found}}
  - lens_adjoint: {{map: lensed, potential: potential, lmax: 20, out: back}}
outputs:
  found: {{file: found.h5}}
  back: {{file: back.h5}}
)",
                                                            kRings, nphi)),
                                       options_);
    EXPECT_EQ(outcome.report.backend, "cuda");
    return kernels::emulation().copied - before;
  }
};

TEST_F(LensJob, CopiesNoMap) {
  if (world_.size() > 1) return;
  constexpr Index kFew = 256, kMany = 2048;
  const std::size_t few = copied(kFew), many = copied(kMany);
  const auto component = static_cast<std::size_t>(kRings * (kMany - kFew)) * sizeof(double);
  EXPECT_GT(few, std::size_t{0});
  EXPECT_LT(many, few + component / 8);
}

}  // namespace
}  // namespace armilla::job
