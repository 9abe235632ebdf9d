// Results on a device, in arrays of the host through the C++ interface and of the device through the Fortran module.
#include <armilla/armilla.h>
#include <armilla/armilla.hpp>

#include <cmath>
#include <complex>
#include <span>
#include <vector>

#include "support/device.hpp"
#include "support/device_array.hpp"
#include <gtest/gtest.h>
#include <mpi.h>

extern "C" int fortran_on_device(int communicator, void* alm, void* map, void* values, void* found);

namespace armilla {
namespace {

TEST(FortranDeviceArrays, HoldWhatArraysOfTheHostHold) {
  ARMILLA_NEEDS_DEVICE();
  Transform<double> t(Communicator::world(),
                      {.grid = make_gauss(12, 24), .lmax = 11, .fields = FieldKind::wind(), .backend = "cuda"});
  const std::vector<double> theta{0.5, 2.0}, phi{1.0, -1.0};
  PointTransform<double> at_points(t.comm(), {.lmax = 11, .fields = FieldKind::wind(), .backend = "cuda"}, theta, phi);
  Alm<double> alm = t.make_alm(), found = t.make_alm();
  Map<double> map = t.make_map();
  std::vector<double> values(4);
  for (std::size_t i = 0; i < alm.data().size(); ++i) alm.data()[i] = std::cos(static_cast<double>(i));
  t.synthesis(alm, map);
  at_points.synthesis(alm, values);
  t.analysis(map, found);

  using test::DeviceArray;
  DeviceArray<std::complex<double>> own_alm(t.device(), std::span<const std::complex<double>>(alm.data())),
      own_found(t.device(), own_alm.size());
  DeviceArray<double> own_map(t.device(), map.data().size()), own_values(t.device(), values.size());
  ASSERT_EQ(fortran_on_device(MPI_Comm_c2f(MPI_COMM_WORLD), own_alm.data(), own_map.data(), own_values.data(),
                              own_found.data()),
            0)
      << armilla_last_error();
  EXPECT_EQ(own_map.values(), std::vector<double>(map.data().begin(), map.data().end()));
  EXPECT_EQ(own_values.values(), values);
  EXPECT_EQ(own_found.values(), std::vector<std::complex<double>>(found.data().begin(), found.data().end()));
  EXPECT_GT(std::abs(values[0]), 1e-3);
}

}  // namespace
}  // namespace armilla
