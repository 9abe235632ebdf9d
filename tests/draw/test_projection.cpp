#include <armilla/core/types.hpp>
#include <armilla/draw/pixel_finder.hpp>
#include <armilla/draw/projection.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/grid/part.hpp>

#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace armilla::draw {
namespace {

constexpr Projection kProjections[] = {Projection::kMollweide, Projection::kOrthographic,
                                       Projection::kOrthographicFront, Projection::kPlateCarree};
constexpr Orientation kOrientations[] = {Orientation::kAstronomical, Orientation::kGeographic};

double distance(const Direction& a, const Direction& b) { return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z); }

TEST(SphereView, ToSphereUndoesToPlane) {
  std::mt19937 random(std::random_device{}());
  std::uniform_real_distribution<double> lon(-180, 180), lat(-90, 90);
  for (const Projection projection : kProjections)
    for (const Orientation orientation : kOrientations) {
      int seen = 0;
      for (int i = 0; i < 500; ++i) {
        const SphereView view(projection, orientation, lon(random), lat(random));
        const Direction there = direction(lon(random), lat(random));
        const auto point = view.to_plane(there);
        const auto back = point ? view.to_sphere(*point) : std::nullopt;
        if (!back) continue;  // on the far side, or rounded to just outside of the outline
        ++seen;
        // At an outline the inverse has a root, so a rounding error of 1e-16 in the plane is 1e-8 on the sphere.
        EXPECT_LT(distance(*back, there), 1e-6);
      }
      // A hemisphere holds 250 of 500 even where the centres cluster at the poles; 6 standard deviations are 67.
      EXPECT_GT(seen, projection == Projection::kOrthographicFront ? 180 : 490);
    }
}

TEST(SphereView, MollweideHoldsItsEquation) {
  const SphereView view(Projection::kMollweide, Orientation::kGeographic, 0, 0);
  for (int lat = -90; lat <= 90; lat += 3)
    for (int lon = -175; lon <= 175; lon += 35) {
      const auto point = view.to_plane(direction(lon, lat));
      ASSERT_TRUE(point);
      const double angle = std::asin(point->y);
      // 2 a + sin 2a = pi sin(latitude), x = 2 lon cos(a) / pi; the root of a rounding error at the poles.
      EXPECT_NEAR(2 * angle + std::sin(2 * angle), core::kPi * std::sin(lat * core::kPi / 180), 1e-12);
      EXPECT_NEAR(point->x, 2 * lon / 180.0 * std::cos(angle), 1e-7);
    }
}

TEST(SphereView, LongitudeGrowsToTheLeftInTheSkyAndToTheRightOnMaps) {
  for (const Projection projection :
       {Projection::kMollweide, Projection::kOrthographicFront, Projection::kPlateCarree}) {
    const SphereView sky(projection, Orientation::kAstronomical, 30, 10),
        map(projection, Orientation::kGeographic, 30, 10);
    EXPECT_LT(sky.to_plane(direction(50, 10))->x, -0.1);
    EXPECT_GT(map.to_plane(direction(50, 10))->x, 0.1);
    EXPECT_GT(sky.to_plane(direction(30, 40))->y, 0.1);
    EXPECT_NEAR(sky.to_plane(direction(30, 10))->x, 0, 1e-12);
    EXPECT_NEAR(sky.to_plane(direction(30, 10))->y, 0, 1e-12);
  }
}

TEST(SphereView, BothHemispheresAreSideBySideWithNorthUp) {
  const SphereView view(Projection::kOrthographic, Orientation::kGeographic, 0, 0);
  const double middle = view.outlines()[1].centre_x;
  EXPECT_NEAR(view.to_plane(direction(0, 0))->x, -middle, 1e-12);
  EXPECT_NEAR(view.to_plane(direction(180, 0))->x, middle, 1e-12);
  EXPECT_GT(view.to_plane(direction(-160, 0))->x, middle);  // the far side, too, is seen from outside
  EXPECT_GT(view.to_plane(direction(180, 50))->y, 0.5);
  EXPECT_FALSE(view.to_sphere({0, 0}));
}

