#include <armilla/core/error.hpp>
#include <armilla/draw/spectra_picture.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "picture.hpp"
#include <gtest/gtest.h>

namespace armilla::draw {
namespace {

Picture drawn(std::span<const SpectrumCurve> curves, const SpectraStyle& style) {
  return Picture(draw_spectra(curves, style));
}

/// True where the blue of the first curve covers half of a pixel or more.
bool of_first_curve(Rgb color) { return color.blue - color.red > 65; }

std::vector<double> power_law(int lmax, double index) {
  std::vector<double> values{0};
  for (int l = 1; l <= lmax; ++l) values.push_back(std::pow(l, index));
  return values;
}

/// Pixels of the first curve below the legend.
int curve_pixels(const Picture& image) {
  const auto below_legend = image.pixels().subspan(static_cast<std::size_t>(image.width() * (image.height() / 8)));
  return static_cast<int>(std::count_if(below_legend.begin(), below_legend.end(), of_first_curve));
}

/// The uppermost pixel of the first curve in a column, below the legend; -1 where there is none.
int row_of_curve(const Picture& image, int x) {
  for (int y = image.height() / 8; y < image.height(); ++y)
    if (of_first_curve(image.at(x, y))) return y;
  return -1;
}

TEST(SpectraPicture, HasTheSizeAskedFor) {
  const SpectrumCurve curve{"TT", power_law(100, -2)};
  const Picture image = drawn({&curve, 1}, {.width = 700, .height = 450});
  EXPECT_EQ(image.width(), 700);
  EXPECT_EQ(image.height(), 450);
}

TEST(SpectraPicture, APowerLawIsAStraightLine) {
  const SpectrumCurve curve{"TT", power_law(1000, -3)};
  const Picture image = drawn({&curve, 1}, {.quantity = SpectrumQuantity::kPower, .width = 900, .height = 600});
  const int left = row_of_curve(image, 300), middle = row_of_curve(image, 500), right = row_of_curve(image, 700);
  ASSERT_GT(left, 0);
  EXPECT_GT(right, left + 100);
  EXPECT_NEAR(middle, (left + right) / 2.0, 2);
}

TEST(SpectraPicture, BandPowerIsTheDefault) {
  // l (l + 1) C_l is constant.
  SpectrumCurve curve{"TT", {}};
  for (int l = 0; l <= 500; ++l) curve.values.push_back(l > 0 ? 1.0 / (l * (l + 1.0)) : 0);
  const Picture image = drawn({&curve, 1}, {.width = 900, .height = 600});
  EXPECT_NEAR(row_of_curve(image, 250), row_of_curve(image, 800), 1);
}

TEST(SpectraPicture, NegativeValuesAreThinnerDashesAtTheAbsoluteValue) {
  SpectrumCurve positive{"TE", power_law(1000, -2)}, negative = positive;
  for (double& value : negative.values) value = -value;
  const SpectraStyle style{.width = 900, .height = 600};
  const Picture above = drawn({&positive, 1}, style), below = drawn({&negative, 1}, style);
  int columns_above = 0, columns_below = 0;
  for (int x = 150; x < 850; ++x) {
    const int solid = row_of_curve(above, x), dash = row_of_curve(below, x);
    columns_above += solid > 0;
    columns_below += dash > 0;
    if (solid > 0 && dash > 0) {
      EXPECT_NEAR(solid, dash, 2);
    }
  }
  EXPECT_EQ(columns_above, 700);
  EXPECT_GT(columns_below, 200);
  EXPECT_LT(columns_below, 500);
}

TEST(SpectraPicture, ZerosNaNsAndSignChangesAreDrawnAround) {
  SpectrumCurve curve{"TB", power_law(300, -1)};
  for (std::size_t l = 2; l < curve.values.size(); ++l) {
    if (l % 3 == 0) curve.values[l] *= -1;
    if (l % 7 == 0) curve.values[l] = 0;
    if (l % 11 == 0) curve.values[l] = std::numeric_limits<double>::quiet_NaN();
    if (l % 13 == 0) curve.values[l] = -std::numeric_limits<double>::infinity();
  }
  EXPECT_GT(curve_pixels(drawn({&curve, 1}, {.width = 600, .height = 400})), 100);
}

TEST(SpectraPicture, EmptySpectraStillGiveAxes) {
  const std::vector<SpectrumCurve> curves{{"BB", std::vector<double>(50, 0.0)},
                                          {"EB", std::vector<double>(50, std::numeric_limits<double>::quiet_NaN())}};
  const Picture image = drawn(curves, {.width = 600, .height = 400});
  EXPECT_GT(std::count(image.pixels().begin(), image.pixels().end(), kBlack), 1000);
  EXPECT_EQ(curve_pixels(image), 0);
}

TEST(SpectraPicture, OneMultipoleIsDrawn) {
  const SpectrumCurve curve{"TT", {0, 0, 5}};
  for (const AxisScale scale : {AxisScale::kLog, AxisScale::kLinear})
    EXPECT_GT(curve_pixels(drawn({&curve, 1}, {.l_axis = scale})), 3);
}

TEST(SpectraPicture, RoundingErrorsDoNotSqueezeTheOtherCurves) {
  std::vector<SpectrumCurve> curves{{"TT", power_law(500, -2)}};
  const SpectraStyle style{.width = 900, .height = 600};
  const int alone = row_of_curve(drawn(curves, style), 500);
  curves.push_back({"BB", power_law(500, -2)});
  for (double& value : curves.back().values) value *= 1e-30;
  EXPECT_EQ(row_of_curve(drawn(curves, style), 500), alone);
}

TEST(SpectraPicture, ExtremeMagnitudesAreDrawn) {
  for (const double scale : {1e-300, 1e-40, 1e200}) {
    SpectrumCurve curve{"TT", power_law(50, -2)};
    for (double& value : curve.values) value *= scale;
    EXPECT_GT(curve_pixels(drawn({&curve, 1}, {.width = 600, .height = 400})), 300) << scale;
  }
}

/// True for the tint of the band of the first curve.
bool of_first_band(Rgb color) { return color.blue - color.red > 15 && !of_first_curve(color) && color.blue > 200; }

/// The uppermost and the lowermost pixel of its band in a column.
std::pair<int, int> rows_of_band(const Picture& image, int x) {
  std::pair<int, int> ends{-1, -1};
  for (int y = image.height() / 8; y < image.height(); ++y)
    if (of_first_band(image.at(x, y))) {
      if (ends.first < 0) ends.first = y;
      ends.second = y;
    }
  return ends;
}

TEST(SpectraPicture, ABandSpansTheDeviationOnEitherSide) {
  SpectrumCurve curve{"TT", power_law(1000, -2)};
  const SpectraStyle style{.width = 900, .height = 600};
  curve.deviation.assign(curve.values.size(), 0.0);
  const auto none = rows_of_band(drawn({&curve, 1}, style), 500);
  EXPECT_LT(none.second - none.first, 8);  // the edges of the line
  for (std::size_t l = 0; l < curve.values.size(); ++l) curve.deviation[l] = 0.5 * curve.values[l];
  const Picture image = drawn({&curve, 1}, style);
  const int middle = row_of_curve(image, 500);
  const auto [top, bottom] = rows_of_band(image, 500);
  ASSERT_GT(middle, 0);
  EXPECT_LT(top, middle - 20);
  EXPECT_GT(bottom, middle + 20);
  // log(1.5) above, log(2) below.
  EXPECT_NEAR((bottom - middle) / static_cast<double>(middle - top), std::log(2.0) / std::log(1.5), 0.15);
  for (double& value : curve.values) value = -value;
  EXPECT_EQ(rows_of_band(drawn({&curve, 1}, style), 500), std::make_pair(top, bottom));
}

TEST(SpectraPicture, SamplesAreThinLinesBesideTheCurve) {
  SpectrumCurve curve{"TT", power_law(1000, -2)};
  const SpectraStyle style{.width = 900, .height = 600};
  const auto inked = [](const Picture& image) {
    return std::count_if(image.pixels().begin(), image.pixels().end(), [](Rgb c) { return c.blue - c.red > 30; });
  };
  const auto before = inked(drawn({&curve, 1}, style));
  curve.samples.push_back(curve.values);
  for (double& value : curve.samples.back()) value *= 0.8;
  const auto with_one = inked(drawn({&curve, 1}, style));
  EXPECT_GT(with_one, before + 300);
  EXPECT_LT(with_one, 2 * before);
}

TEST(SpectraPicture, VectorsHaveCurvesAndTitle) {
  const SpectrumCurve curve{"TT", power_law(100, -2)};
  SpectraStyle style{.format = PictureFormat::kSvg};
  const std::string plain = draw_spectra({&curve, 1}, style);
  style.title = "Meanofmaps";
  EXPECT_EQ(occurrences(draw_spectra({&curve, 1}, style), "<use "), occurrences(plain, "<use ") + 10);
  // The blue of the first curve, in the plot and in the legend.
  EXPECT_EQ(occurrences(plain, "10.980392%"), 2);
}

TEST(SpectraPicture, CurvesBeginWherePowerBegins) {
  SpectrumCurve curve{"TT", power_law(100, -2)};
  const auto same_from = [&](core::Index lmin) {
    return draw_spectra({&curve, 1}, {}) == draw_spectra({&curve, 1}, {.lmin = lmin});
  };
  EXPECT_TRUE(same_from(1));
  curve.values[1] = 1e-20 * curve.values[2];  // rounding errors
  EXPECT_TRUE(same_from(2));
  for (std::size_t l = 0; l < 30; ++l) curve.values[l] = 0;
  EXPECT_TRUE(same_from(30));
  curve.values.assign(101, 0);
  EXPECT_TRUE(same_from(1));
}

TEST(SpectraPicture, ATitleThatIsTooLongIsSetSmaller) {
  const SpectrumCurve curve{"TT", power_law(100, -2)};
  const Picture picture = drawn({&curve, 1}, {.title = std::string(80, 'M'), .width = 500, .height = 300});
  int inked = 0;
  for (int y = 0; y < 20; ++y) {
    inked += picture.at(250, y) != kWhite;
    EXPECT_EQ(picture.at(2, y), kWhite);
    EXPECT_EQ(picture.at(497, y), kWhite);
  }
  EXPECT_GT(inked, 0);
}

TEST(SpectraPicture, WhatCannotBeDrawnIsRefusedInWords) {
  const SpectrumCurve curve{"TT", power_law(10, -2)};
  const auto says = [&](std::size_t curves, const SpectraStyle& style, const std::string& words) {
    try {
      draw_spectra({&curve, curves}, style);
      ADD_FAILURE() << "no error: " << words;
    } catch (const core::InputError& error) {
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
  };
  says(0, {}, "no spectrum is selected");
  says(1, {.lmin = 11}, "end at l = 10, but drawing starts at l = 11");
  says(1, {.lmin = 0}, "lmin = 0 cannot be drawn");
  says(1, {.width = 10}, "10 x 1000 pixels is too small");
  SpectrumCurve uneven{"EE", power_law(10, -2), {1, 2}};
  EXPECT_THROW(draw_spectra({&uneven, 1}, {}), core::InputError);
  uneven.deviation.clear();
  uneven.samples = {{1, 2, 3}};
  EXPECT_THROW(draw_spectra({&uneven, 1}, {}), core::InputError);
}

}  // namespace
}  // namespace armilla::draw
