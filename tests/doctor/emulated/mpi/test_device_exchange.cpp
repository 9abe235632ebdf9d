// The exchange between devices that the doctor tries is that of transforms.
#include <armilla/comm/exchange.hpp>
#include <armilla/doctor/checks.hpp>

#include <vector>

#include <gtest/gtest.h>
#include <support/device_mpi.hpp>
#include <support/mpi_main.hpp>

namespace armilla::doctor {
namespace {

TEST(DeviceExchange, IsTriedInTheCallOfTransforms) {
  test::device_mpi() = {.takes_device_memory = true};
  if (!comm::takes_device_memory()) GTEST_SKIP() << "this MPI library does not tell whether it takes device memory";
  MpiFacts mpi;
  mpi.claims_device_memory = true;
  std::vector<Finding> findings;
  examine_devices(comm::Communicator::world(), mpi, findings);
  EXPECT_EQ(mpi.device_exchange, "right");
  EXPECT_EQ(mpi.device_path, comm::Communicator::world().size() > 1 ? "peers" : "host");
  EXPECT_TRUE(findings.empty());
  EXPECT_EQ(test::device_mpi().blocking, 2);
  EXPECT_EQ(test::device_mpi().nonblocking, 0);
}

}  // namespace
}  // namespace armilla::doctor

int main(int argc, char** argv) { return armilla::test::mpi_main(argc, argv); }