TEST(SphereView, OutsideTheOutlineThereIsNothing) {
  for (const Projection projection : kProjections) {
    const SphereView view(projection, Orientation::kAstronomical, 12, 34);
    EXPECT_EQ(view.to_sphere({-view.half_width(), 1}).has_value(), projection == Projection::kPlateCarree);
    EXPECT_FALSE(view.to_sphere({view.half_width() + 1e-6, 0}));
    EXPECT_FALSE(view.to_sphere({0, 1.000001}));
  }
  EXPECT_FALSE(SphereView(Projection::kOrthographicFront, Orientation::kGeographic, 0, 0).to_plane(direction(180, 0)));
}

TEST(SphereView, PlateCarreeIsLinearAndItsSolidAnglesAddUpToTheSphere) {
  const SphereView view(Projection::kPlateCarree, Orientation::kGeographic, 0, 0);
  const auto point = view.to_plane(direction(-45, 30));
  ASSERT_TRUE(point);
  EXPECT_NEAR(point->x, -0.5, 1e-12);
  EXPECT_NEAR(point->y, 1.0 / 3, 1e-12);
  double sum = 0;
  constexpr int kRows = 1000;
  for (int row = 0; row < kRows; ++row) sum += view.solid_angle({0, (2 * row + 1.0) / kRows - 1}) / kRows;
  EXPECT_NEAR(sum * view.outlines()[0].area(), 4 * core::kPi, 1e-4);
}

TEST(PixelFinder, FindsEveryPixelAtItsCentre) {
  const grid::RingGrid grids[] = {grid::make_healpix(8), grid::make_gauss(9, 14), grid::make_gauss(1, 1)};
  for (const grid::RingGrid& grid : grids) {
    const PixelFinder find(grid);
    for (const grid::Ring& ring : grid.rings())
      for (grid::Index j = 0; j < ring.nphi; ++j) {
        const double phi = ring.phi0 + 2 * core::kPi * static_cast<double>(j) / static_cast<double>(ring.nphi);
        const Direction centre{ring.sin_theta * std::cos(phi), ring.sin_theta * std::sin(phi), ring.cos_theta};
        EXPECT_EQ(find(centre), ring.first_pixel + j) << grid.description().text();
      }
  }
}

TEST(PixelFinder, FindsOnAPartWhatItHasOfTheWhole) {
  const grid::GridDescription wholes[] = {{.kind = "healpix", .nside = 8},
                                          {.kind = "healpix", .nside = 5},
                                          {.kind = "gauss", .nlat = 21, .nphi = 14},
                                          {.kind = "reduced_gauss", .nlat = 40}};
  for (const grid::GridDescription& description : wholes) {
    const grid::RingGrid whole = grid::make_grid(description);
    const grid::RingGrid part = grid::make_part(description, {.rings = {{0, 0}, {5, 7}, {12, 18}}});
    const PixelFinder find(whole);
    const PixelFinder find_part(part);
    std::vector<grid::Index> place(static_cast<std::size_t>(whole.npix()), -1);
    for (std::size_t i = 0; i < part.rings().size(); ++i) {
      const grid::Ring& ring = whole.rings()[static_cast<std::size_t>(grid::ring_numbers(part)[i])];
      for (grid::Index j = 0; j < ring.nphi; ++j)
        place[static_cast<std::size_t>(ring.first_pixel + j)] = part.rings()[i].first_pixel + j;
    }
    std::mt19937 random(std::random_device{}());
    std::normal_distribution<double> normal;
    for (int i = 0; i < 20000; ++i) {
      Direction here{normal(random), normal(random), normal(random)};
      const double length = std::hypot(here.x, here.y, here.z);
      here = {here.x / length, here.y / length, here.z / length};
      EXPECT_EQ(find_part(here), place[static_cast<std::size_t>(find(here))]) << part.description().text();
    }
  }
}

TEST(PixelFinder, RingsOfAFileLeaveFarPlacesEmpty) {
  const std::vector<double> theta{0.6, 0.7, 0.8}, phi0(3, 0.0);
  const std::vector<grid::Index> nphi(3, 30);
  const grid::RingGrid grid = grid::make_rings(theta, phi0, nphi, {}, "test");
  const PixelFinder find(grid);
  const auto at = [&](double t) { return find({std::sin(t), 0, std::cos(t)}); };
  EXPECT_EQ(at(0.1), -1);
  EXPECT_EQ(at(0.52), 0);
  EXPECT_EQ(at(0.74), 30);
  EXPECT_EQ(at(0.88), 60);
  EXPECT_EQ(at(2.0), -1);
}

