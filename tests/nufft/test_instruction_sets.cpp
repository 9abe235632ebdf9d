#include <algorithm>

#include "support/instruction_sets.hpp"
#include "torus_case.hpp"
#include <gtest/gtest.h>

namespace armilla::nufft {
namespace {

bool is_same(const PlacedPoint& a, const PlacedPoint& b) {
  return a.theta_word == b.theta_word && a.phi_word == b.phi_word;
}

template <class T>
void check_agreement(int width) {
  const KernelChoice choice{width, 96, 1.5, 0};
  const Band band = sphere_band(choice);
  const Points points = random_points(2000, 24);
  const PointPlan<T> plan(choice, band, points.theta, points.phi);
  const auto samples = random_values<T>(band.rows * choice.fine_length, 25);
  const auto values = random_values<T>(points.size(), 26);
  const auto expected_values = interpolated(plan, samples);
  const auto expected_samples = spread_out(plan, values);
  test::on_each_instruction_set([&](const char* name) {
    const PointPlan<T> other(choice, band, points.theta, points.phi);
    EXPECT_TRUE(std::equal(other.points().begin(), other.points().end(), plan.points().begin(), is_same)) << name;
    // Weights and their sums are rounded elsewhere: some eps of sums of width^2 terms.
    const auto close = [](const std::vector<T>& a, const std::vector<T>& b) {
      double worst = 0;
      for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, static_cast<double>(std::abs(a[i] - b[i])));
      return worst <= 100 * static_cast<double>(std::numeric_limits<T>::epsilon());
    };
    EXPECT_TRUE(close(interpolated(other, samples), expected_values)) << name << ", width " << width;
    EXPECT_TRUE(close(spread_out(other, values), expected_samples)) << name << ", width " << width;
  });
}

TEST(InstructionSets, Agree) {
  for (int width = kMinWidth; width <= kMaxWidth; ++width) {
    check_agreement<double>(width);
    check_agreement<float>(width);
  }
}

}  // namespace
}  // namespace armilla::nufft
