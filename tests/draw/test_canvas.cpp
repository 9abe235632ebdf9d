#include <armilla/core/error.hpp>
#include <armilla/draw/canvas.hpp>
#include <armilla/draw/text.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "picture.hpp"
#include <gtest/gtest.h>

namespace armilla::draw {
namespace {

std::string file(PictureFormat format, int width, int height, const std::function<void(Canvas&)>& draw) {
  const auto canvas = make_canvas(format, width, height);
  draw(*canvas);
  return canvas->finish();
}

Picture picture(int width, int height, const std::function<void(Canvas&)>& draw) {
  return Picture(file(PictureFormat::kPng, width, height, draw));
}

TEST(Canvas, RectangleOfWholePixelsIsSharp) {
  const Picture drawn = picture(10, 8, [](Canvas& canvas) {
    canvas.fill({{2, 3}, {6, 3}, {6, 5}, {2, 5}}, kBlack, 1);
  });
  EXPECT_EQ(ink(drawn), 4 * 2);
  EXPECT_EQ(drawn.at(2, 3), kBlack);
  EXPECT_EQ(drawn.at(5, 4), kBlack);
  EXPECT_EQ(drawn.at(6, 4), kWhite);
}

TEST(Canvas, APaletteKeepsFewColoursAndComesCloseToMany) {
  const auto far = [](int count) {
    Raster raster{count, 3, {}};
    for (int row = 0; row < 3; ++row)
      for (int x = 0; x < count; ++x)
        raster.pixels.push_back({static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(x / 4), 77});
    const Picture drawn = picture(count, 3, [&](Canvas& canvas) { canvas.paint(raster, {0, 0}, {double(count), 3}); });
    int largest = 0;
    for (int x = 0; x < count; ++x) {
      const Rgb there = drawn.at(x, 1), meant = raster.pixels[static_cast<std::size_t>(x)];
      largest = std::max({largest, std::abs(there.red - meant.red), std::abs(there.green - meant.green),
                          std::abs(there.blue - meant.blue)});
    }
    return largest;
  };
  EXPECT_EQ(far(256), 0);
  EXPECT_GT(far(1000), 0);
  EXPECT_LT(far(1000), 8);
}

TEST(Canvas, InkOfALineIsLengthTimesWidth) {
  for (const double width : {0.5, 1.0, 3.0}) {
    const Picture drawn = picture(200, 200, [&](Canvas& canvas) {
      canvas.stroke(Path{{20.3, 30.7}, {170.1, 120.4}}, {kBlack, width});
    });
    // Round ends add pi/4 width^2.
    const double expected = std::hypot(149.8, 89.7) * width + 0.785 * width * width;
    EXPECT_NEAR(ink(drawn), expected, 0.03 * expected) << width;
  }
}

TEST(Canvas, CrossingsOfOneStrokeAreInkedOnce) {
  const Picture drawn = picture(20, 20, [](Canvas& canvas) {
    const Path paths[] = {{{2, 10}, {18, 10}}, {{10, 2}, {10, 18}}};
    canvas.stroke(paths, {kBlack, 4, 0.5});
  });
  EXPECT_EQ(drawn.at(10, 10), drawn.at(5, 10));
  EXPECT_NEAR(drawn.at(5, 10).red, 128, 1);
}

TEST(Canvas, APathOfOnePointIsADot) {
  const Picture drawn = picture(20, 20, [](Canvas& canvas) { canvas.stroke(Path{{10, 10}}, {kBlack, 8}); });
  EXPECT_NEAR(ink(drawn), 3.1416 * 4 * 4, 1.5);
}

TEST(Canvas, WhatLiesOutsideIsLeftAway) {
  const auto across = [](Canvas& canvas) { canvas.stroke(Path{{-1e5, 5}, {1e5, 5}}, {kBlack, 2}); };
  EXPECT_EQ(ink(picture(20, 10, across)), 40);
  const auto clipped = [&](Canvas& canvas) {
    const Path corners{{3, 0}, {7, 0}, {7, 10}, {3, 10}};
    canvas.clip({&corners, 1});
    across(canvas);
  };
  EXPECT_EQ(ink(picture(20, 10, clipped)), 8);
  EXPECT_EQ(ink(picture(20, 10,
                        [&](Canvas& canvas) {
                          clipped(canvas);
                          canvas.unclip();
                          across(canvas);
                        })),
            40);
}

TEST(Canvas, DashesShareTheLineAsAsked) {
  const Picture drawn = picture(120, 10, [](Canvas& canvas) {
    // Round ends take half the width of the line from each side of a gap.
    canvas.stroke(Path{{10, 5}, {110, 5}}, {kBlack, 2, 1, {6, 4}});
  });
  EXPECT_NEAR(ink(drawn), 10 * (6 * 2 + 3.1416), 4);
}

TEST(Canvas, RastersAreStretchedWithSharpEdges) {
  const Raster raster{2, 1, {{200, 10, 20}, {30, 40, 250}}};
  const Picture drawn = picture(20, 10, [&](Canvas& canvas) { canvas.paint(raster, {2, 3}, {18, 9}); });
  EXPECT_EQ(drawn.at(2, 3), raster.pixels[0]);
  EXPECT_EQ(drawn.at(9, 8), raster.pixels[0]);
  EXPECT_EQ(drawn.at(10, 3), raster.pixels[1]);
  EXPECT_EQ(drawn.at(17, 8), raster.pixels[1]);
  EXPECT_EQ(drawn.at(18, 8), kWhite);
}

TEST(Canvas, SizesThatCannotBeAreRefused) {
  EXPECT_THROW(make_canvas(PictureFormat::kPng, 0, 5), core::InputError);
  EXPECT_THROW(make_canvas(PictureFormat::kSvg, 5, -1), core::InputError);
  EXPECT_THROW(make_canvas(PictureFormat::kPdf, 40000, 5), core::InputError);
}

TEST(Canvas, VectorsHaveTheSizeAskedForAndRastersInside) {
  const auto draw = [](Canvas& canvas) { canvas.paint({1, 1, {{1, 2, 3}}}, {0, 0}, {10, 10}); };
  const std::string svg = file(PictureFormat::kSvg, 400, 300, draw);
  EXPECT_NE(svg.find(R"(width="400px" height="300px")"), std::string::npos) << svg.substr(0, 300);
  EXPECT_EQ(occurrences(svg, "<image "), 1);
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  const std::string pdf = file(PictureFormat::kPdf, 400, 300, draw);
  EXPECT_TRUE(pdf.starts_with("%PDF-"));
  EXPECT_TRUE(pdf.ends_with("%%EOF\n"));
  EXPECT_EQ(occurrences(pdf, "/Subtype /Image"), 1);
}

TEST(Text, VectorsHaveAGlyphForEachCharacter) {
  const auto text = [](Canvas& canvas) { draw_text(canvas, {10, 40}, "C_{\u2113}/\u00b5K^2", {20}); };
  EXPECT_EQ(occurrences(file(PictureFormat::kSvg, 200, 60, text), "<use "), 6);
}

TEST(Text, SuperscriptsAreRaisedAndSmaller) {
  const auto canvas = make_canvas(PictureFormat::kPng, 100, 100);
  const auto width = [&](const char* text, double size) { return text_width(*canvas, text, size); };
  EXPECT_LT(width("K^2", 20), width("K2", 20));
  EXPECT_EQ(width("10^-12", 20), width("10^{-12}", 20));
  EXPECT_LT(width("C_{l}", 20), width("C_l", 20));
  EXPECT_GT(width("a^b", 20), width("ab", 20));  // no script: the sign stands for itself
  EXPECT_NEAR(width("Armilla", 40), 2 * width("Armilla", 20), 1e-2);
  const auto top = [](const char* text) {
    const Picture drawn = picture(60, 60, [&](Canvas& c) { draw_text(c, {10, 40}, text, {20}); });
    int y = 0;
    while (std::all_of(&drawn.pixels()[y * 60], &drawn.pixels()[y * 60] + 60, [](Rgb c) { return c == kWhite; })) ++y;
    return y;
  };
  EXPECT_LT(top("^2"), top("2") - 1);
  EXPECT_GT(top("_{2}"), top("2") + 4);
}

TEST(Text, MalformedTextIsDrawnNotRefused) {
  for (const char* text :
       {"\xff", "\xc3 ^ ^{ _{ \xe2\x82", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xef\xbf\xbf", "\x01\n\x7f"})
    EXPECT_GT(ink(picture(300, 40, [&](Canvas& canvas) { draw_text(canvas, {5, 30}, text, {20}); })), 20) << text;
}

TEST(Text, AlignmentMovesTheTextByItsWidth) {
  const auto centre_of_ink = [](HorizontalAlign align) {
    const Picture drawn = picture(400, 40, [&](Canvas& canvas) {
      draw_text(canvas, {200, 30}, "HHHH", {20, kBlack, align});
    });
    double moment = 0;
    for (int y = 0; y < drawn.height(); ++y)
      for (int x = 0; x < drawn.width(); ++x) moment += (255 - drawn.at(x, y).red) / 255.0 * (x + 0.5);
    return moment / ink(drawn);
  };
  const double half = text_width(*make_canvas(PictureFormat::kPng, 1, 1), "HHHH", 20) / 2;
  EXPECT_NEAR(centre_of_ink(HorizontalAlign::kCentre), 200, 0.3);
  EXPECT_NEAR(centre_of_ink(HorizontalAlign::kLeft), 200 + half, 0.3);
  EXPECT_NEAR(centre_of_ink(HorizontalAlign::kRight), 200 - half, 0.3);
}

TEST(Text, TurnedTextRunsUpwards) {
  const Picture drawn = picture(60, 200, [](Canvas& canvas) {
    draw_text(canvas, {40, 100}, "K^2", {20, kBlack, HorizontalAlign::kCentre, 90});
  });
  for (int y = 0; y < drawn.height(); ++y)
    for (int x = 0; x < drawn.width(); ++x)
      if (x > 41 || x < 18 || std::abs(y - 100) > 20) {
        EXPECT_EQ(drawn.at(x, y), kWhite) << x << ' ' << y;
      }
  EXPECT_GT(ink(drawn), 30);
}

}  // namespace
}  // namespace armilla::draw
