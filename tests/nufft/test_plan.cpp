#include <armilla/core/error.hpp>
#include <armilla/nufft/place_points.hpp>

#include <algorithm>
#include <string>

#include "support/refusal.hpp"
#include "torus_case.hpp"
#include <gtest/gtest.h>

namespace armilla::nufft {
namespace {

using test::refusal;

TEST(KernelChoice, DependsOnAccuracyWithinTheOversamplingsThatThereAre) {
  for (const Index lmax : {0, 3, 31, 100, 2047, 6143})
    for (const double accuracy : {0.5, 1e-2, 1e-6, 1e-10, 1e-11}) {
      const KernelChoice choice = choose_kernel(lmax, accuracy, core::Precision::kDouble);
      EXPECT_LE(choice.expected_error, 0.1 * accuracy);
      EXPECT_GE(choice.fine_length, 64);
      EXPECT_EQ(choice.fine_length % 32, 0);
      EXPECT_GE(choice.oversampling, 1.2);
      EXPECT_LE(choice.oversampling, 2);
      EXPECT_LE(choice.fine_length, 64 + 42 * (lmax + 1) / 10);
    }
}

TEST(KernelChoice, NamesTheBestAccuracy) {
  EXPECT_EQ(best_accuracy(10, core::Precision::kDouble), 2e-13);
  EXPECT_EQ(best_accuracy(2000, core::Precision::kDouble), 2e-12);
  EXPECT_EQ(best_accuracy(10, core::Precision::kSingle), 1e-6);
  const auto ask = [](Index lmax, double accuracy, core::Precision precision) {
    return refusal([&] { choose_kernel(lmax, accuracy, precision); });
  };
  EXPECT_NE(ask(2000, 1e-12, core::Precision::kDouble).find("the best for lmax 2000 in double precision is 2e-12"),
            std::string::npos);
  EXPECT_NE(ask(20, 1e-7, core::Precision::kSingle).find("in single precision is 1e-06"), std::string::npos);
  EXPECT_NE(ask(20, std::nan(""), core::Precision::kSingle).find("accuracy = nan"), std::string::npos);
  EXPECT_NE(ask(20, 2, core::Precision::kSingle).find("exceeds the largest supported value 0.5"), std::string::npos);
  EXPECT_NE(ask(-1, 0.1, core::Precision::kSingle).find("lmax = -1 is negative"), std::string::npos);
  for (const Index lmax : {0, 100, 4095, 20000}) {
    EXPECT_NO_THROW(choose_kernel(lmax, best_accuracy(lmax, core::Precision::kDouble), core::Precision::kDouble));
    EXPECT_NO_THROW(choose_kernel(lmax, 1e-6, core::Precision::kSingle));
  }
}

template <class T>
double worst_error(const math::SpreadKernel& kernel) {
  const KernelTable<T> table(kernel);
  const int width = kernel.width();
  double square = 0;
  int count = 0;
  for (int j = 0; j < width; ++j)
    for (double z = -1; z < 1; z += 1.0 / 128, ++count) {
      const double exact = kernel.value(0.5 * (z + 1 - width) + j);
      square += std::pow(static_cast<double>(table.value(j, static_cast<T>(z))) - exact, 2);
    }
  return std::sqrt(square / count);
}

TEST(KernelTable, IsTheKernelWithinATenthOfItsError) {
  for (int width = kMinWidth; width <= kMaxWidth; ++width)
    for (const double oversampling : {1.2, 1.35, 1.5, 1.75, 2.0}) {
      const math::SpreadKernel kernel(width, oversampling);
      // Rounding of polynomials of some ten terms of size 1.
      EXPECT_LE(worst_error<double>(kernel), 0.1 * kernel_error(width, oversampling) + 1e-15)
          << "width " << width << " at " << oversampling;
      EXPECT_LE(worst_error<float>(kernel), 0.1 * kernel_error(width, oversampling) + 3e-7)
          << "width " << width << " at " << oversampling;
    }
}

TEST(PointPlan, PlacesWindowsAroundThePoints) {
  const KernelChoice choice = choose_kernel(200, 1e-9, core::Precision::kDouble);
  const Points points = random_points(5000, 21);
  const PointPlan<double> plan(choice, sphere_band(choice), points.theta, points.phi);
  ASSERT_EQ(plan.size(), points.size());
  // z = 2 position + const is rounded to a multiple of kZStep; the rest is that of the position itself.
  constexpr long double kRounding = 0.25L * PlacedPoint::kZStep + 2e-15L;
  const long double unit = 2 * std::numbers::pi_v<long double> / static_cast<long double>(choice.fine_length);
  std::vector<int> seen(at(plan.size()), 0);
  for (const PointChunk& chunk : plan.chunks()) {
    std::uint32_t last = 0;
    for (Index i = chunk.begin; i < chunk.end; ++i) {
      const PlacedPoint& point = plan.points()[at(i)];
      ++seen[point.number()];
      EXPECT_GE(point.number(), last);
      last = point.number();
      const Index row = plan.grid().first_row(chunk.cell) + point.row();
      const Index column = plan.grid().first_column(chunk.cell) + point.column();
      EXPECT_EQ(row, window_row(choice, points.theta[point.number()]));
      // The position that the first sample and z stand for, against that of the angle.
      const auto position = [&](Index first, double z) {
        return static_cast<long double>(first) + 0.5L * (choice.width - 1 - static_cast<long double>(z));
      };
      EXPECT_LE(std::abs(position(row, point.z_theta()) + 0.5L - points.theta[point.number()] / unit), kRounding);
      const long double turns = (position(column, point.z_phi()) - points.phi[point.number()] / unit) /
                                static_cast<long double>(choice.fine_length);
      EXPECT_LE(std::abs(turns - std::round(turns)) * static_cast<long double>(choice.fine_length), kRounding);
      EXPECT_EQ(point.offset(), point.row() * kCellPitch + point.column());
      EXPECT_GE(point.z_theta(), -1);
      EXPECT_LT(point.z_theta(), 1);
      EXPECT_GE(point.z_phi(), -1);
      EXPECT_LT(point.z_phi(), 1);
    }
  }
  EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), plan.size());
}

