#include <armilla/fft/ring_transform.hpp>

#include <cmath>
#include <limits>

#include "support/fields.hpp"
#include <gtest/gtest.h>

namespace armilla::fft {
namespace {

constexpr Index kMaxM = 13;

// Rings shorter, as long as, and longer than 2 mmax + 1, odd and even, with any phase and fewer m.
struct Sphere {
  Sphere() {
    const Index lengths[] = {1, 2, 3, 4, 7, 8, 13, 26, 27, 28, 64};
    Index pixel = 0;
    Index slot = 0;
    for (const Index n : lengths) {
      rings.push_back({n, 0.3 * static_cast<double>(slot) - 1.0, pixel, slot % 3 == 1 ? kMaxM / 2 : kMaxM + 1});
      pixel += n;
      ++slot;
    }
    pixels = pixel;
    width = 4;  // 2 components, 2 maps
    for (Index m = 0; m <= kMaxM; ++m) shift.push_back(m * slot * width);
    delta_size = (kMaxM + 1) * slot * width;
    task = {.rings = rings,
            .m_shift = shift,
            .components = 2,
            .maps = 2,
            .component_stride = pixels,
            .map_stride = 2 * pixels};
  }
  std::complex<double> expected_phase(const RingShape& ring, Index m, Index j) const {
    const double phi = ring.phi0 + 2 * core::kPi * static_cast<double>(j) / static_cast<double>(ring.nphi);
    return std::polar(1.0, static_cast<double>(m) * phi);
  }
  std::vector<RingShape> rings;
  std::vector<Index> shift;
  Index pixels = 0, width = 0, delta_size = 0;
  RingTask task;
};

TEST(RingTransform, SynthesisIsTheSumOverM) {
  const Sphere s;
  std::vector<std::complex<double>> delta(static_cast<std::size_t>(s.delta_size));
  for (std::size_t i = 0; i < delta.size(); ++i) delta[i] = {test::noise(1, i), test::noise(2, i)};
  std::vector<double> map(static_cast<std::size_t>(4 * s.pixels), std::nan(""));
  RingTransform<double>(s.task, std::make_shared<PlanCache<double>>()).synthesis(delta.data(), map.data());
  for (std::size_t slot = 0; slot < s.rings.size(); ++slot) {
    const RingShape& ring = s.rings[slot];
    for (Index w = 0; w < s.width; ++w)
      for (Index j = 0; j < ring.nphi; ++j) {
        double sum = 0;
        for (Index m = 0; m < ring.m_count; ++m) {
          const auto d = delta[static_cast<std::size_t>(s.shift[static_cast<std::size_t>(m)] +
                                                        static_cast<Index>(slot) * s.width + w)];
          sum += m == 0 ? d.real() : 2 * (d * s.expected_phase(ring, m, j)).real();
        }
        const Index component = w / 2;
        const Index k = w % 2;
        EXPECT_NEAR(map[static_cast<std::size_t>(k * 2 * s.pixels + component * s.pixels + ring.pixel + j)], sum,
                    1e-13);
      }
  }
}

TEST(RingTransform, AdjointIsTheWeightedSumOverPixels) {
  const Sphere s;
  std::vector<double> map(static_cast<std::size_t>(4 * s.pixels));
  for (std::size_t i = 0; i < map.size(); ++i) map[i] = test::noise(3, i);
  std::vector<double> factor;
  for (std::size_t slot = 0; slot < s.rings.size(); ++slot) factor.push_back(0.5 + 0.1 * static_cast<double>(slot));
  for (const bool weighted : {false, true}) {
    std::vector<std::complex<double>> delta(static_cast<std::size_t>(s.delta_size), std::nan(""));
    RingTransform<double>(s.task, std::make_shared<PlanCache<double>>())
        .adjoint(map.data(), weighted ? std::span<const double>(factor) : std::span<const double>(), delta.data());
    for (std::size_t slot = 0; slot < s.rings.size(); ++slot) {
      const RingShape& ring = s.rings[slot];
      for (Index w = 0; w < s.width; ++w)
        for (Index m = 0; m < ring.m_count; ++m) {
          std::complex<double> sum = 0;
          for (Index j = 0; j < ring.nphi; ++j)
            sum += map[static_cast<std::size_t>((w % 2) * 2 * s.pixels + (w / 2) * s.pixels + ring.pixel + j)] *
                   std::conj(s.expected_phase(ring, m, j));
          if (weighted) sum *= factor[slot];
          const auto d = delta[static_cast<std::size_t>(s.shift[static_cast<std::size_t>(m)] +
                                                        static_cast<Index>(slot) * s.width + w)];
          EXPECT_NEAR(std::abs(d - sum), 0, 1e-13);
        }
    }
  }
}

}  // namespace
}  // namespace armilla::fft
