#include <armilla/job/steps/unit_powers.hpp>

#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace armilla::job::steps {
namespace {

TEST(UnitPowers, SquaresOfOneSymbolAreWrittenAsPowers) {
  EXPECT_EQ(unit_squared("K"), "K^2");
  EXPECT_EQ(unit_squared("uK_CMB"), "uK_CMB^2");
  EXPECT_EQ(unit_squared("\u00b5K"), "\u00b5K^2");
  EXPECT_EQ(unit_squared(""), "");
  EXPECT_EQ(unit_squared("1"), "1");
}

TEST(UnitPowers, ProductsAreSquaredFactorByFactor) {
  for (const char* speed : {"m/s", "m s-1", "m s**-1", "m s^-1", "m.s-1", "m*s^(-1)", "m / s"})
    EXPECT_EQ(unit_squared(speed), "m2 s-2") << speed;
  EXPECT_EQ(unit_squared("1/s"), "s-2");
  EXPECT_EQ(unit_squared("m^2/s"), "m4 s-2");
  EXPECT_EQ(unit_squared("kg m-2 s-1"), "kg2 m-4 s-2");
  EXPECT_EQ(unit_squared("MJy/sr"), "MJy2 sr-2");
  EXPECT_EQ(unit_squared("W/m2/sr"), "W2 m-4 sr-2");
}

TEST(UnitPowers, WhatIsNoProductOfSymbolsIsSquaredAsAWhole) {
  for (const char* unit : {"1e-6 K", "W/(m2 sr)", "log(Pa)", "K^0.5", "mmH2O", "K/", "K, K", "m^", "s^(-1", "K^0"})
    EXPECT_EQ(unit_squared(unit), "(" + std::string(unit) + ")^2");
}

TEST(UnitPowers, RootsUndoSquares) {
  for (const char* unit : {"K", "uK_CMB", "m s-1", "m2 s-1", "1e-6 K", "W/(m2 sr)", "s-1"})
    EXPECT_EQ(unit_root(unit_squared(unit)), unit);
  for (const auto& [squared, unit] : {std::pair{"(uK)^2", "uK"}, {"muK^2", "uK"}, {"K**2", "K"}, {"K2", "K"}})
    EXPECT_EQ(unit_root(squared), unit) << squared;
  for (const char* none : {"", "K", "m2 s-1", "uK^3"}) EXPECT_EQ(unit_root(none), "") << none;
}

}  // namespace
}  // namespace armilla::job::steps
