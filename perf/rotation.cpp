// Times rotations of random coefficients by armilla::rotation only, on one rank, and compares the time with the FMA
// count.
#include <armilla/alm/alm_layout.hpp>
#include <armilla/core/aligned_buffer.hpp>
#include <armilla/core/timer.hpp>
#include <armilla/rotation/rotator.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include <omp.h>

using namespace armilla;

int main(int argc, char** argv) {
  const core::Index lmax = argc > 1 ? std::atol(argv[1]) : 1023;
  const core::Index fields = argc > 2 ? std::atol(argv[2]) : 1;
  const int rounds = argc > 3 ? std::atoi(argv[3]) : 7;
  const alm::AlmLayout layout(lmax, lmax);
  core::AlignedBuffer<std::complex<double>> a(layout.size() * fields);
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  for (auto& value : a.span()) value = {normal(random), normal(random)};
  std::vector<core::Index> offsets, strides;
  for (core::Index m = 0; m <= lmax; ++m) {
    offsets.push_back(layout.offset(m));
    strides.push_back(layout.size());
  }
  std::vector<rotation::DegreeRun> runs;
  for (core::Index l = 0; l <= lmax; l += 8) runs.push_back({l, std::min<core::Index>(8, lmax + 1 - l), l});
  for (int round = 0; round < rounds; ++round) {
    const double start = core::now_seconds();
    rotation::Rotator rotator({0.3L, 1.1L, -0.7L}, lmax, omp_get_max_threads());
    const double ready = core::now_seconds();
    rotator.rotate<double>({a.data(), fields, offsets, strides, runs});
    const double end = core::now_seconds();
    std::printf("%.3f ms prepare, %.3f ms rotate, %.2f GFMA/s\n", 1e3 * (ready - start), 1e3 * (end - ready),
                1e-9 * rotation::quarter_turn_fma(lmax, fields) * static_cast<double>(fields) / (end - ready));
  }
}
