#include <armilla/comm/communicator.hpp>
#include <armilla/core/error.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/ops/map_algebra.hpp>
#include <armilla/ops/mask.hpp>

#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include <gtest/gtest.h>
#include <support/fields.hpp>
#include <support/mpi_main.hpp>

namespace armilla::ops {
namespace {

using transform::FieldKind;
using transform::MapField;

constexpr Index kBad = 17;  // a pixel that is bad in component 1 of map 0

/// Whole numbers, so that arithmetic is exact.
double pixel_label(Index map, Index c, Index p) { return static_cast<double>(1 + p + 1000 * c + 4000 * map); }

MapField<double> make_pixels(const comm::Communicator& comm, const FieldKind& kind, Index maps, Index nside = 4) {
  const auto grid = std::make_shared<const grid::RingGrid>(grid::make_healpix(nside));
  MapField<double> map(kind, std::make_shared<const dist::PixelDistribution>(grid, comm.size()), comm.rank(), maps);
  test::fill_map(map, pixel_label);
  return map;
}

/// Compares with expected(map, component, pixel).
template <class Expected>
void expect_pixels(const MapField<double>& map, const Expected& expected) {
  MapField<double> other(map.kind(), map.shared_distribution(), map.rank(), map.maps());
  test::fill_map(other, expected);
  for (std::size_t i = 0; i < map.data().size(); ++i) {
    const double found = map.data()[i], wanted = std::as_const(other).data()[i];
    ASSERT_TRUE(found == wanted || (std::isnan(found) && std::isnan(wanted))) << found << " " << wanted;
  }
}

TEST(MapAlgebra, GoesPixelByPixelWithAFactorForEachComponent) {
  const auto comm = comm::Communicator::world();
  MapField<double> a = make_pixels(comm, FieldKind::temperature_polarisation(), 2);
  const MapField<double> b = make_pixels(comm, FieldKind::temperature_polarisation(), 1);
  scale(a, std::vector<double>{2, 3, 5});
  add(a, std::vector<double>{1, 1, 2}, b, std::vector<double>{-1, 4, 0.5});
  const double first[] = {2, 3, 10}, second[] = {-1, 4, 0.5};
  expect_pixels(a, [&](Index map, Index c, Index p) {
    return first[c] * pixel_label(map, c, p) + second[c] * pixel_label(0, c, p);
  });
}

TEST(MapAlgebra, AMapOfOneComponentMultipliesAllOthersMultiplyTheirOwn) {
  const auto comm = comm::Communicator::world();
  for (const FieldKind& kind : {FieldKind::scalar(), FieldKind::temperature_polarisation()}) {
    MapField<double> a = make_pixels(comm, FieldKind::temperature_polarisation(), 2);
    multiply(a, make_pixels(comm, kind, 1));
    expect_pixels(a, [&](Index map, Index c, Index p) {
      return pixel_label(map, c, p) * pixel_label(0, kind.components() == 1 ? 0 : c, p);
    });
  }
  MapField<double> square = make_pixels(comm, FieldKind::scalar(), 1);
  multiply(square, square);
  add(square, 3.0);
  expect_pixels(square, [](Index, Index, Index p) { return std::pow(pixel_label(0, 0, p), 2) + 3; });
}

TEST(MapAlgebra, BadPixelsStayBad) {
  const auto comm = comm::Communicator::world();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  MapField<double> a = make_pixels(comm, FieldKind::temperature_polarisation(), 1);
  const MapField<double> b = make_pixels(comm, FieldKind::temperature_polarisation(), 1);
  test::fill_map(a, [&](Index map, Index c, Index p) { return c == 1 && p == kBad ? nan : pixel_label(map, c, p); });
  scale(a, std::vector<double>{0, 0, 1});
  add(a, std::vector<double>{1, 1, 1}, b, std::vector<double>{1, 0, 1});
  multiply(a, b);
  const double factor[] = {1, 0, 2};
  expect_pixels(a, [&](Index, Index c, Index p) {
    return c == 1 && p == kBad ? nan : factor[c] * pixel_label(0, c, p) * pixel_label(0, c, p);
  });
}

TEST(MapAlgebra, RefusesMapsOfAnotherShape) {
  const auto comm = comm::Communicator::world();
  MapField<double> a = make_pixels(comm, FieldKind::temperature_polarisation(), 2);
  const std::vector<double> one{1, 1, 1};
  const auto refused = [&](const MapField<double>& b) {
    EXPECT_THROW(add(a, one, b, one), core::InputError);
    EXPECT_THROW(multiply(a, b), core::InputError);
  };
  refused(make_pixels(comm, FieldKind::temperature_polarisation(), 2, 2));
  refused(make_pixels(comm, FieldKind::temperature_polarisation(), 3));
  refused(make_pixels(comm, FieldKind::polarisation(), 2));
  EXPECT_THROW(add(a, one, make_pixels(comm, FieldKind::scalar(), 1), one), core::InputError);
}

}  // namespace
}  // namespace armilla::ops
