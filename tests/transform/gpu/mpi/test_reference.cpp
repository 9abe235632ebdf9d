#include <armilla/backend/devices.hpp>

#include "support/device.hpp"
#include "support/reference_rings.hpp"

namespace armilla::transform {
namespace {

// Every `stride`-th group, others where theta is resampled.
void expect_groups_of_the_reference(int stride) {
  const auto comm = comm::Communicator::world();
  // The host in the place of a device is slow; DeviceLegendre and TensorLegendre compute high degrees on fewer rings.
  const bool is_emulated = backend::visible_devices().front().name == "emulated";
  for (const auto resampling : {backend::ThetaResampling::kOff, backend::ThetaResampling::kOn}) {
    const Index most = resampling == backend::ThetaResampling::kOn || is_emulated ? 2000 : 10000;
    int number = resampling == backend::ThetaResampling::kOn ? 2 : 0;
    const int groups = test::check_reference_rings(comm, test::reference_file("rings.h5"), backend::Kind::kCuda,
                                                   {.theta_resampling = resampling},
                                                   [&](Index lmax) { return lmax <= most && number++ % stride == 0; });
    EXPECT_GE(groups, 20 / stride);
  }
}

// Names of groups come in threes of one grid with spins 0, 1, 2.
TEST(CudaBackend, HoldsGroupsOfRingsOfTheReference) {
  ARMILLA_NEEDS_DEVICE();
  expect_groups_of_the_reference(4);
}

TEST(CudaBackendSweep, HoldsEveryGroupOfRingsOfTheReference) {
  ARMILLA_NEEDS_DEVICE();
  expect_groups_of_the_reference(1);
}

}  // namespace
}  // namespace armilla::transform
