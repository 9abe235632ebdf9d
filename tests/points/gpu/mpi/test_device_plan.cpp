// Points sorted on the device: those of nufft::PointPlan, bit by bit.
#include <armilla/points/device_plan.hpp>
#include <armilla/transform/device_work.hpp>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "points/point_run.hpp"
#include "support/device.hpp"
#include "support/device_bytes.hpp"
#include "support/refusal.hpp"
#include <gtest/gtest.h>
#include <kernels/core/device.hpp>

namespace armilla::points {
namespace {

using core::at;

constexpr auto kDevice = backend::Kind::kCuda;

template <class T>
struct PlanCase {
  comm::Communicator comm = comm::Communicator::world();
  std::unique_ptr<backend::Context<T>> context = backend::make_context<T>(kDevice, transform::placement(comm, kDevice));
  nufft::KernelChoice kernel;
  nufft::Band band;

  PlanCase(Index lmax, double accuracy)
      : kernel(nufft::choose_kernel(lmax, accuracy, core::kPrecisionOf<T>)), band(nufft::sphere_band(kernel)) {}

  DevicePlan<T> plan(const Catalogue& points) {
    return {*context, kernel, band, DevicePositions::copy(context->memory(), points.theta, points.phi)};
  }
  std::vector<kernels::NufftPoint<T>> points_of(const DevicePart<T>& part) {
    std::vector<kernels::NufftPoint<T>> points(at(part.size));
    context->memory()->to_host(points.data(), part.placed.get(),
                               part.size * static_cast<Index>(sizeof(kernels::NufftPoint<T>)));
    return points;
  }
};

template <class T>
void compare(const Catalogue& points, Index lmax, double accuracy) {
  SCOPED_TRACE(points.name + ", lmax " + std::to_string(lmax));
  PlanCase<T> run(lmax, accuracy);
  const nufft::PointPlan<T> expected(run.kernel, run.band, points.theta, points.phi);
  const DevicePlan<T> found = run.plan(points);
  const DevicePart<T> part = found.part();
  ASSERT_EQ(part.size, points.size());
  ASSERT_EQ(part.chunks.size(), expected.chunks().size());
  for (std::size_t i = 0; i < part.chunks.size(); ++i) {
    EXPECT_EQ(part.chunks[i].cell, expected.chunks()[i].cell);
    EXPECT_EQ(part.chunks[i].begin, expected.chunks()[i].begin);
    EXPECT_EQ(part.chunks[i].end, expected.chunks()[i].end);
  }
  const std::vector<kernels::NufftPoint<T>> placed = run.points_of(part);
  for (std::size_t i = 0; i < placed.size(); ++i) {
    const nufft::PlacedPoint& one = expected.points()[i];
    ASSERT_EQ(placed[i].number, one.number()) << i;
    ASSERT_EQ(placed[i].z_theta, static_cast<T>(one.z_theta())) << i;
    ASSERT_EQ(placed[i].z_phi, static_cast<T>(one.z_phi())) << i;
    ASSERT_EQ(placed[i].row, one.row()) << i;
    ASSERT_EQ(placed[i].column, one.column()) << i;
  }
}

/// On samples of the fine grid, next to them, at the poles, and at angles of many turns.
Catalogue at_samples(Index columns) {
  Catalogue points{"samples", {}, {}};
  const double step = 2 * core::kPi / static_cast<double>(columns);
  for (Index i = 0; i <= columns; ++i)
    for (const double off : {-0.5, -1e-15, 0.0, 1e-15, 0.25}) {
      points.theta.push_back(std::clamp(step * static_cast<double>(i) / 2, 0.0, core::kPi));
      points.phi.push_back(step * (static_cast<double>(i) + off) * (i % 3 == 0 ? -1 : 1) +
                           (i % 7 == 0 ? 1e6 * 2 * core::kPi : 0));
    }
  return points;
}

TEST(DevicePlan, IsThatOfTheHost) {
  ARMILLA_NEEDS_DEVICE();
  for (const Index lmax : {20, 150}) {
    std::vector<Catalogue> all = catalogues(9000);
    all.push_back(at_samples(nufft::choose_kernel(lmax, 1e-6, core::Precision::kDouble).fine_length));
    for (const Catalogue& points : all) {
      compare<double>(points, lmax, 1e-9);
      compare<float>(points, lmax, 1e-4);
    }
  }
}

template <class T>
void check_memory() {
  PlanCase<T> run(100, 1e-4);
  const Catalogue points = uniform(30000);
  const Index before = test::device_bytes_held(run.comm);
  backend::forget_device_peak();
  const DevicePlan<T> plan = run.plan(points);
  const Index placed = points.size() * static_cast<Index>(sizeof(kernels::NufftPoint<T>));
  EXPECT_EQ(kernels::device_usage().held - before, placed);
  const nufft::CellGrid grid(run.kernel.fine_length, run.kernel.width, run.band);
  EXPECT_EQ(backend::peak_device_bytes() - before, placed + backend::placing_bytes<T>(points.size(), grid.cells()));
}

TEST(DevicePlan, TakesTheMemoryAnnounced) {
  ARMILLA_NEEDS_DEVICE();
  check_memory<double>();
  check_memory<float>();
}

TEST(DevicePlan, RefusesInvalidPoints) {
  ARMILLA_NEEDS_DEVICE();
  PlanCase<double> run(30, 1e-6);
  const auto refusal = [&](std::size_t number, double theta, double phi) {
    Catalogue points = uniform(5000);
    points.theta[number] = theta;
    points.phi[number] = phi;
    points.theta[4999] = -1;  // after the first one
    return test::refusal([&] { run.plan(points); });
  };
  EXPECT_EQ(refusal(3000, 3.5, 0), "point 3000: theta = 3.5 is outside [0, pi]: use colatitudes in radians");
  EXPECT_EQ(refusal(7, 1, std::numeric_limits<double>::infinity()), "point 7: phi = inf is not a finite number");
  EXPECT_EQ(refusal(0, std::numeric_limits<double>::quiet_NaN(), 1),
            "point 0: theta = nan is outside [0, pi]: use colatitudes in radians");
}

}  // namespace
}  // namespace armilla::points
