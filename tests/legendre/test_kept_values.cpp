#include <armilla/legendre/order_tables.hpp>

#include <cmath>
#include <random>
#include <vector>

#include "support/instruction_sets.hpp"
#include <gtest/gtest.h>

namespace armilla::legendre {
namespace {

using core::at;

// Equidistant pairs of rings from a pole to the equator, all m.
struct Sphere {
  Sphere(Index spin, Index lmax, Index pairs) : degrees(spin, lmax) {
    for (Index p = 0; p < pairs; ++p) {
      const double theta = (static_cast<double>(p) + 0.5) / static_cast<double>(pairs) * core::kPi / 2;
      cosine.push_back(std::cos(theta));
      sine.push_back(std::sin(theta));
    }
    task.lmax = lmax;
    task.spin = spin;
    task.components = spin == 0 ? 1 : 2;
    task.cos_theta = cosine;
    task.sin_theta = sine;
  }

  std::vector<double> variable(const PairParts& parts) const {
    std::vector<double> values;
    for (Index p = 0; p < task.pairs(); ++p)
      values.push_back(p < parts.polar ? -sine[at(p)] * sine[at(p)] : cosine[at(p)] * cosine[at(p)]);
    return values;
  }

  std::vector<double> cosine, sine;
  DegreeTables degrees;
  Task task;
};

core::AlignedVector<double> random_numbers(Index count, std::mt19937_64& generator) {
  std::normal_distribution<double> normal;
  core::AlignedVector<double> numbers(at(count));
  for (double& number : numbers) number = normal(generator);
  return numbers;
}

core::AlignedVector<double> synthesis(const ScalarKernelTask& task, const core::AlignedVector<double>& coefficients) {
  ScalarKernelWorkspace work;
  core::AlignedVector<double> sums(at(task.fields * 4 * task.pairs), std::nan(""));
  scalar_synthesis(task, coefficients.data(), sums.data(), work);
  return sums;
}

// Only the steps of the task, because entries after these are unspecified.
core::AlignedVector<double> adjoint(const ScalarKernelTask& task, const core::AlignedVector<double>& rings) {
  ScalarKernelWorkspace work;
  core::AlignedVector<double> sums(at(task.fields * task.field_stride + 64), std::nan(""));
  scalar_adjoint(task, rings.data(), sums.data(), work);
  core::AlignedVector<double> all;
  for (Index field = 0; field < task.fields; ++field) {
    const auto first = sums.begin() + field * task.field_stride;
    all.insert(all.end(), first, first + 4 * task.steps);
  }
  return all;
}

void check(Index spin, Index lmax, Index pairs) {
  const Sphere sphere(spin, lmax, pairs);
  const PairParts parts(sphere.task);
  const StartValues starts(sphere.task.sin_theta, lmax, 0x1p-80);
  OrderTables order(sphere.degrees);
  std::mt19937_64 generator(5);
  int calls = 0;
  for (Index m = 0; m <= lmax; m += 1 + m / 3) {
    order.set(m, std::min(m / 2, pairs - 1), parts, sphere.variable(parts), starts);
    std::vector<ScalarKernelTask> without;
    for (const ScalarCall& call : order.calls()) without.push_back(call.kernel);
    order.keep_values();
    for (std::size_t i = 0; i < without.size(); ++i)
      for (const Index fields : {1, 2}) {
        ScalarKernelTask own = without[i], kept = order.calls()[i].kernel;
        ASSERT_EQ(own.values, nullptr);
        ASSERT_NE(kept.values, nullptr);
        own.fields = kept.fields = fields;
        const auto coefficients = random_numbers(fields * own.field_stride, generator);
        const auto rings = random_numbers(fields * 4 * own.pairs, generator);
        EXPECT_EQ(synthesis(own, coefficients), synthesis(kept, coefficients)) << spin << ", " << lmax << ", " << m;
        EXPECT_EQ(adjoint(own, rings), adjoint(kept, rings)) << spin << ", " << lmax << ", " << m;
        ++calls;
      }
  }
  EXPECT_GT(calls, 0);
}

TEST(KeptValues, GiveBitwiseIdenticalResults) {
  test::on_each_instruction_set([](const char*) {
    for (const Index spin : {0, 1, 3})
      for (const Index lmax : {3, 8, 40, 63, 130})
        for (const Index pairs : {1, 9, 40, 70}) check(spin, lmax, pairs);
  });
}

// Values near the poles begin to contribute in later steps.
TEST(KeptValues, SkipStepsThatDoNotContribute) { check(0, 700, 200); }

}  // namespace
}  // namespace armilla::legendre
