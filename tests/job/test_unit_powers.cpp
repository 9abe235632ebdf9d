#include <armilla/job/value/unit_powers.hpp>

#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace armilla::job {
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

TEST(UnitPowers, ProductsJoinThePowersOfTheirSymbols) {
  EXPECT_EQ(unit_product("K", ""), "K");
  EXPECT_EQ(unit_product("1", "K"), "K");
  EXPECT_EQ(unit_product("K", "K"), "K^2");
  EXPECT_EQ(unit_product("m/s", "s"), "m");
  EXPECT_EQ(unit_product("s-1", "s"), "1");
  EXPECT_EQ(unit_product("kg m-3", "m/s"), "kg m-2 s-1");
  EXPECT_EQ(unit_product("1e-6 K", "m"), "(1e-6 K) (m)");
}

TEST(UnitPowers, FactorsBetweenUnits) {
  const auto factor = [](const char* from, const char* to) { return unit_factor(from, to).value_or(0); };
  // Powers of ten up to 1e22 are exact doubles; negative ones are rounded once.
  for (const char* micro : {"uK", "muK", "\u00b5K", "\u03bcK", "uK_CMB", "muK_CMB", "uK,thermodynamic"})
    EXPECT_DOUBLE_EQ(factor("K", micro), 1e6) << micro;
  EXPECT_DOUBLE_EQ(factor("uK_CMB", "muK"), 1);
  EXPECT_DOUBLE_EQ(factor("mK,thermodynamic", "uK"), 1e3);
  EXPECT_DOUBLE_EQ(factor("mK, thermodynamic", "K_CMB"), 1e-3);
  EXPECT_DOUBLE_EQ(factor("uK^2", "K^2"), 1e-12);
  EXPECT_DOUBLE_EQ(factor("K2", "uK_CMB**2"), 1e12);
  EXPECT_DOUBLE_EQ(factor("(mK,thermodynamic)^2", "uK^2"), 1e6);
  EXPECT_DOUBLE_EQ(factor("MJy/sr", "kJy sr-1"), 1e3);
  EXPECT_DOUBLE_EQ(factor("m s**-1", "m/s"), 1);
}

TEST(UnitPowers, UnitsOfOtherQuantitiesHaveNoFactor) {
  for (const auto& [from, to] :
       {std::pair{"K", "K^2"}, {"K_CMB", "K_RJ"}, {"K", ""}, {"", "K"}, {"K", "m"}, {"mm", "m"}, {"log(K)", "K"}})
    EXPECT_FALSE(unit_factor(from, to)) << from << " " << to;
  EXPECT_DOUBLE_EQ(unit_factor("log(Pa)", "log(Pa)").value_or(0), 1);
}

}  // namespace
}  // namespace armilla::job
