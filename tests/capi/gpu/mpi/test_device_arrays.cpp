// Results on a device, in arrays of the host and of the device, through the C interface.
#include <armilla/armilla.h>
#include <armilla/armilla.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <string>
#include <vector>

#include "support/device.hpp"
#include "support/device_array.hpp"
#include "support/mpi_main.hpp"
#include <gtest/gtest.h>
#include <mpi.h>

namespace armilla {
namespace {

using test::DeviceArray;

void expect_ok(int status) { EXPECT_EQ(status, ARMILLA_OK) << armilla_last_error(); }

struct Case {
  explicit Case(int device_memory, const char* backend = "cuda") {
    expect_ok(armilla_session_of_mpi(MPI_Comm_c2f(MPI_COMM_WORLD), &session));
    expect_ok(armilla_grid_named("gauss:12:24", &grid));
    expect_ok(armilla_transform_options_init(&options));
    options.lmax = 11;
    options.fields = "U,V";
    options.backend = backend;
    options.device_memory = device_memory;
  }
  ~Case() {
    expect_ok(armilla_transform_free(&transform));
    expect_ok(armilla_points_free(&points));
    expect_ok(armilla_grid_free(&grid));
    expect_ok(armilla_session_free(&session));
  }

  armilla_session session{};
  armilla_grid grid{};
  armilla_transform_options options{};
  armilla_transform transform{};
  armilla_points points{};
};

const double theta[] = {0.5, 2.0}, phi[] = {1.0, -1.0};

TEST(DeviceArrays, HoldWhatArraysOfTheHostHold) {
  ARMILLA_NEEDS_DEVICE();
  Case host(0), there(1);
  int64_t alm_size = 0, map_size = 0, values_size = 0;
  for (Case* c : {&host, &there}) {
    expect_ok(armilla_transform_create(c->session, c->grid, &c->options, &c->transform));
    expect_ok(armilla_points_create(c->session, &c->options, theta, phi, 2, &c->points));
    expect_ok(armilla_transform_sizes(c->transform, &alm_size, &map_size));
    expect_ok(armilla_points_sizes(c->points, &alm_size, &values_size));
  }
  int device = -1, of_points = -1;
  expect_ok(armilla_transform_device(there.transform, &device));
  expect_ok(armilla_points_device(there.points, &of_points));
  EXPECT_EQ(device, of_points);
  ASSERT_GE(device, 0);

  std::vector<std::complex<double>> alm(core::at(alm_size)), found(alm.size());
  std::vector<double> map(core::at(map_size)), values(core::at(values_size));
  for (std::size_t i = 0; i < alm.size(); ++i) alm[i] = std::cos(static_cast<double>(i));
  DeviceArray<std::complex<double>> own_alm(device, std::span<const std::complex<double>>(alm)),
      own_found(device, alm.size());
  DeviceArray<double> own_map(device, map.size()), own_values(device, values.size());

  expect_ok(armilla_synthesis(host.transform, alm.data(), alm_size, map.data(), map_size));
  EXPECT_TRUE(map.empty() || *std::ranges::max_element(map) > 0.1);
  expect_ok(armilla_synthesis(there.transform, own_alm.data(), alm_size, own_map.data(), map_size));
  EXPECT_EQ(own_map.values(), map);
  expect_ok(armilla_analysis(host.transform, map.data(), map_size, found.data(), alm_size, 0, ARMILLA_WEIGHTS_GRID));
  expect_ok(
      armilla_analysis(there.transform, own_map.data(), map_size, own_found.data(), alm_size, 0, ARMILLA_WEIGHTS_GRID));
  EXPECT_EQ(own_found.values(), found);
  // Scalars of vectors are computed on the host.
  expect_ok(armilla_vorticity_divergence(host.transform, map.data(), map_size, found.data(), alm_size, nullptr));
  expect_ok(
      armilla_vorticity_divergence(there.transform, own_map.data(), map_size, own_found.data(), alm_size, nullptr));
  EXPECT_EQ(own_found.values(), found);

  expect_ok(armilla_points_synthesis(host.points, alm.data(), alm_size, values.data(), values_size));
  expect_ok(armilla_points_synthesis(there.points, own_alm.data(), alm_size, own_values.data(), values_size));
  EXPECT_EQ(own_values.values(), values);
  expect_ok(armilla_points_adjoint_synthesis(host.points, values.data(), values_size, found.data(), alm_size));
  expect_ok(armilla_points_adjoint_synthesis(there.points, own_values.data(), values_size, own_found.data(), alm_size));
  EXPECT_EQ(own_found.values(), found);

  if (map.empty()) return;
  EXPECT_EQ(armilla_synthesis(there.transform, own_alm.data(), alm_size, map.data(), map_size), ARMILLA_INPUT_ERROR);
  EXPECT_NE(std::string(armilla_last_error()).find("not memory of a GPU"), std::string::npos);
}

TEST(DeviceArrays, NeedADevice) {
  Case cpu(1, "cpu");
  EXPECT_EQ(armilla_transform_create(cpu.session, cpu.grid, &cpu.options, &cpu.transform), ARMILLA_INPUT_ERROR);
  EXPECT_NE(std::string(armilla_last_error()).find("options.device_memory = 1"), std::string::npos);
}

}  // namespace
}  // namespace armilla

int main(int argc, char** argv) { return armilla::test::mpi_main(argc, argv); }
