#include <algorithm>
#include <cstring>
#include <string>

#include "torus_case.hpp"
#include <gtest/gtest.h>
#include <omp.h>

namespace armilla::nufft {
namespace {

template <class T>
bool is_bitwise_equal(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

class Threads {
 public:
  explicit Threads(int count) : before_(omp_get_max_threads()) { omp_set_num_threads(count); }
  ~Threads() { omp_set_num_threads(before_); }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

 private:
  int before_;
};

struct Named {
  std::string name;
  Points points;
};

// Uniform points, and clusters that fill chunks of cells.
std::vector<Named> clusters(Index count) {
  std::vector<Named> all{{"uniform", random_points(count, 5)}};
  const auto add = [&](const std::string& name, double theta, double theta_range, double phi, double phi_range) {
    std::mt19937_64 generator(6);
    std::uniform_real_distribution<double> unit(0, 1);
    Named named{name, {}};
    for (Index i = 0; i < count; ++i)
      named.points.add(theta + theta_range * unit(generator), phi + phi_range * unit(generator));
    all.push_back(std::move(named));
  };
  add("one cell", 1, 0.02, 2, 0.02);
  add("one row", 1.3, 0, 0, 2 * core::kPi);
  add("all equal", 2, 0, 3, 0);
  add("north pole", 0, 0, 0, 6);
  add("south pole", core::kPi, 0, 0, 6);
  add("wrap of phi", 1, 1, 2 * core::kPi - 1e-3, 2e-3);
  return all;
}

template <class T>
struct Transformed {
  std::vector<T> values, samples;
};

template <class T>
Transformed<T> transformed(const KernelChoice& choice, const Points& points, int threads, std::vector<T> samples,
                           const std::vector<T>& values) {
  const Threads scope(threads);
  const PointPlan<T> plan(choice, sphere_band(choice), points.theta, points.phi);
  return {interpolated(plan, samples), spread_out(plan, values)};
}

template <class T>
void check_threads() {
  const KernelChoice choice = choose_kernel(300, 1e-5, core::kPrecisionOf<T>);
  const Band band = sphere_band(choice);
  const auto samples = random_values<T>(band.rows * choice.fine_length, 7);
  constexpr Index kCount = 3 * kChunk + 1000;
  const auto values = random_values<T>(kCount, 8);
  for (const auto& [name, points] : clusters(kCount)) {
    const auto one = transformed(choice, points, 1, samples, values);
    for (const int threads : {2, 3}) {
      const auto several = transformed(choice, points, threads, samples, values);
      EXPECT_TRUE(is_bitwise_equal(one.values, several.values)) << name << ", " << threads << " threads";
      EXPECT_TRUE(is_bitwise_equal(one.samples, several.samples)) << name << ", " << threads << " threads";
    }
  }
}

TEST(Reproducibility, IsBitwiseOnAnyNumberOfThreads) {
  check_threads<double>();
  check_threads<float>();
}

template <class T>
void check_batches() {
  const KernelChoice choice = choose_kernel(120, 1e-6, core::kPrecisionOf<T>);
  const Band band = sphere_band(choice);
  const Points points = random_points(20000, 9);
  const PointPlan<T> plan(choice, band, points.theta, points.phi);
  constexpr Index kFields = 3;
  std::vector<std::vector<T>> samples, values, values_out, samples_out;
  std::vector<std::vector<const T*>> from_rows(kFields);
  std::vector<std::vector<T*>> to_rows(kFields);
  std::vector<const T* const*> from_samples;
  std::vector<T* const*> to_samples;
  std::vector<const T*> from_values;
  std::vector<T*> to_values;
  for (Index f = 0; f < kFields; ++f) {
    samples.push_back(random_values<T>(band.rows * choice.fine_length, 20 + f));
    values.push_back(random_values<T>(points.size(), 30 + f));
    samples_out.emplace_back(samples.back().size(), std::numeric_limits<T>::quiet_NaN());
    values_out.emplace_back(values.back().size(), std::numeric_limits<T>::quiet_NaN());
  }
  for (std::size_t f = 0; f < kFields; ++f) {
    for (Index row = 0; row < band.rows; ++row) {
      from_rows[f].push_back(samples[f].data() + row * choice.fine_length);
      to_rows[f].push_back(samples_out[f].data() + row * choice.fine_length);
    }
    from_samples.push_back(from_rows[f].data());
    from_values.push_back(values[f].data());
    to_samples.push_back(to_rows[f].data());
    to_values.push_back(values_out[f].data());
  }
  interpolate<T>(plan, from_samples, to_values);
  spread<T>(plan, from_values, to_samples);
  for (std::size_t f = 0; f < kFields; ++f) {
    EXPECT_TRUE(is_bitwise_equal(values_out[f], interpolated(plan, samples[f])));
    EXPECT_TRUE(is_bitwise_equal(samples_out[f], spread_out(plan, values[f])));
  }
}

// Rows of the batch are contiguous, those of single fields are not.
TEST(Reproducibility, OfFieldsDependsNeitherOnTheBatchNorOnTheLayout) {
  check_batches<double>();
  check_batches<float>();
}

// Points of three bands, cut anywhere for interpolation and between strips for spreading.
TEST(Reproducibility, OfValuesDoesNotDependOnTheBand) {
  const KernelChoice choice = choose_kernel(300, 1e-8, core::Precision::kDouble);
  const Band whole = sphere_band(choice);
  const Points points = random_points(30000, 10);
  const PointPlan<double> plan(choice, whole, points.theta, points.phi);
  const auto samples = random_values<double>(whole.rows * choice.fine_length, 11);
  const auto values = random_values<double>(points.size(), 12);
  const auto expected_values = interpolated(plan, samples);
  const auto expected_samples = spread_out(plan, values);
  for (const auto& cuts : {std::vector<Index>{whole.first_row, 37, 250, whole.end_row()},
                           std::vector<Index>{whole.first_row, kCellRows, 5 * kCellRows, whole.end_row()}}) {
    const bool is_between_strips = cuts[1] % kCellRows == 0;
    std::vector<double> found(expected_values.size(), 0), sum(expected_samples.size(), 0);
    for (std::size_t part = 0; part + 1 < cuts.size(); ++part) {
      Points own;
      std::vector<double> own_values;
      std::vector<std::size_t> numbers;
      for (std::size_t i = 0; i < points.theta.size(); ++i) {
        const Index row = window_row(choice, points.theta[i]);
        if (row < cuts[part] || row >= cuts[part + 1]) continue;
        own.add(points.theta[i], points.phi[i]);
        own_values.push_back(values[i]);
        numbers.push_back(i);
      }
      const Index end = std::min(cuts[part + 1] + choice.width - 1, whole.end_row());
      const Band band{cuts[part], end - cuts[part]};
      const Index offset = (band.first_row - whole.first_row) * choice.fine_length;
      const PointPlan<double> own_plan(choice, band, own.theta, own.phi);
      const auto begin = samples.begin() + offset;
      const auto own_found = interpolated(own_plan, {begin, begin + band.rows * choice.fine_length});
      for (std::size_t i = 0; i < numbers.size(); ++i) found[numbers[i]] = own_found[i];
      const auto own_samples = spread_out(own_plan, own_values);
      for (std::size_t i = 0; i < own_samples.size(); ++i) sum[at(offset) + i] += own_samples[i];
    }
    EXPECT_TRUE(is_bitwise_equal(found, expected_values));
    // Elsewhere, rounding of sums of some hundred terms in another order.
    EXPECT_LE(relative_error(sum, expected_samples), is_between_strips ? 0 : 1e-15);
  }
}

template <class T>
void check_adjointness(double tolerance) {
  for (const double accuracy : {1e-2, 1e-4, 1e-6}) {
    const KernelChoice choice = choose_kernel(100, accuracy, core::kPrecisionOf<T>);
    const Band band = sphere_band(choice);
    for (const auto& [name, points] : clusters(kChunk + 500)) {
      const PointPlan<T> plan(choice, band, points.theta, points.phi);
      const auto x = random_values<T>(band.rows * choice.fine_length, 13);
      const auto y = random_values<T>(points.size(), 14);
      const auto yx = interpolated(plan, x);
      EXPECT_LE(std::abs(dot(yx, y) - dot(x, spread_out(plan, y))), tolerance * norm(yx) * norm(y)) << name;
      EXPECT_GT(norm(yx), 0);
    }
  }
}

TEST(Adjointness, HoldsUpToRounding) {
  // Sums of width^2 terms, rounded in either order.
  check_adjointness<double>(1e-13);
  check_adjointness<float>(1e-5);
}

TEST(Adjointness, HoldsForEveryWidth) {
  const Points points = random_points(3000, 15);
  for (int width = kMinWidth; width <= kMaxWidth; ++width) {
    const KernelChoice choice{width, 140, 1.5, 0};
    const Band band = sphere_band(choice);
    const PointPlan<double> plan(choice, band, points.theta, points.phi);
    const auto x = random_values<double>(band.rows * choice.fine_length, 16);
    const auto y = random_values<double>(points.size(), 17);
    const auto yx = interpolated(plan, x);
    EXPECT_LE(std::abs(dot(yx, y) - dot(x, spread_out(plan, y))), 1e-13 * norm(yx) * norm(y)) << width;
  }
}

}  // namespace
}  // namespace armilla::nufft
