#include <armilla/armilla.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>
#include <string>
#include <vector>

#include "support/mpi_main.hpp"
#include "support/refusal.hpp"
#include <gtest/gtest.h>

namespace armilla {
namespace {

using test::expect_refusal;

using core::at;

/// A program with its own exchange: orders are dealt to two Legendre stages, northern and southern rings to two ring
/// stages (so that no ring shares its Fourier transform), or all rings to one.
template <class T>
void check_stages(const RingGrid& grid, Index spin, bool apart, T tolerance) {
  const Index lmax = 24, mmax = 20, maps = 2, components = spin == 0 ? 1 : 2, width = components * maps;
  Transform<T> t(Communicator::self(),
                 {.grid = grid, .lmax = lmax, .mmax = mmax, .fields = FieldKind::spin(spin), .maps = maps});
  Alm<T> alm = t.make_alm(), adjoint = t.make_alm();
  double next = 0;
  for (Index k = 0; k < maps; ++k)
    for (Index c = 0; c < components; ++c)
      for (const Index m : alm.local_m())
        for (Index l = std::max(m, spin); l <= lmax; ++l) {
          next += 0.4;
          alm.of_m(m, c, k)[at(l - m)] = {static_cast<T>(std::cos(next)), static_cast<T>(m == 0 ? 0 : std::sin(next))};
        }
  Map<T> map = t.make_map();
  t.synthesis(alm, map);
  t.adjoint_synthesis(map, adjoint);

  const StageSpec spec{.grid = grid, .lmax = lmax, .mmax = mmax, .spin = spin, .maps = maps};
  const auto all_rings = static_cast<Index>(grid.rings().size());
  std::vector<std::vector<Index>> orders(2), rings(apart ? 2 : 1);
  for (Index m = 0; m <= mmax; ++m) orders[m % 3 == 0 ? 0 : 1].push_back(m);
  for (Index r = 0; r < all_rings; ++r) rings[apart && 2 * r >= all_rings ? 1 : 0].push_back(r);

  // The exchange: [m][ring] of all.
  std::vector<std::complex<T>> delta(at((mmax + 1) * all_rings * width));
  const auto value = [&](std::vector<std::complex<T>>& of, Index m, Index ring, Index count) {
    return of.begin() + (m * count + ring) * width;
  };
  const auto coefficients = [&](Alm<T>& field, const std::vector<Index>& own, std::vector<std::complex<T>>& to,
                                bool out) {
    auto place = to.begin();
    for (Index k = 0; k < maps; ++k)
      for (Index c = 0; c < components; ++c)
        for (const Index m : own) {
          const auto of_m = field.of_m(m, c, k);
          if (out)
            std::copy_n(place, of_m.size(), of_m.begin());
          else
            std::copy_n(of_m.begin(), of_m.size(), place);
          place += lmax - m + 1;
        }
  };
  for (const std::vector<Index>& own : orders) {
    LegendreStage<T> stage(spec, own);
    std::vector<std::complex<T>> part(at(stage.delta_size()), T(9)), own_alm(at(stage.alm_size()));
    coefficients(alm, own, own_alm, false);
    stage.synthesis(own_alm, part);
    for (std::size_t k = 0; k < own.size(); ++k)
      std::copy_n(value(part, static_cast<Index>(k), 0, all_rings), all_rings * width,
                  value(delta, own[k], 0, all_rings));
  }
  std::vector<T> pixels(map.data().size());
  std::vector<std::complex<T>> transposed(delta.size());
  for (const std::vector<Index>& own : rings) {
    RingStage<T> stage(spec, own);
    const auto count = static_cast<Index>(own.size());
    std::vector<std::complex<T>> part(at(stage.delta_size()));
    std::vector<T> own_pixels(at(stage.map_size()));
    for (Index m = 0; m <= mmax; ++m)
      for (Index s = 0; s < count; ++s)
        std::copy_n(value(delta, m, own[at(s)], all_rings), width, value(part, m, s, count));
    stage.synthesis(part, own_pixels);
    const Index first = grid.rings()[at(own.front())].first_pixel, all = stage.map_size() / width;
    for (Index f = 0; f < width; ++f)
      std::copy_n(own_pixels.begin() + f * all, all, pixels.begin() + f * grid.npix() + first);
    std::ranges::fill(part, T(9));
    stage.adjoint_synthesis(own_pixels, part);
    for (Index m = 0; m <= mmax; ++m)
      for (Index s = 0; s < count; ++s)
        std::copy_n(value(part, m, s, count), width, value(transposed, m, own[at(s)], all_rings));
  }
  const auto close = [&](const auto& a, const auto& b) {
    return std::ranges::equal(a, b, [&](auto x, auto y) { return std::abs(x - y) <= tolerance; });
  };
  EXPECT_TRUE(close(pixels, map.data())) << grid.description().text() << " spin " << spin;

  Alm<T> found = t.make_alm();
  for (const std::vector<Index>& own : orders) {
    LegendreStage<T> stage(spec, own);
    std::vector<std::complex<T>> part(at(stage.delta_size())), own_alm(at(stage.alm_size()));
    for (std::size_t k = 0; k < own.size(); ++k)
      std::copy_n(value(transposed, own[k], 0, all_rings), all_rings * width,
                  value(part, static_cast<Index>(k), 0, all_rings));
    stage.adjoint_synthesis(part, own_alm);
    coefficients(found, own, own_alm, true);
  }
  const T scale = static_cast<T>(grid.npix());
  for (std::size_t i = 0; i < found.data().size(); ++i)
    EXPECT_LE(std::abs(found.data()[i] - adjoint.data()[i]), scale * tolerance);
}

TEST(Stages, GiveTheBitsOfTheTransform) {
  for (const Index spin : {0, 2}) {
    check_stages<double>(make_gauss(26, 50), spin, false, 0);
    check_stages<double>(make_healpix(8), spin, false, 0);
  }
  check_stages<float>(make_healpix(8), 1, false, 0);
}

TEST(Stages, RingsMayBeAnywhere) { check_stages<double>(make_healpix(8), 2, true, 1e-13); }

TEST(Stages, ListsThatAreNotValid) {
  const StageSpec spec{.grid = make_gauss(4, 8), .lmax = 3};
  expect_refusal([&] { LegendreStage<double>(spec, {0, 4}); }, "order 4 does not exist: use 0 to 3");
  expect_refusal([&] { LegendreStage<double>(spec, {1, 0}); }, "not ascending");
  expect_refusal([&] { RingStage<double>(spec, {2, 2}); }, "ring 2 is given twice");
  LegendreStage<double> stage(spec, {0});
  std::vector<std::complex<double>> few(3), delta(4);
  expect_refusal([&] { stage.synthesis(few, delta); }, "alm has 3 values, but the stage needs 4");
}

}  // namespace
}  // namespace armilla
