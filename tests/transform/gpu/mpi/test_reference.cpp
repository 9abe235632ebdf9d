#include <armilla/backend/devices.hpp>

#include "support/device.hpp"
#include "support/reference_rings.hpp"

namespace armilla::transform {
namespace {

TEST(CudaBackend, HoldsEveryGroupOfRingsOfTheReference) {
  ARMILLA_NEEDS_DEVICE();
  const auto comm = comm::Communicator::world();
  // The host in the place of a device is slow; DeviceLegendre and TensorLegendre compute high degrees on fewer rings.
  const bool is_emulated = backend::visible_devices().front().name == "emulated";
  for (const auto resampling : {backend::ThetaResampling::kOff, backend::ThetaResampling::kOn}) {
    const Index most = resampling == backend::ThetaResampling::kOn || is_emulated ? 2000 : 10000;
    const int groups =
        test::check_reference_rings(comm, test::reference_file("rings.h5"), backend::Kind::kCuda,
                                    {.theta_resampling = resampling}, [&](Index lmax) { return lmax <= most; });
    EXPECT_GE(groups, 20);
  }
}

}  // namespace
}  // namespace armilla::transform