TEST(PixelFinder, FindsPixelsOfTheLargestHealpixGrids) {
  for (const grid::Index nside : {grid::Index{16384}, grid::Index{1} << 24, grid::Index{1} << 26}) {
    const grid::Index last = 4 * nside - 2;
    const grid::RingGrid part =
        grid::make_part({.kind = "healpix", .nside = nside},
                        {.rings = {{0, 2}, {nside / 2, nside / 2}, {2 * nside - 1, 2 * nside - 1}, {last, last}}});
    const PixelFinder find(part);
    for (const grid::Ring& ring : part.rings())
      for (const grid::Index j : {grid::Index{0}, ring.nphi / 3, ring.nphi - 1}) {
        const double phi = ring.phi0 + 2 * core::kPi * static_cast<double>(j) / static_cast<double>(ring.nphi);
        EXPECT_EQ(find({ring.sin_theta * std::cos(phi), ring.sin_theta * std::sin(phi), ring.cos_theta}),
                  ring.first_pixel + j)
            << nside << " " << j << " of " << ring.nphi;
      }
  }
}

TEST(PixelFinder, HealpixPixelsHaveEqualAreas) {
  constexpr int kPlaces = 1 << 20;
  for (const grid::Index nside : {1, 2, 4}) {
    const grid::RingGrid grid = grid::make_healpix(nside);
    const PixelFinder find(grid);
    std::vector<int> places(static_cast<std::size_t>(grid.npix()), 0);
    for (int i = 0; i < kPlaces; ++i) {
      // A spiral whose places stand for equal areas.
      const double z = 1 - (2 * i + 1.0) / kPlaces, turns = i * 0.6180339887498949;
      const double radius = std::sqrt(1 - z * z), phi = 2 * core::kPi * (turns - std::floor(turns));
      ++places[static_cast<std::size_t>(find({radius * std::cos(phi), radius * std::sin(phi), z}))];
    }
    // Only places nearest to the border of a pixel can be counted wrongly: 4 sqrt(n) of n, far fewer in fact. The pixel
    // of the nearest centre misses equal areas by 3 % and more.
    const double expected = static_cast<double>(kPlaces) / static_cast<double>(grid.npix());
    for (const int count : places) EXPECT_NEAR(count, expected, 0.015 * expected) << nside;
  }
}

TEST(PixelFinder, PolesBelongToTheirHealpixCaps) {
  const grid::RingGrid grid = grid::make_healpix(64);
  const PixelFinder find(grid);
  EXPECT_LT(find({0, 0, 1}), 4);
  EXPECT_GE(find({0, 0, -1}), grid.npix() - 4);
}

TEST(PixelFinder, OnGaussRingsNoPixelCentreIsNearer) {
  const grid::RingGrid grid = grid::make_gauss(12, 20);
  const PixelFinder find(grid);
  std::mt19937 random(std::random_device{}());
  std::uniform_real_distribution<double> lon(-180, 180), z(-1, 1);
  const auto cos_distance = [&](const Direction& place, grid::Index pixel) {
    const grid::Ring& ring = grid.rings()[static_cast<std::size_t>(pixel / 20)];
    const double phi = ring.phi0 + 2 * core::kPi * static_cast<double>(pixel % 20) / 20;
    return place.x * ring.sin_theta * std::cos(phi) + place.y * ring.sin_theta * std::sin(phi) +
           place.z * ring.cos_theta;
  };
  for (int i = 0; i < 200; ++i) {
    const Direction place = direction(lon(random), std::asin(z(random)) * 180 / core::kPi);
    const double found = cos_distance(place, find(place));
    for (grid::Index pixel = 0; pixel < grid.npix(); ++pixel) EXPECT_LE(cos_distance(place, pixel), found + 1e-14);
  }
}

}  // namespace
}  // namespace armilla::draw
