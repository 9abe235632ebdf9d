#include <armilla/core/error.hpp>
#include <armilla/radial/interpolated_kernel.hpp>
#include <armilla/radial/kernel.hpp>
#include <armilla/radial/legendre_series.hpp>
#include <armilla/radial/support.hpp>

#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <omp.h>

namespace armilla::radial {
namespace {

using core::at;
using core::kPi;

constexpr double kArcmin = kPi / 10800;

TEST(Kernels, HaveTheDocumentedIntegral) {
  const auto l0 = [](const Kernel& kernel) { return legendre_transform(kernel, kPi, 0).front(); };
  const double sigma = 30 * kArcmin / std::sqrt(8 * std::log(2.0));
  EXPECT_NEAR(l0(*gaussian_kernel(30 * kArcmin)), 1 - sigma * sigma / 3, 1e-9);  // the sphere is curved
  EXPECT_NEAR(l0(*top_hat_kernel(0.3)), 1, 1e-14);
  EXPECT_NEAR(l0(*top_hat_kernel(kPi)), 1, 1e-14);
  EXPECT_NEAR(l0(*mexican_hat_kernel(0.1)), 0, 1e-13);
  const auto hat = mexican_hat_kernel(0.1);
  EXPECT_NEAR(2 * kPi * integrate([&](double d) { return std::pow(hat->value(d), 2) * std::sin(d); }, 0, kPi, 0.05), 1,
              1e-12);
}

TEST(Kernels, TransformBackAndForth) {
  std::vector<double> b;
  for (int l = 0; l <= 200; ++l) b.push_back(1 / (1 + 0.01 * l * l) + 0.1 * std::sin(l));
  const auto kernel = series_kernel(b);
  const auto found = legendre_transform(*kernel, kPi, 220);
  for (int l = 0; l <= 220; ++l) EXPECT_NEAR(found[at(l)], l <= 200 ? b[at(l)] : 0, 1e-11) << l;
  for (double angle : {0.0, 1e-9, 0.3, 1.7, kPi}) {
    double sum = 0;
    for (int l = 0; l <= 200; ++l) sum += (2 * l + 1) / (4 * kPi) * b[at(l)] * std::legendre(l, std::cos(angle));
    EXPECT_NEAR(kernel->value(angle), sum, 1e-10 * std::abs(kernel->value(0)));
  }
}

TEST(Kernels, OfTablesAreSplines) {
  // A natural cubic spline through many rows of a smooth even function that has no curvature at its end.
  std::vector<double> theta, values;
  const auto f = [](double d) { return 1 + std::cos(20 * d); };
  const double end = kPi / 40;
  for (int k = 0; k <= 100; ++k) {
    theta.push_back(end * k / 100);
    values.push_back(f(theta.back()));
  }
  for (int skip : {0, 1}) {
    const auto kernel = table_kernel("t", std::span(theta).subspan(at(skip)), std::span(values).subspan(at(skip)));
    for (double x = 0; x < 1; x += 0.0123) EXPECT_NEAR(kernel->value(end * x), f(end * x), 2e-8) << skip << ' ' << x;
    EXPECT_EQ(kernel->value(end * 1.001), 0);
    EXPECT_EQ(kernel->end(), end);
  }
}

TEST(Kernels, RefuseInvalidTables) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> good{0.0, 0.1, 0.2}, one{0.1}, unsorted{0.0, 0.2, 0.1}, twice{0.0, 0.1, 0.1},
      far{0.0, 1.0, 3.2}, hole{0.0, nan, 0.2};
  EXPECT_NO_THROW(table_kernel("t", good, good));
  EXPECT_THROW(table_kernel("t", one, one), core::InputError);
  EXPECT_THROW(table_kernel("t", unsorted, good), core::InputError);
  EXPECT_THROW(table_kernel("t", twice, good), core::InputError);
  EXPECT_THROW(table_kernel("t", far, good), core::InputError);
  EXPECT_THROW(table_kernel("t", hole, good), core::InputError);
  EXPECT_THROW(table_kernel("t", good, hole), core::InputError);
  EXPECT_THROW(gaussian_kernel(-1), core::InputError);
  EXPECT_THROW(top_hat_kernel(3.2), core::InputError);
}

TEST(Needlets, PartTheSphereOfDegrees) {
  for (double base : {1.5, 2.0, 3.0}) {
    const auto below = needlet_window(base, 2, NeedletPart::kBelow);
    std::vector<double> sum(40, 0.0);
    const auto add = [&](const std::vector<double>& window) {
      for (std::size_t l = 0; l < std::min(window.size(), sum.size()); ++l) sum[l] += window[l] * window[l];
    };
    add(below);
    for (Index scale = 2; std::pow(base, static_cast<double>(scale - 1)) < 40; ++scale)
      add(needlet_window(base, scale, NeedletPart::kScale));
    for (double square : sum) EXPECT_NEAR(square, 1, 1e-12);
  }
  const auto window = needlet_window(2, 3, NeedletPart::kScale);
  EXPECT_EQ(window.size(), 16u);
  EXPECT_EQ(window[4], 0);
  EXPECT_GT(window[5], 0);
  EXPECT_NEAR(window[8], 1, 1e-12);
}

TEST(Support, FollowsFromTheErrorThatIsTolerated) {
  const auto kernel = gaussian_kernel(0.02);
  const double sigma = 0.02 / std::sqrt(8 * std::log(2.0));
  for (double error : {1e-2, 1e-6, 1e-10}) {
    const double cutoff = cutoff_of_error(*kernel, error, [&](double angle) { return cutoff_error(*kernel, angle); });
    EXPECT_NEAR(cutoff, sigma * std::sqrt(-2 * std::log(error)), 0.02 * cutoff);  // that of the monopole is worse
    EXPECT_LE(cutoff_error(*kernel, cutoff), error);
  }
  const auto hat = top_hat_kernel(0.4);
  EXPECT_LE(cutoff_of_error(*hat, 1e-6, [&](double angle) { return cutoff_error(*hat, angle); }), 0.4);
  EXPECT_NEAR(step_at(*kernel, 4 * sigma), std::exp(-8), 1e-12);
  EXPECT_EQ(step_at(*top_hat_kernel(0.4), 0.4), 1);
  const std::vector<double> flat(5000, 1.0);
  SpectrumError of_flat(*kernel, flat);
  for (double far : {5.0, 3.0, 4.0, 3.0})  // in any order
    EXPECT_NEAR(of_flat.at_cutoff(far * sigma), std::exp(-far * far / 2), 1e-3);
}

TEST(Support, FindsTheBandOfKernels) {
  const auto degree = band_limit(*gaussian_kernel(0.1), 1e-12);
  const double sigma = 0.1 / std::sqrt(8 * std::log(2.0));
  ASSERT_TRUE(degree);
  EXPECT_NEAR(static_cast<double>(*degree), std::sqrt(2 * std::log(1e12)) / sigma, 2);
  EXPECT_FALSE(band_limit(*top_hat_kernel(0.1), 1e-6));
  EXPECT_LE(*band_limit(*series_kernel(needlet_window(2, 5, NeedletPart::kScale)), 1e-12), 64);
}

TEST(Support, RowsEndWhereTheySay) {
  // By the sum over the row itself, at rings near and far from a pole.
  const auto kernel = gaussian_kernel(0.1);
  const Index degree = *band_limit(*kernel, 1e-13);
  for (double theta : {1e-6, 0.001, 0.01, 0.03, 0.1, 0.3, 1.0, 1.57}) {
    const double g = std::sin(theta);
    const Index modes = row_modes(degree, g), points = 4096;
    double largest = 0, beyond = 0;
    for (Index m : {Index{0}, modes + 1, modes + 2, modes + 5, 2 * modes}) {
      double sum = 0;
      for (Index k = 0; k < points; ++k) {
        const double phi = 2 * kPi * static_cast<double>(k) / points;
        sum += kernel->value(2 * std::asin(g * std::abs(std::sin(phi / 2)))) * std::cos(static_cast<double>(m) * phi);
      }
      (m == 0 ? largest : beyond) = std::max(m == 0 ? largest : beyond, std::abs(sum));
    }
    EXPECT_LE(beyond, 1e-12 * largest) << theta;
  }
}

TEST(InterpolatedKernels, AreTheKernelWithinTheirError) {
  std::vector<double> b(300, 1.0);
  struct Case {
    std::shared_ptr<const Kernel> kernel;
    double cutoff, error;
  };
  const Case cases[] = {
      {gaussian_kernel(5 * kArcmin), 12 * kArcmin, 1e-13},
      {gaussian_kernel(1), kPi, 1e-13},
      {gaussian_kernel(1), 2, 1e-13},
      {top_hat_kernel(2), 2, 1e-13},
      {top_hat_kernel(0.3), 0.3, 1e-13},
      {mexican_hat_kernel(0.05), 0.5, 1e-13},
      {series_kernel(b), kPi, 1e-13},
      {table_kernel("t", std::vector<double>{0.0, 0.1, 0.25}, std::vector<double>{1.0, 0.7, 0.1}), 0.25, 1e-9}};
  for (const Case& one : cases) {
    const InterpolatedKernel interpolated(*one.kernel, one.cutoff, 1e-13);
    EXPECT_LE(interpolated.error(), one.error);
    double largest = 0, error = 0;
    for (int k = 0; k <= 7919; ++k) {
      const double angle = one.cutoff * k / 7919, half = std::sin(angle / 2), exact = one.kernel->value(angle);
      largest = std::max(largest, std::abs(exact));
      error = std::max(error, std::abs(interpolated.table()(half * half) - exact));
    }
    EXPECT_LE(error, 2 * one.error * largest);
    const double beyond = std::sin(one.cutoff * 1.001 / 2);
    if (one.cutoff < 3) {
      EXPECT_EQ(interpolated.table()(beyond * beyond), 0);
    }
  }
}

// The error of a cell is measured with the cell before it, which another thread may have computed.
TEST(InterpolatedKernels, AreTheSameWithAnyNumberOfThreads) {
  const int threads = omp_get_max_threads();
  for (double fwhm = 3 * kArcmin; fwhm < 9 * kArcmin; fwhm += 0.1 * kArcmin) {
    const auto kernel = gaussian_kernel(fwhm);
    omp_set_num_threads(1);
    const InterpolatedKernel alone(*kernel, 2.5 * fwhm, 1e-13);
    omp_set_num_threads(5);
    const InterpolatedKernel together(*kernel, 2.5 * fwhm, 1e-13);
    EXPECT_EQ(alone.error(), together.error()) << fwhm;
    EXPECT_EQ(alone.coefficients(), together.coefficients()) << fwhm;
  }
  omp_set_num_threads(threads);
}

}  // namespace
}  // namespace armilla::radial
