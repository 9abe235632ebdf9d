// Transforms at points on the device: what holds on every backend, and against the CPU.
#include <armilla/core/error.hpp>
#include <armilla/points/point_transform.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "points/point_checks.hpp"
#include "support/device.hpp"
#include "support/device_limit.hpp"
#include "support/mpi_main.hpp"

namespace armilla::points {
namespace {

using core::at;

constexpr auto kCuda = backend::Kind::kCuda;

template <class T>
std::vector<std::vector<double>> widened(const std::vector<std::vector<T>>& values) {
  std::vector<std::vector<double>> wide;
  for (const auto& field : values) wide.emplace_back(field.begin(), field.end());
  return wide;
}

/// Points of one cell that make three chunks, and others around them, in no order.
Catalogue crowded() {
  Catalogue points = uniform(2000);
  points.name = "crowded";
  for (Index i = 0; i < 2 * nufft::kChunk + 500; ++i) {
    const auto n = static_cast<std::uint64_t>(i);
    points.theta.insert(points.theta.begin() + i % 2000, 1.1 + 1e-3 * noise(8, n, 0));
    points.phi.insert(points.phi.begin() + i % 2000, 2.2 + 1e-3 * noise(9, n, 0));
  }
  return points;
}

/// Both directions by one backend, the adjoint of fixed values.
template <class T>
struct BothWays {
  BothWays(const comm::Communicator& comm, const Catalogue& points, const PointTransformSpec& spec)
      : run(comm, points, spec), adjoint(spec.kind, spec.alm, comm.rank(), spec.maps) {
    run.transform.synthesis(random_alm<T>(spec, comm.rank()), run.spans());
    std::vector<std::vector<T>> y = run.values;
    for (std::size_t f = 0; f < y.size(); ++f)
      for (std::size_t i = 0; i < y[f].size(); ++i) y[f][i] = static_cast<T>(noise(7, at(run.begin) + i, f));
    run.transform.adjoint_synthesis(std::vector<std::span<const T>>(y.begin(), y.end()), adjoint);
  }