TEST(PointPlan, ReachesAllRowsOfTheSphereAndNoOthers) {
  for (const Index length : {64, 96, 4096, 6720})
    for (int width = kMinWidth; width <= kMaxWidth; ++width) {
      const KernelChoice choice{width, length, 1.5, 0};
      const Band band = sphere_band(choice);
      EXPECT_EQ(window_row(choice, 0), band.first_row) << width << ", " << length;
      EXPECT_EQ(window_row(choice, core::kPi) + width, band.end_row()) << width << ", " << length;
      EXPECT_EQ(window_row(choice, 0.5 * core::kPi) + (width + 1) / 2, length / 4) << width << ", " << length;
    }
  EXPECT_THROW(window_row({8, 96, 1.5, 0}, -1), core::InputError);
}

TEST(PointPlan, TakesNoPoints) {
  const KernelChoice choice = choose_kernel(20, 1e-3, core::Precision::kDouble);
  const PointPlan<double> plan(choice, sphere_band(choice), {}, {});
  for (const double sample : spread_out(plan, {})) EXPECT_EQ(sample, 0);
  EXPECT_TRUE(interpolated(plan, std::vector<double>(at(plan.band().rows * choice.fine_length))).empty());
}

TEST(PointPlan, RefusesInvalidPoints) {
  const KernelChoice choice = choose_kernel(20, 1e-3, core::Precision::kDouble);
  const auto plan = [&](std::vector<double> theta, std::vector<double> phi, Band band) {
    return refusal([&] { PointPlan<double>(choice, band, theta, phi); });
  };
  const Band band = sphere_band(choice);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_NE(plan({1, 3.2}, {0, 0}, band).find("point 1: theta = 3.2 is outside [0, pi]"), std::string::npos);
  EXPECT_NE(plan({1, 1, -1e-9}, {0, 0, 0}, band).find("point 2: theta = -1e-09"), std::string::npos);
  EXPECT_NE(plan({std::nan("")}, {0}, band).find("point 0: theta = nan"), std::string::npos);
  EXPECT_NE(plan({1}, {kInfinity}, band).find("point 0: phi = inf is not a finite number"), std::string::npos);
  EXPECT_NE(plan({1, 2}, {0}, band).find("2 values of theta but 1 of phi"), std::string::npos);
  EXPECT_NE(plan({0, 3}, {0, 0}, {band.first_row, 20}).find("point 1: theta = 3 needs rows"), std::string::npos);
}

}  // namespace
}  // namespace armilla::nufft
