#include <armilla/core/error.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/ops/solvers/accuracy.hpp>
#include <armilla/ops/solvers/ritz.hpp>

#include <cmath>
#include <limits>
#include <string>

#include <gtest/gtest.h>

namespace armilla::ops {
namespace {

using core::Precision;

std::string refused(const grid::RingGrid& grid, Index lmax, double tolerance,
                    Precision precision = Precision::kDouble) {
  try {
    check_accuracy({grid, lmax, lmax, 0, precision, tolerance});
  } catch (const core::InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Accuracy, QuadratureWhereItIsExact) {
  const auto route = [](const grid::RingGrid& grid, Index lmax, Index spin = 0) {
    return accuracy_route({grid, lmax, lmax, spin, Precision::kDouble, 1e-10});
  };
  using enum AccuracyRoute;
  EXPECT_EQ(route(grid::make_gauss(16, 32), 15), kExactQuadrature);
  EXPECT_EQ(route(grid::make_gauss(16, 32), 16), kConjugateGradients);
  EXPECT_EQ(route(grid::make_gauss(16, 20), 15), kConjugateGradients);  // mmax
  EXPECT_EQ(route(grid::make_reduced_gauss(64, 2, 0), 63, 2), kExactQuadrature);
  EXPECT_EQ(route(grid::make_reduced_gauss(64, 2, 0), 63, 3), kConjugateGradients);
  EXPECT_EQ(route(grid::make_octahedral(16), 8), kConjugateGradients);
  EXPECT_EQ(route(grid::make_healpix(8), 4), kConjugateGradients);
}

// The eigenvalues of docs/decisions/0014-least-squares.md, of dense matrices and Lanczos runs: the formula stays below.
TEST(Accuracy, EigenvalueOfHealpixIsAtMostTheTrueOne) {
  struct Case {
    Index nside, lmax;
    double eigenvalue;
  };
  for (const auto& [nside, lmax, eigenvalue] :
       {Case{4, 8, 0.827},  {4, 9, 0.773},     {4, 10, 0.693},    {4, 11, 0.527},    {8, 16, 0.853},
        {8, 20, 0.738},     {8, 21, 0.622},    {8, 22, 0.455},    {8, 23, 0.276},    {16, 36, 0.826},
        {16, 40, 0.755},    {16, 44, 0.312},   {16, 46, 0.0993},  {16, 47, 0.0433},  {32, 64, 0.873},
        {32, 80, 0.750},    {32, 88, 0.125},   {32, 92, 7.5e-3},  {64, 128, 0.876},  {64, 160, 0.729},
        {64, 176, 0.0113},  {128, 313, 0.803}, {128, 320, 0.686}, {128, 330, 0.276}, {128, 340, 0.0196},
        {128, 350, 2.3e-4}, {256, 627, 0.804}, {256, 640, 0.605}, {256, 650, 0.302}, {256, 660, 0.0659}}) {
    EXPECT_LE(healpix_min_eigenvalue(nside, lmax), 1.3 * eigenvalue) << "nside " << nside << " lmax " << lmax;
    EXPECT_GE(healpix_min_eigenvalue(nside, lmax), 0.2 * eigenvalue) << "nside " << nside << " lmax " << lmax;
  }
}

TEST(Accuracy, HealpixCarriesMoreThanTwoAndLessThanThreeNside) {
  for (const Index nside : {8, 64, 512, 8192})
    for (const double tolerance : {1e-4, 1e-8, 1e-11}) {
      const Index lmax = healpix_accurate_lmax(nside, Precision::kDouble, tolerance);
      EXPECT_GE(lmax, 2 * nside);
      EXPECT_LT(lmax, 3 * nside);
      EXPECT_LE(lmax, healpix_accurate_lmax(nside, Precision::kDouble, 10 * tolerance));
      EXPECT_GT(healpix_min_eigenvalue(nside, lmax), 0.9e-3);
    }
  // sqrt(6) nside, and less beyond it the larger nside is.
  EXPECT_NEAR(static_cast<double>(healpix_accurate_lmax(1 << 20, Precision::kDouble, 1e-4)) / (1 << 20), 2.4495, 0.005);
}

TEST(Accuracy, SaysWhatCanBeHad) {
  const grid::RingGrid healpix = grid::make_healpix(64);
  EXPECT_EQ(refused(healpix, 128, 1e-10), "");
  EXPECT_EQ(refused(healpix, 178, 1e-10), "");
  EXPECT_NE(refused(healpix, 179, 1e-10).find("Lower lmax to 178"), std::string::npos);
  EXPECT_NE(refused(healpix, 128, 0.9e-13).find("below the limit of double precision"), std::string::npos);
  EXPECT_NE(refused(healpix, 128, 1e-6, Precision::kSingle).find("precision: double"), std::string::npos);
  EXPECT_EQ(refused(healpix, 128, 2e-6, Precision::kSingle), "");
  EXPECT_EQ(refused(grid::make_gauss(129, 258), 128, 1e-13), "");
  const grid::RingGrid octahedral = grid::make_octahedral(64);
  EXPECT_NE(accuracy_advice({octahedral, 63, 63, 0, Precision::kDouble, 1e-10}).find("= 32"), std::string::npos);
}

// Conjugate gradients on a diagonal matrix with as many steps as it has eigenvalues find them all.
TEST(RitzValues, TendToTheLeastEigenvalue) {
  RitzValues ritz;
  EXPECT_EQ(ritz.least(), std::numeric_limits<double>::infinity());
  const double matrix[] = {0.02, 0.5, 0.8, 1.0, 1.7};
  double r[] = {1, 1, 1, 1, 1};
  double p[] = {1, 1, 1, 1, 1};
  double square = 5;
  double beta = 0;
  double before = std::numeric_limits<double>::infinity();
  for (int step = 0; step < 5; ++step) {
    double curvature = 0;
    for (int i = 0; i < 5; ++i) curvature += p[i] * matrix[i] * p[i];
    const double alpha = square / curvature;
    ritz.add_step(alpha, beta);
    EXPECT_GE(ritz.least(), 0.999 * 0.02);
    EXPECT_LE(ritz.least(), before);
    before = ritz.least();
    double next = 0;
    for (int i = 0; i < 5; ++i) {
      r[i] -= alpha * matrix[i] * p[i];
      next += r[i] * r[i];
    }
    beta = next / square;
    square = next;
    for (int i = 0; i < 5; ++i) p[i] = r[i] + beta * p[i];
  }
  EXPECT_NEAR(ritz.least(), 0.02, 1e-3 * 0.02);
}

}  // namespace
}  // namespace armilla::ops
