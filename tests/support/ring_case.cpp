#include "support/ring_case.hpp"

#include <armilla/grid/makers.hpp>

#include <memory>

namespace armilla::test {

namespace {

// Rings of these lengths, in pairs of neighbours where asked for, of any phi0; every third has half as many m.
std::vector<fft::RingShape> shapes(const std::vector<Index>& lengths, Index mmax, bool paired) {
  std::vector<fft::RingShape> rings;
  for (std::size_t i = 0; i < lengths.size(); ++i)
    for (int side = 0; side < (paired ? 2 : 1); ++side) {
      const Index slot = static_cast<Index>(rings.size());
      const double phi0 = 0.37 * static_cast<double>(i % 5) - 0.74 + 0.01 * side;
      rings.push_back({lengths[i], phi0, 0, i % 3 == 1 ? mmax / 2 : mmax + 1, paired ? slot ^ 1 : -1});
    }
  return rings;
}

}  // namespace

std::vector<std::unique_ptr<RingCase>> ring_cases() {
  std::vector<std::unique_ptr<RingCase>> cases;
  const auto of_grid = [&](const grid::RingGrid& grid, Index lmax, Index components, Index maps) {
    cases.push_back(std::make_unique<RingCase>(grid, lmax, components, maps));
  };
  const auto of_rings = [&](const std::string& name, std::vector<fft::RingShape> rings, Index components, Index maps) {
    cases.push_back(std::make_unique<RingCase>(name, std::move(rings), components, maps));
  };
  of_grid(grid::make_gauss(96, 192, 0.3), 95, 1, 1);
  of_grid(grid::make_gauss(33, 66), 40, 2, 3);
  of_grid(grid::make_equiangular("cc", 65, 0), 64, 2, 1);
  of_grid(grid::make_equiangular("mw", 64, 0), 63, 1, 3);
  of_grid(grid::make_equiangular("mw", 50, 97), 49, 1, 1);
  of_grid(grid::make_healpix(32), 95, 1, 1);
  of_grid(grid::make_healpix(64), 191, 2, 1);
  of_grid(grid::make_healpix(37), 140, 1, 3);
  of_grid(grid::make_octahedral(96), 95, 2, 1);
  of_grid(grid::make_reduced_gauss(128), 127, 1, 2);
  std::vector<Index> lengths;
  for (Index n = 1; n <= 70; ++n) lengths.push_back(n);
  of_rings("every short length", shapes(lengths, 13, true), 2, 1);
  of_rings("every short length, many m", shapes(lengths, 300, true), 1, 1);
  of_rings("no partners", shapes({1, 2, 3, 7, 33, 64, 97, 101, 128, 128, 128, 128, 128, 500}, 130, false), 1, 3);
  of_rings("lengths with large primes",
           shapes({67, 97, 4 * 17, 4 * 31, 4 * 37, 4 * 65, 2 * 101, 6 * 71, 4 * 127, 509, 4 * 251}, 300, true), 1, 1);
  of_rings("mmax far above nphi", shapes({36, 36, 36, 36, 40, 44, 60, 64, 66, 81, 96}, 1000, true), 1, 2);
  return cases;
}

}  // namespace armilla::test
