#include <armilla/core/error.hpp>
#include <armilla/draw/colormap.hpp>
#include <armilla/draw/points_picture.hpp>

#include <cmath>
#include <limits>
#include <vector>

#include "picture.hpp"
#include <gtest/gtest.h>

namespace armilla::draw {
namespace {

constexpr double kEquator = core::kPi / 2;

const MapStyle kStyle{.width = 800};

std::string picture_of(const std::vector<double>& theta, const std::vector<double>& phi,
                       const std::vector<double>& values, const std::vector<PointsPanel>& panels,
                       const MapStyle& style = kStyle) {
  PointsPicture picture(static_cast<Index>(theta.size()), panels, style);
  picture.add(theta, phi, values);
  return picture.finish();
}

TEST(PointsPicture, DotsHaveTheColoursOfTheirValuesOnAnEmptySphere) {
  // In the middle, and a quarter turn to the east, which is to the left.
  const Picture image(picture_of({kEquator, kEquator}, {0, core::kPi / 2}, {1, 0}, {{}}));
  const ColorMap colors(ColorMapKind::kSequential);
  const Middle middle = middle_of_sphere(image);
  EXPECT_EQ(image.at(middle.x, middle.y), colors(1));
  EXPECT_EQ(image.at(middle.x - middle.half_width / 2, middle.y), colors(0));
  const Rgb empty = image.at(middle.x + middle.half_width / 2, middle.y);
  EXPECT_NE(empty, colors(0));
  EXPECT_NE(empty, kWhite);
  EXPECT_EQ(empty, image.at(middle.x, middle.y + middle.half_width / 4));
  EXPECT_EQ(image.at(0, 0), kWhite);
}

TEST(PointsPicture, DotsOnEachOtherShowTheirMeanAndBadValuesAreLeftOut) {
  const PointsPanel panel{.range = {.symmetry = RangeSymmetry::kFree, .minimum = 0, .maximum = 4}};
  const Picture image(
      picture_of({kEquator, kEquator, kEquator, kEquator}, {0, 0, 0, core::kPi / 2}, {1, 3, kNaN, kNaN}, {panel}));
  const Middle middle = middle_of_sphere(image);
  EXPECT_EQ(image.at(middle.x, middle.y), ColorMap(ColorMapKind::kSequential)(0.5));
  EXPECT_EQ(image.at(middle.x - middle.half_width / 2, middle.y), image.at(middle.x + middle.half_width / 2, middle.y));
}

TEST(PointsPicture, EachComponentHasASphere) {
  const std::vector<PointsPanel> panels{{.title = "Q"}, {.title = "U"}};
  const Picture two(picture_of({kEquator}, {0}, {1, 2}, panels));
  const Picture one(picture_of({kEquator}, {0}, {1}, {panels[0]}));
  EXPECT_EQ(one.width(), two.width());
  EXPECT_GT(two.height(), 2 * one.height() - 60);
}

TEST(PointsPicture, PanelsOfAnyWidthFitEachOther) {
  const std::vector<PointsPanel> panels(3);
  for (int width = 200; width < 1000; width += 37)
    EXPECT_NO_THROW(picture_of({kEquator}, {0}, {1, 2, 3}, panels, {.title = "three", .width = width})) << width;
}

TEST(PointsPicture, TheDensityOfManyEvenPointsIsThatOfTheSphere) {
  // A Fibonacci lattice; its density is n / 41253 per square degree everywhere, on both projections.
  constexpr int kCount = 400000;
  std::vector<double> theta, phi;
  for (int i = 0; i < kCount; ++i) {
    theta.push_back(std::acos(1 - (2.0 * i + 1) / kCount));
    phi.push_back(i * core::kPi * (3 - std::sqrt(5.0)));
  }
  const double density = kCount / (360 * 360 / core::kPi);
  for (const Projection projection : {Projection::kMollweide, Projection::kOrthographicFront}) {
    const MapStyle style{.projection = projection, .width = 400};
    PointsPicture picture(kCount, {}, style,
                          {.symmetry = RangeSymmetry::kFree, .minimum = 0.5 * density, .maximum = 1.5 * density});
    picture.add(theta, phi, {});
    const Picture image(picture.finish());
    const int margin = 10, radius = projection == Projection::kMollweide ? 95 : 190;
    const ColorMap colors(ColorMapKind::kSequential);
    for (const int share : {0, 2, -2}) {  // the middle, and halfway to the rim on both sides
      const int x = 200 + (share == 0 ? 0 : radius / share), y = margin + radius;
      // The mean of 7 x 7 pixels, each of some ten points: the colour in the middle of the range.
      double sum = 0;
      for (int dx = -3; dx <= 3; ++dx)
        for (int dy = -3; dy <= 3; ++dy) sum += image.at(x + dx, y + dy).green;
      EXPECT_NEAR(sum / 49, colors(0.5).green, 12) << x;
    }
  }
}

TEST(PointsPicture, UnequalNumbersOfCoordinatesOrValuesAreRefused) {
  EXPECT_THROW(picture_of({1, 2}, {0}, {1, 2}, {{}}), core::InputError);
  EXPECT_THROW(picture_of({1, 2}, {0, 0, 0}, {1, 2}, {{}}), core::InputError);
  EXPECT_THROW(picture_of({1, 2}, {0, 0}, {1, 2, 3}, {{}, {}}), core::InputError);
  EXPECT_THROW(picture_of({1, 2}, {0}, {}, {}), core::InputError);
}

TEST(PointsPicture, OfAPictureTooSmallIsRefused) {
  EXPECT_THROW(PointsPicture(1, {}, {.width = 100}), core::InputError);
}

}  // namespace
}  // namespace armilla::draw
