#include <armilla/draw/canvas.hpp>
#include <armilla/draw/text.hpp>

#include <cmath>
#include <numeric>
#include <string>

#include <gtest/gtest.h>

namespace armilla::draw {
namespace {

/// Ink of a black drawing on white, in full pixels.
double ink(const Image& image) {
  double sum = 0;
  for (const Rgb& pixel : image.pixels()) sum += (255 - pixel.red) / 255.0;
  return sum;
}

TEST(Canvas, RectangleOfWholePixelsIsSharp) {
  Image image(10, 8);
  fill_rectangle(image, {2, 3}, {6, 5}, kBlack);
  EXPECT_EQ(ink(image), 4 * 2);
  EXPECT_EQ(image.at(2, 3), kBlack);
  EXPECT_EQ(image.at(5, 4), kBlack);
  EXPECT_EQ(image.at(6, 4), kWhite);
}

TEST(Canvas, PolygonIsTheSameInEitherSense) {
  Image a(30, 30), b(30, 30);
  const Point forward[] = {{3, 4}, {25, 8}, {12, 27}}, backward[] = {{12, 27}, {25, 8}, {3, 4}};
  fill_convex(a, forward, kBlack);
  fill_convex(b, backward, kBlack);
  EXPECT_EQ(std::vector(a.pixels().begin(), a.pixels().end()), std::vector(b.pixels().begin(), b.pixels().end()));
  // Area 232.5; the coverage of a border pixel is off by less than 0.25, half of that cancels, along 73 pixels of it.
  EXPECT_NEAR(ink(a), 232.5, 10);
}

TEST(Canvas, InkOfALineIsLengthTimesWidth) {
  for (const double width : {0.5, 1.0, 3.0}) {
    Image image(200, 200);
    stroke(image, Path{{20.3, 30.7}, {170.1, 120.4}}, {kBlack, width});
    const double length = std::hypot(149.8, 89.7);
    // A linear ramp of one pixel at each side; below one pixel the line keeps its ink but for the ramp's shape, a
    // quarter of it. Round ends add pi/4 width^2.
    const double tolerance = (width < 1 ? 0.25 : 0.03) * length * width + 3;
    EXPECT_NEAR(ink(image), length * width + 0.785 * width * width, tolerance) << width;
  }
}

TEST(Canvas, CrossingsOfOneStrokeAreInkedOnce) {
  Image image(20, 20);
  const Path paths[] = {{{2, 10}, {18, 10}}, {{10, 2}, {10, 18}}};
  stroke(image, paths, {kBlack, 4, 0.5});
  EXPECT_EQ(image.at(10, 10), image.at(5, 10));
  EXPECT_EQ(image.at(5, 10).red, 128);
}

TEST(Canvas, WhatLiesOutsideIsLeftAway) {
  Image image(20, 10);
  stroke(image, Path{{-1e12, 5}, {1e12, 5}}, {kBlack, 2});
  EXPECT_EQ(ink(image), 40);
  fill_rectangle(image, {-50, -50}, {500, 500}, kBlack);
  EXPECT_EQ(ink(image), 200);
}

TEST(Canvas, DashesShareTheLineAsAsked) {
  const auto dashes = dashed({{0, 0}, {50, 0}, {100, 0}}, 6, 4);
  ASSERT_EQ(dashes.size(), 10U);
  double length = 0;
  for (const Path& dash : dashes) length += dash.back().x - dash.front().x;
  EXPECT_NEAR(length, 60, 1e-9);
}

TEST(Text, EveryPrintableCharacterHasAShapeOfItsOwn) {
  Image missing(60, 60);
  draw_text(missing, {10, 40}, "\u4e2d", {40});
  EXPECT_GT(ink(missing), 50);
  std::vector<std::vector<Rgb>> shapes{{missing.pixels().begin(), missing.pixels().end()}};
  for (char character = '!'; character <= '~'; ++character) {
    Image image(60, 60);
    draw_text(image, {10, 40}, std::string(1, character), {40});
    EXPECT_GT(ink(image), 5) << character;
    shapes.emplace_back(image.pixels().begin(), image.pixels().end());
    for (std::size_t i = 0; i + 1 < shapes.size(); ++i) EXPECT_NE(shapes[i], shapes.back()) << character << ' ' << i;
  }
}

TEST(Text, SuperscriptsAreRaisedAndSmaller) {
  EXPECT_LT(text_width("K^2", 20), text_width("K2", 20));
  EXPECT_EQ(text_width("10^-12", 20), text_width("10^{-12}", 20));
  EXPECT_LT(text_width("C_{l}", 20), text_width("C_l", 20));
  EXPECT_GT(text_width("a^b", 20), text_width("ab", 20));  // no script: the sign stands for itself
  EXPECT_NEAR(text_width("Armilla", 40), 2 * text_width("Armilla", 20), 1e-9);
}

TEST(Text, MalformedTextIsDrawnNotRefused) {
  Image image(200, 40);
  draw_text(image, {5, 30}, "\xff\xc3 ^ ^{ _{ \xe2\x82", {20});
  EXPECT_GT(ink(image), 20);
}

TEST(Text, AlignmentMovesTheTextByItsWidth) {
  const auto centre_of_ink = [](HorizontalAlign align) {
    Image image(400, 40);
    draw_text(image, {200, 30}, "HHHH", {20, kBlack, align});
    double sum = 0, moment = 0;
    for (int y = 0; y < image.height(); ++y)
      for (int x = 0; x < image.width(); ++x) {
        const double here = 255 - image.at(x, y).red;
        sum += here;
        moment += here * (x + 0.5);
      }
    return moment / sum;
  };
  const double half = text_width("HHHH", 20) / 2;
  EXPECT_NEAR(centre_of_ink(HorizontalAlign::kCentre), 200, 0.1);
  EXPECT_NEAR(centre_of_ink(HorizontalAlign::kLeft), 200 + half, 0.1);
  EXPECT_NEAR(centre_of_ink(HorizontalAlign::kRight), 200 - half, 0.1);
}

}  // namespace
}  // namespace armilla::draw
