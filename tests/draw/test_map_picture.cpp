#include <armilla/core/error.hpp>
#include <armilla/draw/color_bar.hpp>
#include <armilla/draw/map_picture.hpp>
#include <armilla/draw/pixel_finder.hpp>
#include <armilla/grid/makers.hpp>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "picture.hpp"
#include <gtest/gtest.h>

namespace armilla::draw {
namespace {

using grid::Index;

std::vector<double> function_of_phi(const grid::RingGrid& grid, double (*function)(double phi)) {
  std::vector<double> values;
  for (const grid::Ring& ring : grid.rings())
    for (Index j = 0; j < ring.nphi; ++j)
      values.push_back(function(ring.phi0 + 2 * core::kPi * static_cast<double>(j) / static_cast<double>(ring.nphi)));
  return values;
}

double east_half(double phi) { return phi > 0 && phi < core::kPi ? 1 : 0; }

/// Keeps where texts are; all letters are 0.6 em wide.
class LabelCanvas final : public Canvas {
 public:
  struct Label {
    double left, right;
    std::string text;
  };
  std::vector<Label> labels;

  void stroke(std::span<const Path>, const Pen&) override {}
  void fill(const Path&, Rgb, double) override {}
  void paint(const Raster&, Point, Point) override {}
  void clip(std::span<const Path>) override {}
  void unclip() override {}
  void write(Point anchor, const std::string& text, double size, Rgb, double) override {
    labels.push_back({anchor.x, anchor.x + width_of(text, size), text});
  }
  double width_of(const std::string& text, double size) override {
    return 0.6 * size * static_cast<double>(text.size());
  }
  std::string finish() override { return {}; }
};

TEST(ColorBar, LabelsDoNotOverlap) {
  for (const double high : {0.018, 0.9, 12345.0, 1e-9})
    for (const double low : {-0.018, 0.0, -5e4}) {
      LabelCanvas canvas;
      draw_color_bar(canvas, {.width = 500, .height = 20}, ColorMap(ColorMapKind::kSequential),
                     {.low = low, .high = high}, "");
      ASSERT_GE(canvas.labels.size(), 2u);
      for (std::size_t i = 1; i < canvas.labels.size(); ++i)
        if (canvas.labels[i].left < 500) {  // the power of ten is to the right of the bar
          EXPECT_GT(canvas.labels[i].left, canvas.labels[i - 1].right) << canvas.labels[i].text;
        }
    }
}

TEST(MapPicture, ItsMiddleShowsThePixelAtTheCentreAndItsCornerTheBackground) {
  const grid::RingGrid grid = grid::make_gauss(9, 18);
  std::vector<double> values(static_cast<std::size_t>(grid.npix()), 0);
  values[static_cast<std::size_t>(PixelFinder(grid)({1, 0, 0}))] = 1;
  const Picture image(draw_map(grid, {values, "", "", {}}, {.width = 800}));
  EXPECT_EQ(image.width(), 800);
  const ColorMap colors(ColorMapKind::kSequential);
  const Middle middle = middle_of_sphere(image);
  EXPECT_EQ(image.at(middle.x, middle.y), colors(1));
  EXPECT_EQ(image.at(middle.x + 200, middle.y), colors(0));
  EXPECT_EQ(image.at(0, 0), kWhite);
  EXPECT_EQ(image.at(image.width() - 1, image.height() - 1), kWhite);
  // Inside the box of the ellipse, outside of it.
  EXPECT_EQ(image.at(40, 40), kWhite);
}

TEST(MapPicture, TheCentreCanBeMoved) {
  const grid::RingGrid grid = grid::make_healpix(4);
  std::vector<double> values(static_cast<std::size_t>(grid.npix()), 0);
  values[static_cast<std::size_t>(PixelFinder(grid)(direction(123, 40)))] = 1;
  const Picture image(
      draw_map(grid, {values, "", "", {}}, {.centre_lon_deg = 123, .centre_lat_deg = 40, .width = 600}));
  const Middle middle = middle_of_sphere(image);
  EXPECT_EQ(image.at(middle.x, middle.y), ColorMap(ColorMapKind::kSequential)(1));
}

TEST(MapPicture, LongitudeGrowsToTheLeftUnlessGeographic) {
  const grid::RingGrid grid = grid::make_healpix(16);
  const std::vector<double> values = function_of_phi(grid, east_half);
  const ColorMap colors(ColorMapKind::kSequential);
  const Picture sky(draw_map(grid, {values, "", "", {}}, {.width = 600}));
  const Middle middle = middle_of_sphere(sky);
  EXPECT_EQ(sky.at(middle.x - 140, middle.y), colors(1));
  EXPECT_EQ(sky.at(middle.x + 140, middle.y), colors(0));
  const Picture map(draw_map(grid, {values, "", "", {}}, {.orientation = Orientation::kGeographic, .width = 600}));
  EXPECT_EQ(map.at(middle.x - 140, middle.y), colors(0));
  EXPECT_EQ(map.at(middle.x + 140, middle.y), colors(1));
}

TEST(MapPicture, BadPixelsAreGrey) {
  const grid::RingGrid grid = grid::make_healpix(8);
  std::vector<double> values = function_of_phi(grid, east_half);
  for (double& value : values)
    if (value == 0) value = -1.6375e30;
  values[0] = kNaN;
  const Picture image(draw_map(grid, {values, "", "", {}}, {.width = 600}));
  const Middle middle = middle_of_sphere(image);
  EXPECT_EQ(image.at(middle.x + 140, middle.y), kBadColor);
  EXPECT_NE(image.at(middle.x - 140, middle.y), kBadColor);
}

TEST(MapPicture, ConstantAndWhollyBadMapsAreDrawn) {
  const grid::RingGrid grid = grid::make_healpix(2);
  for (const double value : {0.0, 5.0, kNaN}) {
    const std::vector<double> values(static_cast<std::size_t>(grid.npix()), value);
    const Picture image(draw_map(grid, {values, "constant", "K", {}}, {.graticule_deg = 30, .width = 300}));
    const Middle middle = middle_of_sphere(image);
    EXPECT_NE(image.at(middle.x + 31, middle.y + 17), kWhite) << value;
  }
}

TEST(MapPicture, ComponentsStandOneUnderAnother) {
  const grid::RingGrid grid = grid::make_healpix(4);
  const std::vector<double> values = function_of_phi(grid, east_half);
  const std::vector<MapPanel> panels{{values, "T", "uK", {}}, {values, "Q", "uK", {}}, {values, "U", "uK", {}}};
  const int one = Picture(draw_map(grid, panels[0], {.width = 400})).height();
  const int three = Picture(draw_map(grid, panels, {.width = 400})).height();
  EXPECT_GT(three, 2.8 * one);
  EXPECT_LT(three, 3 * one);
}

TEST(MapPicture, OrthographicViewsHaveTheFarSideOrNot) {
  const grid::RingGrid grid = grid::make_healpix(16);
  const std::vector<double> values = function_of_phi(grid, [](double phi) { return std::cos(phi) > 0 ? 1.0 : 0.0; });
  const ColorMap colors(ColorMapKind::kSequential);
  const Picture both(draw_map(grid, {values, "", "", {}}, {.projection = Projection::kOrthographic, .width = 400}));
  EXPECT_EQ(both.at(110, 100), colors(1));
  EXPECT_EQ(both.at(300, 100), colors(0));
  const Picture front(
      draw_map(grid, {values, "", "", {}}, {.projection = Projection::kOrthographicFront, .width = 400}));
  EXPECT_EQ(front.at(120, 200), colors(1));
  EXPECT_EQ(front.at(280, 200), colors(1));
  EXPECT_EQ(front.at(12, 12), kWhite);
}

TEST(MapPicture, VectorsHoldTheMapAndItsColourBarAsRasters) {
  const grid::RingGrid grid = grid::make_healpix(4);
  const std::vector<double> values = function_of_phi(grid, east_half);
  const std::vector<MapPanel> panels{{values, "T", "uK", {}}, {values, "Q", "uK", {}}};
  EXPECT_EQ(occurrences(draw_map(grid, panels, {.format = PictureFormat::kSvg}), "<image "), 4);
}

TEST(MapPicture, TheGraticuleIsDrawnOnTheSphereOnly) {
  const grid::RingGrid grid = grid::make_healpix(4);
  const std::vector<double> values(static_cast<std::size_t>(grid.npix()), 1);
  for (const Projection projection : {Projection::kMollweide, Projection::kOrthographic}) {
    const Picture plain(draw_map(grid, {values, "", "", {}}, {.projection = projection, .width = 500}));
    const Picture lines(
        draw_map(grid, {values, "", "", {}}, {.projection = projection, .graticule_deg = 30, .width = 500}));
    int changed_inside = 0, changed_outside = 0;
    for (int y = 0; y < plain.height(); ++y)
      for (int x = 0; x < plain.width(); ++x)
        if (plain.at(x, y) != lines.at(x, y)) ++(plain.at(x, y) == kWhite ? changed_outside : changed_inside);
    EXPECT_GT(changed_inside, 2000);
    EXPECT_LT(changed_outside, 20);  // the soft edge of lines that end at the outline
  }
}

TEST(MapPicture, UnitsAreSetAsTheyArePrinted) {
  EXPECT_EQ(pretty_unit("uK_CMB"), "\u00b5K_{CMB}");
  EXPECT_EQ(pretty_unit("uK^2"), "\u00b5K^2");
  EXPECT_EQ(pretty_unit("mK"), "mK");
}

std::string message_of(const grid::RingGrid& grid, std::size_t count, const MapStyle& style) {
  const std::vector<double> values(count, 1);
  try {
    draw_map(grid, {values, "Q", "", {}}, style);
  } catch (const core::InputError& error) {
    return error.what();
  }
  return "no InputError";
}

TEST(MapPicture, WhatCannotBeDrawnIsRefusedInWords) {
  const grid::RingGrid grid = grid::make_healpix(2);
  const auto says = [&](std::size_t count, const MapStyle& style, const std::string& words) {
    const std::string message = message_of(grid, count, style);
    EXPECT_NE(message.find(words), std::string::npos) << message;
  };
  says(47, {}, "component 'Q' has 47 values");
  says(47, {}, "48 pixels");
  says(48, {.width = 20}, "width = 20 is too small");
  says(48, {.width = 400000}, "width and height must be in 1 .. 32767");
  says(48, {.centre_lat_deg = kNaN}, "must be two finite numbers");
  says(48, {.graticule_deg = 1e-9}, "outside 1 .. 180");
  EXPECT_THROW(draw_map(grid, std::span<const MapPanel>{}), core::InputError);
}

}  // namespace
}  // namespace armilla::draw
