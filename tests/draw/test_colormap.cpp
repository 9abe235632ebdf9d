#include <armilla/draw/colormap.hpp>

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace armilla::draw {
namespace {

/// Relative luminance of sRGB (IEC 61966-2-1), 0 .. 1.
double luminance(Rgb color) {
  const auto linear = [](std::uint8_t channel) {
    const double value = channel / 255.0;
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue);
}

TEST(ColorMap, SequentialGrowsBrighterAllTheWay) {
  const ColorMap colors(ColorMapKind::kSequential);
  for (int i = 1; i <= 64; ++i) EXPECT_GT(luminance(colors(i / 64.0)), luminance(colors((i - 1) / 64.0))) << i;
  EXPECT_LT(luminance(colors(0)), 0.03);
  EXPECT_GT(luminance(colors(1)), 0.8);
}

TEST(ColorMap, DivergingIsBlueWhiteRed) {
  const ColorMap colors(ColorMapKind::kDiverging);
  for (int i = 1; i <= 32; ++i) {
    EXPECT_GT(luminance(colors(i / 64.0)), luminance(colors((i - 1) / 64.0))) << i;
    EXPECT_LT(luminance(colors(0.5 + i / 64.0)), luminance(colors(0.5 + (i - 1) / 64.0))) << i;
  }
  const Rgb low = colors(0.1), middle = colors(0.5), high = colors(0.9);
  EXPECT_GT(low.blue, low.red + 100);
  EXPECT_GT(high.red, high.blue + 100);
  EXPECT_GT(luminance(middle), 0.85);
  EXPECT_LT(std::abs(middle.red - middle.blue), 25);
}

TEST(ColorMap, ValuesBeyondTheEndsAndNaNHaveAColour) {
  const ColorMap colors(ColorMapKind::kSequential);
  EXPECT_EQ(colors(-7), colors(0));
  EXPECT_EQ(colors(std::numeric_limits<double>::infinity()), colors(1));
  EXPECT_EQ(colors(std::numeric_limits<double>::quiet_NaN()), kBadColor);
}

}  // namespace
}  // namespace armilla::draw
