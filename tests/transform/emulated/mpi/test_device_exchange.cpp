// Delta exchanged from device to device, by an MPI library that takes device memory in blocking calls only.
#include <armilla/comm/exchange.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/transform/field_transform.hpp>

#include <memory>

#include <gtest/gtest.h>
#include <support/device_mpi.hpp>
#include <support/distance.hpp>
#include <support/exchange_variable.hpp>
#include <support/fields.hpp>

namespace armilla::transform {
namespace {

/// While it is there, MPI takes device memory.
struct WithDeviceMpi {
  WithDeviceMpi() { test::device_mpi() = {.takes_device_memory = true}; }
  ~WithDeviceMpi() { test::device_mpi() = {}; }
  WithDeviceMpi(const WithDeviceMpi&) = delete;
  WithDeviceMpi& operator=(const WithDeviceMpi&) = delete;
};

TEST(DeviceExchange, PassesDeviceMemoryToBlockingCallsOnly) {
  const auto comm = comm::Communicator::world();
  const WithDeviceMpi mpi;
  const test::ExchangeVariable variable("mpi");
  if (!comm::takes_device_memory()) GTEST_SKIP() << "this MPI library does not tell whether it takes device memory";
  const auto grid = std::make_shared<const grid::RingGrid>(grid::make_gauss(25, 50));
  FieldTransformSpec spec = test::make_spec(test::kind_of_spin(2), grid, alm::AlmLayout(24, 24), comm.size(), 2);
  spec.backend = backend::Kind::kCpu;
  FieldTransform<double> cpu(comm, spec);
  spec.backend = backend::Kind::kCuda;
  spec.exchange_parts = 3;  // which this path does not have
  FieldTransform<double> gpu(comm, spec);
  AlmField<double> alm(spec.kind, spec.alm, comm.rank(), spec.maps), from_map(spec.kind, spec.alm, comm.rank(), 2),
      expected_alm(spec.kind, spec.alm, comm.rank(), 2);
  MapField<double> map(spec.kind, spec.pixels, comm.rank(), spec.maps),
      expected(spec.kind, spec.pixels, comm.rank(), 2);
  test::fill_noise(alm, 3);
  test::poison(map);
  test::poison(from_map);
  cpu.synthesis(alm, expected);
  cpu.adjoint_synthesis(expected, expected_alm);
  gpu.synthesis(alm, map);
  gpu.adjoint_synthesis(expected, from_map);
  EXPECT_LE(test::distance(comm, map, expected), 1e-13);
  EXPECT_LE(test::distance(comm, from_map, expected_alm), 1e-13);
  EXPECT_EQ(test::device_mpi().blocking, comm.size() == 1 ? 0 : 2);
  EXPECT_EQ(test::device_mpi().nonblocking, 0);
}

}  // namespace
}  // namespace armilla::transform
