#include <armilla/comm/communicator.hpp>
#include <armilla/grid/healpix_symmetry.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/transform/field_transform.hpp>

#include <cmath>

#include "support/fields.hpp"
#include <gtest/gtest.h>

namespace armilla::transform {
namespace {

// Fields that repeat every quarter turn, on a quarter of the sphere with every fourth m, are those of the whole sphere.
TEST(MStep, QuarterOfTheSphereIsAsTheWhole) {
  const auto comm = comm::Communicator::world();
  const auto self = comm::Communicator::self();
  const auto kind = FieldKind::scalar();
  for (const auto& [nside, lmax] : {std::pair<Index, Index>{8, 20}, {9, 27}, {1, 3}}) {
    const alm::AlmLayout layout(lmax, lmax - lmax % 4);
    FieldTransform<double> whole(
        self, test::make_spec(kind, std::make_shared<grid::RingGrid>(grid::make_healpix(nside)), layout, 1));
    auto spec =
        test::make_spec(kind, std::make_shared<grid::RingGrid>(grid::make_healpix_quarter(nside)), layout, comm.size());
    spec.alm = std::make_shared<dist::AlmDistribution>(layout, comm.size(), 4);
    FieldTransform<double> quarter(comm, spec);
    const auto draw = [](Index l, Index m) {
      const auto key = static_cast<std::uint64_t>((l << 20) + m);
      return m % 4 != 0 ? 0.0 : std::complex<double>(test::noise(1, key), m == 0 ? 0.0 : test::noise(2, key));
    };
    AlmField<double> all(kind, whole.spec().alm, 0, 1);
    test::fill_alm(all, [&](Index, Index, Index l, Index m) { return draw(l, m); });
    AlmField<double> own(kind, spec.alm, comm.rank(), 1);
    test::fill_alm(own, [&](Index, Index, Index l, Index m) { return draw(l, m); });
    MapField<double> sky(kind, whole.spec().pixels, 0, 1);
    MapField<double> part(kind, spec.pixels, comm.rank(), 1);
    test::poison(part);
    whole.synthesis(all, sky);
    quarter.synthesis(own, part);
    const double tolerance = 1e-13 * static_cast<double>(lmax + 1);
    const std::vector<Index> rings = spec.pixels->local_rings(comm.rank());
    const std::vector<Index> begins = spec.pixels->local_ring_pixels(comm.rank());
    for (std::size_t slot = 0; slot < rings.size(); ++slot) {
      const grid::Ring& ring = whole.spec().pixels->grid().rings()[static_cast<std::size_t>(rings[slot])];
      for (Index j = 0; j < ring.nphi; ++j)
        EXPECT_NEAR(part.data()[static_cast<std::size_t>(begins[slot] + j % (ring.nphi / 4))],
                    sky.data()[static_cast<std::size_t>(ring.first_pixel + j)], tolerance);
    }
    whole.adjoint_synthesis(sky, all);
    test::poison(own);
    quarter.adjoint_synthesis(part, own);
    const std::vector<Index> own_m = spec.alm->local_m(comm.rank());
    const std::vector<Index> offsets = spec.alm->local_offsets(comm.rank());
    for (std::size_t k = 0; k < own_m.size(); ++k)
      for (Index l = own_m[k]; l <= lmax; ++l)
        EXPECT_NEAR(std::abs(4.0 * own.data()[static_cast<std::size_t>(offsets[k] + l)] -
                             all.data()[static_cast<std::size_t>(layout.index(l, own_m[k]))]),
                    0, tolerance * static_cast<double>(nside * nside));
  }
}

}  // namespace
}  // namespace armilla::transform