  PointRun<T> run;
  transform::AlmField<T> adjoint;
};

/// Every `stride`-th combination.
template <class T>
void compare_with_cpu(const std::vector<double>& accuracies, double tolerance, int stride) {
  const auto comm = comm::Communicator::world();
  std::vector<Catalogue> all = catalogues(900);
  all.push_back(crowded());
  int number = 0;
  for (const double accuracy : accuracies)
    for (const Catalogue& points : all)
      for (const transform::FieldKind& kind :
           {transform::FieldKind::temperature_polarisation(), transform::FieldKind::spin(3)}) {
        if (points.size() == 0 || number++ % stride != 0) continue;
        SCOPED_TRACE(points.name + ", accuracy " + std::to_string(std::log10(accuracy)));
        const Index maps = points.name == "crowded" ? 1 : 2;
        const BothWays<T> cpu(comm, points, spec_of(kind, 60, comm.size(), accuracy, maps));
        const BothWays<T> device(comm, points, spec_of(kind, 60, comm.size(), accuracy, maps, kCuda));
        EXPECT_LE(distance(comm, widened(device.run.values), widened(cpu.run.values)), tolerance);
        EXPECT_LE(test::distance(comm, device.adjoint, cpu.adjoint), tolerance);
      }
}

TEST(PointsOnDevice, AgreeWithTheCpu) {
  ARMILLA_NEEDS_DEVICE();
  compare_with_cpu<double>({1e-3, 1e-7, 1e-12}, 1e-13, 7);
}

TEST(PointsOnDevice, AgreeWithTheCpuInSinglePrecision) {
  ARMILLA_NEEDS_DEVICE();
  compare_with_cpu<float>({1e-5}, 1e-6, 3);
}

TEST(PointsOnDeviceSweep, AgreeWithTheCpu) {
  ARMILLA_NEEDS_DEVICE();
  compare_with_cpu<double>({1e-3, 1e-7, 1e-12}, 1e-13, 1);
  compare_with_cpu<float>({1e-5}, 1e-6, 1);
}

TEST(PointsOnDevice, GiveTheReferenceValues) {
  ARMILLA_NEEDS_DEVICE();
  check_reference(kCuda, 5);
}

TEST(PointsOnDeviceSweep, GiveTheReferenceValues) {
  ARMILLA_NEEDS_DEVICE();
  check_reference(kCuda);
}

TEST(PointsOnDevice, AdjointIsTheTranspose) {
  ARMILLA_NEEDS_DEVICE();
  check_adjoint(kCuda);
}

TEST(PointsOnDevice, AreBitwiseIdenticalOnAnyRanks) {
  ARMILLA_NEEDS_DEVICE();
  check_ranks(kCuda);
}

/// In any working space, and alone or beside others.
TEST(PointsOnDevice, AreBitwiseIdenticalInAnySpaceAndBatch) {
  ARMILLA_NEEDS_DEVICE();
  const auto comm = comm::Communicator::world();
  const Catalogue points = crowded();
  const transform::FieldKind kind = transform::FieldKind::temperature_polarisation();
  PointTransformSpec spec = spec_of(kind, 40, comm.size(), 1e-6, 1, kCuda);
  std::vector<Index> counts(at(PointTransform<double>::rows(spec) / 2), 0);
  for (const double theta : points.theta) ++counts[at(PointOwners::pair_of(theta, PointTransform<double>::rows(spec)))];
  Index least = 0;
  for (int rank = 0; rank < comm.size(); ++rank)
    least = std::max(least, PointTransform<double>::device_memory(spec, counts, comm.size(), rank).min_work());
  spec.device_work = Index{1} << 30;
  const BothWays<double> large(comm, points, spec);
  spec.device_work = least;
  const BothWays<double> small(comm, points, spec);
  EXPECT_EQ(small.run.values, large.run.values);
  EXPECT_TRUE(std::ranges::equal(small.adjoint.data(), large.adjoint.data()));
  spec.maps = 3;
  const BothWays<double> many(comm, points, spec);
  for (std::size_t f = 0; f < large.run.values.size(); ++f) EXPECT_EQ(many.run.values[f], large.run.values[f]);
  for (Index c = 0; c < 3; ++c)
    EXPECT_TRUE(std::ranges::equal(many.adjoint.component(0, c), large.adjoint.component(0, c)));
}

TEST(PointsOnDevice, MayBeFewerThanRanks) {
  ARMILLA_NEEDS_DEVICE();
  const auto comm = comm::Communicator::world();
  const Catalogue points{"two", {0.0, 2.5}, {1.0, -3.0}};
  const transform::FieldKind kind = transform::FieldKind::spin(1);
  const BothWays<double> cpu(comm, points, spec_of(kind, 30, comm.size(), 1e-8));
  const BothWays<double> device(comm, points, spec_of(kind, 30, comm.size(), 1e-8, 1, kCuda));
  EXPECT_LE(distance(comm, device.run.values, cpu.run.values), 1e-13);
  EXPECT_LE(test::distance(comm, device.adjoint, cpu.adjoint), 1e-13);
}

TEST(PointsOnDevice, TakeValuesWhereTheyStand) {
  ARMILLA_NEEDS_DEVICE();
  const auto comm = comm::Communicator::world();
  const Catalogue points = uniform(500);
  for (const backend::Kind backend : {backend::Kind::kCpu, kCuda}) {
    const transform::FieldKind kind = transform::FieldKind::temperature_polarisation();
    BothWays<double> known(comm, points, spec_of(kind, 30, comm.size(), 1e-6, 2, backend));
    PointTransform<double>& transform = known.run.transform;
    backend::DualBuffer<double> values(6 * transform.points());
    transform.synthesis(random_alm<double>(known.run.spec, comm.rank()), values);
    for (Index f = 0; f < 6; ++f)
      EXPECT_TRUE(std::ranges::equal(values.host().subspan(at(f * transform.points()), at(transform.points())),
                                     known.run.values[at(f)]));
    transform::AlmField<double> adjoint(kind, known.run.spec.alm, comm.rank(), 2),
        expected(kind, known.run.spec.alm, comm.rank(), 2);
    transform.adjoint_synthesis(values, adjoint);
    transform.adjoint_synthesis(known.run.const_spans(), expected);
    EXPECT_TRUE(std::ranges::equal(adjoint.data(), expected.data()));
  }
}

TEST(PointsOnDevice, TakeNoMoreThanAnnounced) {
  ARMILLA_NEEDS_DEVICE();
  const auto comm = comm::Communicator::world();
  for (const Catalogue& points : {uniform(30000), crowded()}) {
    SCOPED_TRACE(points.name);
    PointTransformSpec spec = spec_of(transform::FieldKind::spin(2), 100, comm.size(), 1e-8, 2, kCuda);
    spec.device_work = Index{4} << 20;
    const Index rows = PointTransform<double>::rows(spec);
    std::vector<Index> counts(at(rows / 2), 0);
    for (const double theta : points.theta) ++counts[at(PointOwners::pair_of(theta, rows))];
    const Index announced = PointTransform<double>::device_memory(spec, counts, comm.size(), comm.rank())
                                .with_work(*spec.device_work)
                                .peak();
    const Index before = test::device_bytes_held(comm);
    backend::forget_device_peak();
    const BothWays<double> both(comm, points, spec);
    // Coefficients that are given and that are made stand there too.
    const Index coefficients = 2 * transform::AlmField<double>::memory(spec.kind, *spec.alm, comm.rank(), 2).held();
    const Index taken = backend::peak_device_bytes() - before;
    EXPECT_LE(taken, announced + coefficients);
    EXPECT_GE(taken, announced / 2);
  }
}

TEST(PointsOnDevice, SayWhatTheDeviceLacks) {
  ARMILLA_NEEDS_DEVICE();
  const auto comm = comm::Communicator::world();
  const test::DeviceLimit limit(comm, Index{1} << 20);
  try {
    PointRun<double>(comm, uniform(500), spec_of(transform::FieldKind::scalar(), 200, comm.size(), 1e-6, 1, kCuda));
    FAIL();
  } catch (const core::ResourceError& error) {
    EXPECT_NE(std::string(error.what()).find("transform at points on the GPU: each rank may use"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace armilla::points

int main(int argc, char** argv) { return armilla::test::mpi_main(argc, argv); }
