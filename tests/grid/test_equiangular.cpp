#include <armilla/grid/makers.hpp>

#include <cmath>
#include <string>
#include <utility>

#include "support/reference_data.hpp"
#include "support/refusal.hpp"
#include <gtest/gtest.h>

namespace armilla::grid {
namespace {

TEST(Equiangular, WeightsAreThoseOfTheReference) {
  const std::string file = test::reference_file("weights.h5");
  for (const auto& [rule, name] : {std::pair{"cc", "CC"}, {"f1", "F1"}, {"f2", "F2"}, {"dh", "DH"}})
    for (const Index nlat : {6, 14, 64, 301}) {
      const Index rings = name == std::string("DH") && nlat == 301 ? 302 : nlat;
      const auto weights =
          test::read_doubles(file, "weights/" + std::string(name) + "_" + std::to_string(rings) + "/weights");
      const RingGrid grid = make_equiangular(rule, rings, 4);
      ASSERT_EQ(grid.rings().size(), weights.size());
      for (std::size_t i = 0; i < weights.size(); ++i) EXPECT_NEAR(grid.rings()[i].weight, weights[i], 1e-14);
    }
}

TEST(Equiangular, IntegratesEveryCosineThatItShould) {
  for (const std::string rule : {"cc", "f1", "f2", "mw", "mwflip", "dh"})
    for (const Index nlat : {2, 3, 8, 9, 40, 41}) {
      const RingGrid grid = make_equiangular(rule, nlat, 4);
      for (Index k = 0; k < (rule == "dh" ? nlat - 1 : nlat); ++k) {
        SCOPED_TRACE(rule + " " + std::to_string(nlat) + ", k = " + std::to_string(k));
        double sum = 0;
        for (const Ring& ring : grid.rings()) sum += ring.weight * std::cos(static_cast<double>(k) * ring.theta);
        const double exact = k % 2 == 0 ? 4 * core::kPi / (1 - static_cast<double>(k * k)) : 0.0;
        EXPECT_NEAR(sum, exact, 3e-14 * static_cast<double>(k + 1));
      }
    }
}

TEST(Equiangular, RingsAreThoseOfTheReference) {
  const std::string file = test::reference_file("rings.h5");
  for (const auto& [rule, name] :
       {std::pair{"cc", "CC"}, {"f1", "F1"}, {"f2", "F2"}, {"mw", "MW"}, {"mwflip", "MWflip"}, {"dh", "DH"}}) {
    const std::string group = "rings/" + std::string(name) + "_spin0";
    const auto theta = test::read_doubles(file, group + "/theta");
    const auto phi0 = test::read_doubles(file, group + "/phi0");
    const auto nphi = test::read_integers(file, group + "/nphi");
    const RingGrid grid = make_equiangular(rule, static_cast<Index>(theta.size()), nphi.front());
    ASSERT_EQ(grid.rings().size(), theta.size());
    for (std::size_t i = 0; i < theta.size(); ++i) {
      EXPECT_NEAR(grid.rings()[i].theta, theta[i], 1e-15);
      EXPECT_NEAR(grid.rings()[i].phi0, phi0[i], 1e-15);
      EXPECT_EQ(grid.rings()[i].nphi, nphi[i]);
    }
  }
}

TEST(Equiangular, RefusesWhatMakesNoGrid) {
  EXPECT_NE(test::refusal([] { make_equiangular("clenshaw", 8, 16); }).find("use one of cc, f1"), std::string::npos);
  EXPECT_NE(test::refusal([] { make_equiangular("cc", 1, 16); }).find("at least 2 rings"), std::string::npos);
  EXPECT_NE(test::refusal([] { make_equiangular("mw", 8, -1); }).find("nphi = -1"), std::string::npos);
}

TEST(Equiangular, SaysWhatItsRingsCarry) {
  const auto lmax = [](const char* rule, Index nlat) { return make_equiangular(rule, nlat, 4 * nlat).analysis_lmax(); };
  EXPECT_EQ(lmax("cc", 2), 0);
  EXPECT_EQ(lmax("cc", 33), 31);
  for (const char* rule : {"f1", "f2", "mw", "mwflip", "dh"}) EXPECT_EQ(lmax(rule, 32), 31) << rule;
  const RingGrid grid = make_equiangular("mw", 32, 64);
  EXPECT_TRUE(grid.needs_theta_quadrature(15));
  EXPECT_TRUE(grid.needs_theta_quadrature(16));
  EXPECT_TRUE(grid.needs_theta_quadrature(31));
  EXPECT_FALSE(grid.needs_theta_quadrature(32));
}

}  // namespace
}  // namespace armilla::grid
