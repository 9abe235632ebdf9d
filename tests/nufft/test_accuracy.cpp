#include "torus_case.hpp"
#include <gtest/gtest.h>

namespace armilla::nufft {
namespace {

struct Errors {
  double interpolation, spreading;
};

template <class T>
std::vector<double> widened(const std::vector<T>& values) {
  return {values.begin(), values.end()};
}

// Of transforms of a random function and of random values against direct Fourier sums.
template <class T>
Errors errors(Index lmax, double accuracy, const Points& points) {
  const TorusSums sums(lmax);
  const KernelChoice choice = choose_kernel(lmax, accuracy, core::kPrecisionOf<T>);
  const Band band = sphere_band(choice);
  const PointPlan<T> plan(choice, band, points.theta, points.phi);
  const auto parts = random_values<double>(2 * sums.coefficients(), 17);
  const auto found = interpolated(plan, sums.to_band<T>(parts, choice, band));
  const auto values = random_values<T>(points.size(), 18);
  const auto spreaded = sums.from_band(spread_out(plan, values), choice, band);
  return {relative_error(widened(found), sums.synthesis(parts, points)),
          relative_error(spreaded, sums.adjoint(widened(values), points))};
}

// Of positions that are rounded to a multiple of kZStep / 2 samples, a uniform error with the standard deviation
// kZStep / 2 / sqrt(12), in both angles: phases k 2 pi / fine_length per sample have an rms of pi / sqrt(3) over
// the oversampling, of which 1.2 is the least.
constexpr double kPlacing = std::numbers::sqrt2 / 12 * PlacedPoint::kZStep * core::kPi / 1.2;

// The kernel is chosen for a tenth of the accuracy; its error differs from the model by a factor of 0.5 to 1.2, also as
// coefficients and points are few. The rest is rounding of positions and of sums of width^2 terms.
template <class T>
double bound(double accuracy) {
  return 0.15 * accuracy + kPlacing + 5 * static_cast<double>(std::numeric_limits<T>::epsilon());
}

template <class T>
void expect_accuracy(Index lmax, double accuracy) {
  const Errors found = errors<T>(lmax, accuracy, random_points(400, 1));
  EXPECT_LE(found.interpolation, bound<T>(accuracy)) << "lmax " << lmax << ", accuracy " << accuracy;
  EXPECT_LE(found.spreading, bound<T>(accuracy)) << "lmax " << lmax << ", accuracy " << accuracy;
}

constexpr Index kDegrees[] = {5, 31, 44};
constexpr double kAccuracies[] = {1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 2e-13};
constexpr std::size_t kInSingle = 5;  // those that single precision can have

// One degree for each accuracy.
TEST(Accuracy, IsReachedInBothDirections) {
  for (std::size_t i = 0; i < std::size(kAccuracies); ++i) expect_accuracy<double>(kDegrees[i % 3], kAccuracies[i]);
  for (std::size_t i = 0; i < kInSingle; ++i) expect_accuracy<float>(kDegrees[(i + 1) % 3], kAccuracies[i]);
}

TEST(AccuracySweep, IsReachedInBothDirections) {
  for (const Index lmax : kDegrees)
    for (std::size_t i = 0; i < std::size(kAccuracies); ++i) {
      expect_accuracy<double>(lmax, kAccuracies[i]);
      if (i < kInSingle) expect_accuracy<float>(lmax, kAccuracies[i]);
    }
}

// Every width that there is, not only those that pay.
TEST(Accuracy, OfEveryWidthIsThatOfTheModel) {
  const Index lmax = 31;
  const TorusSums sums(lmax);
  const Points points = random_points(300, 3);
  const auto parts = random_values<double>(2 * sums.coefficients(), 19);
  const auto exact = sums.synthesis(parts, points);
  for (const Index length : {Index{80}, Index{96}, Index{128}})
    for (int width = kMinWidth; width <= kMaxWidth; ++width) {
      const double oversampling = static_cast<double>(length) / static_cast<double>(2 * (lmax + 1));
      const KernelChoice choice{width, length, oversampling, 0};
      const Band band = sphere_band(choice);
      const PointPlan<double> plan(choice, band, points.theta, points.phi);
      const double error = relative_error(interpolated(plan, sums.to_band<double>(parts, choice, band)), exact);
      // Of positions, and of sums of width^2 terms, which deconvolution amplifies.
      const double rounding = kPlacing + 50 * std::numeric_limits<double>::epsilon();
      EXPECT_LE(error, 1.2 * kernel_error(width, oversampling) + rounding) << width << " at " << oversampling;
      EXPECT_GE(error, 0.4 * kernel_error(width, oversampling)) << width << " at " << oversampling;
    }
}

// Single waves of the highest degrees, whose error is some five times that of all degrees, on a band of few rows.
TEST(Accuracy, IsReachedAtHighDegrees) {
  const Index lmax = 2047;
  for (const double accuracy : {1e-6, best_accuracy(lmax, core::Precision::kDouble)}) {
    const KernelChoice choice = choose_kernel(lmax, accuracy, core::Precision::kDouble);
    const auto factors = choice.kernel().deconvolution(lmax, choice.fine_length);
    const Band band{1000, 40};
    const double step = 2 * core::kPi / static_cast<double>(choice.fine_length);
    Points points;
    std::mt19937_64 generator(23);
    std::uniform_real_distribution<double> unit(0, 1);
    for (int i = 0; i < 500; ++i) points.add((1010 + 20 * unit(generator)) * step, 20 * unit(generator) - 10);
    const PointPlan<double> plan(choice, band, points.theta, points.phi);
    for (const auto& [k, l] : {std::pair<Index, Index>{lmax, -lmax}, {-lmax, 5}, {3, lmax}, {0, 0}}) {
      const auto phase = [k = k, l = l](long double theta, long double phi) {
        return static_cast<double>(std::cos(static_cast<long double>(k) * theta + static_cast<long double>(l) * phi));
      };
      const long double exact_step = 2 * std::numbers::pi_v<long double> / static_cast<long double>(choice.fine_length);
      std::vector<double> samples(at(band.rows * choice.fine_length)), exact;
      for (Index row = 0; row < band.rows; ++row)
        for (Index i = 0; i < choice.fine_length; ++i)
          samples[at(row * choice.fine_length + i)] =
              factors[at(std::abs(k))] * factors[at(std::abs(l))] *
              phase((static_cast<long double>(band.first_row + row) + 0.5L) * exact_step,
                    static_cast<long double>(i) * exact_step);
      for (Index i = 0; i < points.size(); ++i) exact.push_back(phase(points.theta[at(i)], points.phi[at(i)]));
      EXPECT_LE(relative_error(interpolated(plan, samples), exact), accuracy) << k << ", " << l;
    }
  }
}

TEST(Accuracy, HoldsAtThePolesAndForAnyPhi) {
  Points points = random_points(50, 4);
  constexpr double kTurn = 2 * core::kPi;
  for (const double theta : {0.0, core::kPi, 1e-300, 1e-9, std::nextafter(core::kPi, 0.0), 0.5 * core::kPi})
    for (const double phi : {0.0, -0.0, -1e-300, kTurn, std::nextafter(kTurn, 0.0), std::nextafter(kTurn, 7.0), -kTurn,
                             -1e5, 1e5, 999999.0, 1e7, -1e300, core::kPi})
      points.add(theta, phi);
  // Of the phase of degree 20, half an ulp of the reduced angle of 1e7 and beyond.
  const Errors found = errors<double>(20, 1e-12, points);
  EXPECT_LE(found.interpolation, bound<double>(1e-12));
  EXPECT_LE(found.spreading, bound<double>(1e-12));
}

}  // namespace
}  // namespace armilla::nufft
