// What moves between host and device, which the emulated device counts, and the order of its threads.
#include <armilla/points/point_transform.hpp>

#include <utility>
#include <vector>

#include "points/point_run.hpp"
#include "support/emulation.hpp"
#include <gtest/gtest.h>
#include <kernels/core/emulation.hpp>

namespace armilla::points {
namespace {

TEST(PointsOnDevice, MoveNoFieldWithOneRank) {
  const auto comm = comm::Communicator::self();
  const Catalogue points = uniform(20000);
  PointRun<double> run(comm, points, spec_of(transform::FieldKind::spin(2), 100, 1, 1e-6, 1, backend::Kind::kCuda));
  auto alm = random_alm<double>(run.spec, 0);
  transform::AlmField<double> adjoint(run.spec.kind, run.spec.alm, 0, 1);
  backend::DualBuffer<double> values(2 * points.size());
  run.transform.synthesis(alm, values);  // coefficients go there
  const std::size_t before = kernels::emulation().copied;
  run.transform.synthesis(alm, values);
  run.transform.adjoint_synthesis(values, adjoint);
  // Tables by order alone.
  EXPECT_LT(kernels::emulation().copied - before, alm.data().size_bytes() / 4);
}

/// Nor on that of blocks.
TEST(PointsOnDevice, DoNotDependOnTheOrderOfThreads) {
  const auto comm = comm::Communicator::world();
  const Catalogue points = uniform(3000);
  const auto both = [&](kernels::HostOrder order) {
    const test::Pretend pretend({.order = order});
    PointRun<double> run(comm, points,
                         spec_of(transform::FieldKind::spin(2), 40, comm.size(), 1e-6, 1, backend::Kind::kCuda));
    run.transform.synthesis(random_alm<double>(run.spec, comm.rank()), run.spans());
    transform::AlmField<double> adjoint(run.spec.kind, run.spec.alm, comm.rank(), 1);
    run.transform.adjoint_synthesis(run.const_spans(), adjoint);
    const auto numbers = adjoint.data();
    return std::pair(run.values, std::vector(numbers.begin(), numbers.end()));
  };
  EXPECT_EQ(both(kernels::HostOrder::kAscending), both(kernels::HostOrder::kDescending));
}

}  // namespace
}  // namespace armilla::points
