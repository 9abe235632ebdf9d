// What moves between host and device, which the emulated device counts.
#include <armilla/points/point_transform.hpp>

#include "points/point_run.hpp"
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

}  // namespace
}  // namespace armilla::points
