#include <armilla/comm/communicator.hpp>
#include <armilla/core/error.hpp>
#include <armilla/grid/healpix.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/grid/part.hpp>
#include <armilla/math/wigner.hpp>
#include <armilla/transform/field_transform.hpp>

#include <algorithm>
#include <cmath>
#include <complex>

#include "round_trip.hpp"
#include "support/distance.hpp"
#include "support/fields.hpp"
#include <gtest/gtest.h>

namespace armilla::transform {
namespace {

using grid::RingGrid;
using test::make_spec;

double round_trip_error(const comm::Communicator& comm, RingGrid grid, Index lmax, Index spin) {
  return round_trip_error(comm, make_spec(test::kind_of_spin(spin), std::make_shared<RingGrid>(std::move(grid)),
                                          alm::AlmLayout(lmax, lmax), comm.size()));
}

void expect_exact_as_on_the_full_grid(const std::vector<Index>& degrees) {
  const auto comm = comm::Communicator::world();
  for (const Index lmax : degrees)
    for (const Index spin : {0, 1, 2, 3, 10, 100}) {
      if (spin > lmax || (comm.size() > 3 && lmax > 100)) continue;
      const double reduced = round_trip_error(comm, grid::make_reduced_gauss(lmax + 1, spin), lmax, spin);
      const double full = round_trip_error(comm, grid::make_gauss(lmax + 1, 2 * lmax + 2), lmax, spin);
      EXPECT_LE(reduced, 1.2 * full + 1e-15) << "lmax " << lmax << ", spin " << spin;
      EXPECT_LE(reduced, 5e-13);
      if (comm.is_root()) std::printf("lmax %ld spin %ld: %.2e, full %.2e\n", lmax, spin, reduced, full);
    }
}

TEST(ReducedGauss, RoundTripsAreAsExactAsOnTheFullGrid) { expect_exact_as_on_the_full_grid({1, 9, 127}); }
TEST(ReducedGaussSweep, RoundTripsAreAsExactAsOnTheFullGrid) { expect_exact_as_on_the_full_grid({1, 9, 63, 511}); }

struct Part {
  grid::GridDescription whole;
  grid::RingSelection selection;
};

// A part has the values that the whole has on these rings, and its adjoint sees nothing elsewhere.
TEST(Parts, AgreeWithTheWhole) {
  const auto comm = comm::Communicator::world();
  const std::vector<Part> parts{
      {{.kind = "healpix", .nside = 32}, {.theta = grid::ThetaRange{0.4, 1.1}}},
      {{.kind = "healpix", .nside = 32}, {.rings = {{64, 126}}}},
      {{.kind = "healpix", .nside = 24}, {.rings = {{0, 0}, {5, 5}, {40, 55}, {91, 94}}}},
      {{.kind = "gauss", .nlat = 61, .nphi = 120}, {.theta = grid::ThetaRange{0, core::kPi / 2}}},
      {{.kind = "equiangular", .rule = "cc", .nlat = 61, .nphi = 120}, {.rings = {{60, 60}}}},
      {{.kind = "reduced_gauss", .nlat = 70}, {.rings = {{1, 3}, {50, 60}}}}};
  for (const Part& part : parts)
    for (const Index spin : {0, 2})
      for (const auto resampling : {backend::ThetaResampling::kOff, backend::ThetaResampling::kOn}) {
        const auto whole_grid = std::make_shared<RingGrid>(grid::make_grid(part.whole));
        const auto part_grid = std::make_shared<RingGrid>(grid::make_part(part.whole, part.selection));
        SCOPED_TRACE(part_grid->description().text() + ", spin " + std::to_string(spin) + ", " + name_of(resampling));
        const auto kind = test::kind_of_spin(spin);
        const alm::AlmLayout layout(60, 55);
        auto asked = make_spec(kind, part_grid, layout, comm.size());
        asked.options.theta_resampling = resampling;
        FieldTransform<double> transform(comm, asked);
        const auto self = comm::Communicator::self();
        FieldTransform<double> whole(self, make_spec(kind, whole_grid, layout, 1));
        AlmField<double> alm(kind, transform.spec().alm, comm.rank(), 1);
        AlmField<double> whole_alm(kind, whole.spec().alm, 0, 1);
        test::fill_noise(alm, 5);
        test::fill_noise(whole_alm, 5);
        MapField<double> map(kind, transform.spec().pixels, comm.rank(), 1);
        MapField<double> whole_map(kind, whole.spec().pixels, 0, 1);
        test::poison(map);
        transform.synthesis(alm, map);
        whole.synthesis(whole_alm, whole_map);
        // [pixel of the part] -> pixel of the whole.
        std::vector<Index> pixel_of;
        for (const Index ring : grid::ring_numbers(*part_grid)) {
          const grid::Ring& there = whole_grid->rings()[static_cast<std::size_t>(ring)];
          for (Index j = 0; j < there.nphi; ++j) pixel_of.push_back(there.first_pixel + j);
        }
        ASSERT_EQ(static_cast<Index>(pixel_of.size()), part_grid->npix());
        MapField<double> expected(kind, transform.spec().pixels, comm.rank(), 1);
        test::fill_map(expected, [&](Index, Index c, Index p) {
          return whole_map.component(0, c)[static_cast<std::size_t>(pixel_of[static_cast<std::size_t>(p)])];
        });
        EXPECT_LE(test::distance(comm, map, expected), 2e-13);

        const auto value = [](Index, Index c, Index p) {
          return test::noise(3, static_cast<std::uint64_t>(p), static_cast<std::uint64_t>(c));
        };
        test::fill_map(map, value);
        std::ranges::fill(whole_map.data(), 0.0);
        for (Index c = 0; c < kind.components(); ++c)
          for (std::size_t p = 0; p < pixel_of.size(); ++p)
            whole_map.component(0, c)[static_cast<std::size_t>(pixel_of[p])] = value(0, c, static_cast<Index>(p));
        test::poison(alm);
        transform.adjoint_synthesis(map, alm);
        whole.adjoint_synthesis(whole_map, whole_alm);
        AlmField<double> expected_alm(kind, transform.spec().alm, comm.rank(), 1);
        const auto offsets = whole.spec().alm->local_offsets(0);
        test::fill_alm(expected_alm, [&](Index, Index c, Index l, Index m) {
          return whole_alm.component(0, c)[static_cast<std::size_t>(offsets[static_cast<std::size_t>(m)] + l)];
        });
        EXPECT_LE(test::distance(comm, alm, expected_alm), 2e-13);
        EXPECT_THROW(transform.quadrature(map, alm), core::InputError);
      }
}

// Rings of a grid whose map would fill 26 GB: next to the poles, at the edges of the caps, at the equator.
TEST(Parts, OfALargeHealpixGridAgreeWithDirectSums) {
  const auto comm = comm::Communicator::world();
  const Index nside = 16384;
  const Index last = grid::healpix_ring_count(nside) - 1;
  const auto rings = std::make_shared<RingGrid>(
      grid::make_part({.kind = "healpix", .nside = nside}, {.rings = {{0, 1},
                                                                      {777, 777},
                                                                      {nside - 1, nside},
                                                                      {2 * nside - 1, 2 * nside - 1},
                                                                      {last - 9000, last - 9000},
                                                                      {last, last}}}));
  const alm::AlmLayout layout(20, 20);
  for (const Index spin : {0, 2}) {
    const auto kind = test::kind_of_spin(spin);
    FieldTransform<double> transform(comm, make_spec(kind, rings, layout, comm.size()));
    AlmField<double> alm(kind, transform.spec().alm, comm.rank(), 1);
    MapField<double> map(kind, transform.spec().pixels, comm.rank(), 1);
    const auto coefficient = [&](Index, Index c, Index l, Index m) { return test::closed_form(l, m, c, spin); };
    test::fill_alm(alm, coefficient);
    test::poison(map);
    transform.synthesis(alm, map);
    double worst = 0;
    MapField<double> pixel(kind, transform.spec().pixels, comm.rank(), 1);
    test::fill_map(pixel, [](Index, Index, Index p) { return p; });
    for (const grid::Ring& ring : rings->rings()) {
      for (const Index j : {Index{0}, ring.nphi / 3, ring.nphi - 1}) {
        // Q + i U = sum of sa_lm sY_lm over m of both signs, sa = -(E + i B); a scalar is the real part of sum a Y.
        const double phi = ring.phi0 + 2 * core::kPi * static_cast<double>(j) / static_cast<double>(ring.nphi);
        std::complex<double> sum = 0;
        for (Index l = spin; l <= layout.lmax(); ++l)
          for (Index m = 0; m <= l; ++m) {
            const auto turn = std::polar(1.0, static_cast<double>(m) * phi);
            const std::complex<double> i(0, 1);
            const auto e = coefficient(0, 0, l, m);
            if (spin == 0) {
              sum += (m == 0 ? 1.0 : 2.0) * std::real(e * turn) * math::spin_harmonic(0, l, m, ring.theta);
              continue;
            }
            const auto b = coefficient(0, 1, l, m);
            sum -= (e + i * b) * turn * math::spin_harmonic(spin, l, m, ring.theta);
            if (m == 0) continue;
            // a_l-m = (-1)^m conj(a_lm), and sY_l-m = (-1)^(s + m) conj(-sY_lm).
            const double sign = spin % 2 == 0 ? 1.0 : -1.0;
            sum -= sign * (std::conj(e) + i * std::conj(b)) * std::conj(turn) *
                   math::spin_harmonic(-spin, l, m, ring.theta);
          }
        const Index wanted = ring.first_pixel + j;
        for (std::size_t k = 0; k < pixel.component(0, 0).size(); ++k) {
          if (static_cast<Index>(pixel.component(0, 0)[k]) != wanted) continue;
          worst = std::max(worst, std::abs(map.component(0, 0)[k] - sum.real()));
          if (spin > 0) worst = std::max(worst, std::abs(map.component(0, 1)[k] - sum.imag()));
        }
      }
    }
    // Sums of 400 terms of order 1, and longitudes to the rounding of 2 pi.
    EXPECT_LE(worst, 1e-12);
    if (comm.is_root()) std::printf("nside %ld, spin %ld: largest difference %.2e\n", nside, spin, worst);
  }
}

}  // namespace
}  // namespace armilla::transform
