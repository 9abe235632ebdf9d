#include <armilla/armilla.h>
#include <armilla/armilla.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "support/mpi_main.hpp"
#include <gtest/gtest.h>
#include <mpi.h>

namespace armilla {
namespace {

void expect_ok(int status) { EXPECT_EQ(status, ARMILLA_OK) << armilla_last_error(); }

void expect_refused(int status, const std::string& part) {
  EXPECT_EQ(status, ARMILLA_INPUT_ERROR) << armilla_last_error();
  EXPECT_NE(std::string(armilla_last_error()).find(part), std::string::npos) << armilla_last_error();
}

armilla_session world_session() {
  armilla_session session{};
  expect_ok(armilla_session_of_mpi(MPI_Comm_c2f(MPI_COMM_WORLD), &session));
  return session;
}

/// A transform with its arrays.
template <class T>
struct Case {
  explicit Case(const char* fields = "T,Q,U", const char* name = "gauss:20:40", Index lmax = 17, Index maps = 2) {
    expect_ok(armilla_grid_named(name, &grid));
    armilla_transform_options options;
    expect_ok(armilla_transform_options_init(&options));
    options.lmax = lmax;
    options.maps = maps;
    options.fields = fields;
    options.single_precision = std::is_same_v<T, float> ? 1 : 0;
    expect_ok(armilla_transform_create(session, grid, &options, &transform));
    int64_t alm_size = 0, map_size = 0;
    expect_ok(armilla_transform_sizes(transform, &alm_size, &map_size));
    alm.resize(core::at(alm_size));
    map.resize(core::at(map_size));
  }
  ~Case() {
    expect_ok(armilla_transform_free(&transform));
    expect_ok(armilla_grid_free(&grid));
    expect_ok(armilla_session_free(&session));
  }
  int64_t alms() const { return static_cast<int64_t>(alm.size()); }
  int64_t pixels() const { return static_cast<int64_t>(map.size()); }

  armilla_session session = world_session();
  armilla_grid grid{};
  armilla_transform transform{};
  std::vector<std::complex<T>> alm;
  std::vector<T> map;
};

TEST(CInterface, TransformsAreThoseOfTheLibrary) {
  Case<double> c;
  Transform t(Communicator::world(),
              {.grid = make_gauss(20, 40), .lmax = 17, .fields = FieldKind::temperature_polarisation(), .maps = 2});
  Alm<double> alm = t.make_alm(), found = t.make_alm();
  double next = 0;
  for (std::complex<double>& value : alm.data()) value = std::cos(next += 0.7);
  std::ranges::copy(alm.data(), c.alm.begin());
  Map<double> map = t.make_map();
  const auto same = [&](const auto& own, const auto& expected) { return std::ranges::equal(own, expected.data()); };

  t.synthesis(alm, map);
  expect_ok(armilla_synthesis(c.transform, c.alm.data(), c.alms(), c.map.data(), c.pixels()));
  EXPECT_TRUE(same(c.map, map));
  t.analysis(map, found, {.iterations = 1});
  expect_ok(armilla_analysis(c.transform, c.map.data(), c.pixels(), c.alm.data(), c.alms(), 1, ARMILLA_WEIGHTS_GRID));
  EXPECT_TRUE(same(c.alm, found));
  t.adjoint_synthesis(map, alm);
  expect_ok(armilla_adjoint_synthesis(c.transform, c.map.data(), c.pixels(), c.alm.data(), c.alms()));
  EXPECT_TRUE(same(c.alm, alm));
  t.adjoint_analysis(alm, map);
  expect_ok(armilla_adjoint_analysis(c.transform, c.alm.data(), c.alms(), c.map.data(), c.pixels()));
  EXPECT_TRUE(same(c.map, map));
  std::vector<double> products(2);
  expect_ok(armilla_map_products(c.transform, c.map.data(), c.map.data(), c.pixels(), products.data(), 2));
  EXPECT_EQ(products, inner_products(map, map));

  int64_t count = 0;
  expect_ok(armilla_transform_orders(c.transform, &count, nullptr, 0));
  std::vector<int64_t> orders(core::at(count));
  expect_ok(armilla_transform_orders(c.transform, &count, orders.data(), count));
  EXPECT_TRUE(std::ranges::equal(orders, alm.local_m()));
  int ranges = 0;
  int64_t first[2] = {}, pixels[2] = {};
  expect_ok(armilla_transform_pixel_ranges(c.transform, &ranges, first, pixels));
  const auto own = map.distribution().pixel_ranges(map.rank());
  ASSERT_EQ(static_cast<std::size_t>(ranges), own.size());
  for (std::size_t i = 0; i < own.size(); ++i) EXPECT_TRUE(first[i] == own[i].first && pixels[i] == own[i].count);
}

TEST(CInterface, VectorsAndFloats) {
  Case<float> c("U,V");
  armilla_vector_options options{3, ARMILLA_SOUTH_EAST, ARMILLA_FACTOR_COS_LATITUDE};
  for (std::size_t i = 0; i < c.map.size(); ++i) c.map[i] = std::sin(static_cast<float>(i));
  Transform<float> t(Communicator::world(),
                     {.grid = make_gauss(20, 40), .lmax = 17, .fields = FieldKind::wind(), .maps = 2});
  Alm<float> derivatives = t.make_vorticity_divergence(), potential = t.make_potential();
  const VectorOptions same{3, VectorOptions::Axes::kSouthEast, VectorOptions::Factor::kCosLatitude};
  t.vorticity_divergence(t.map_of(c.map), derivatives, same);
  expect_ok(
      armilla_vorticity_divergence_float(c.transform, c.map.data(), c.pixels(), c.alm.data(), c.alms(), &options));
  EXPECT_TRUE(std::ranges::equal(c.alm, derivatives.data()));
  t.adjoint_gradient(t.map_of(c.map), potential, {});
  expect_ok(armilla_adjoint_gradient_float(c.transform, c.map.data(), c.pixels(), c.alm.data(), c.alms() / 2, nullptr));
  EXPECT_TRUE(std::equal(potential.data().begin(), potential.data().end(), c.alm.begin()));
  options.factor = 3;
  expect_refused(armilla_gradient_float(c.transform, c.alm.data(), c.alms() / 2, c.map.data(), c.pixels(), &options),
                 "options.factor = 3: use one of armilla_factor");
}

TEST(CInterface, Redistribution) {
  Case<double> c("T", "healpix:4", 8, 1);
  // Pixels are dealt from the last rank down; the values are their numbers.
  const auto world = Communicator::world();
  std::vector<int64_t> own;
  for (int64_t p = 0; p < 192; ++p)
    if (p % world.size() == world.size() - 1 - world.rank()) own.push_back(p);
  std::vector<double> values(own.begin(), own.end());
  const auto size = static_cast<int64_t>(own.size());
  armilla_redistribution move{}, orders{};
  expect_ok(armilla_redistribution_of_pixels(c.transform, own.data(), size, &move));
  expect_ok(armilla_redistribute_to_map(move, values.data(), size, nullptr, c.map.data(), c.pixels(), nullptr));
  int ranges = 0;
  int64_t first[2] = {}, pixels[2] = {}, place = 0;
  expect_ok(armilla_transform_pixel_ranges(c.transform, &ranges, first, pixels));
  for (int r = 0; r < ranges; ++r)
    for (int64_t p = first[r]; p < first[r] + pixels[r]; ++p)
      EXPECT_EQ(c.map[core::at(place++)], static_cast<double>(p));
  std::vector<double> back(2 * own.size(), -1.0);
  const armilla_strides strides{0, 0, 2};
  expect_ok(armilla_redistribute_from_map(move, c.map.data(), c.pixels(), back.data(), 2 * size, &strides));
  for (std::size_t i = 0; i < own.size(); ++i) EXPECT_EQ(back[2 * i], static_cast<double>(own[i]));
  expect_refused(armilla_redistribute_from_alm(move, c.alm.data(), c.alms(), nullptr, 0, nullptr),
                 "the redistribution is of the other kind");
  expect_ok(armilla_redistribution_of_orders(c.transform, nullptr, 0, &orders));
  expect_refused(armilla_redistribute_to_alm(orders, nullptr, 0, nullptr, c.alm.data(), c.alms(), nullptr),
                 "are not given on any rank");
  const std::complex<double> fill = 7;
  expect_ok(armilla_redistribute_to_alm(orders, nullptr, 0, nullptr, c.alm.data(), c.alms(), &fill));
  EXPECT_TRUE(std::ranges::all_of(c.alm, [](auto value) { return value == 7.0; }));
  expect_ok(armilla_redistribution_free(&move));
  expect_ok(armilla_redistribution_free(&orders));
}

TEST(CInterface, PointsAndJobs) {
  Case<double> c("T", "gauss:20:40", 17, 1);
  // sqrt(4 pi) Y_00 + sqrt(4 pi / 3) Y_10 = 1 + cos(theta)
  int64_t count = 0, orders[18] = {};
  expect_ok(armilla_transform_orders(c.transform, &count, orders, 18));
  if (count > 0 && orders[0] == 0) {
    c.alm[0] = std::sqrt(4 * core::kPi);
    c.alm[1] = std::sqrt(4 * core::kPi / 3);
  }
  armilla_transform_options options;
  expect_ok(armilla_transform_options_init(&options));
  options.lmax = 17;
  const double theta[] = {0.5, 2.0}, phi[] = {1.0, -1.0};
  armilla_points points{};
  expect_ok(armilla_points_create(c.session, &options, theta, phi, 2, &points));
  double values[2] = {};
  expect_ok(armilla_points_synthesis(points, c.alm.data(), c.alms(), values, 2));
  for (int i = 0; i < 2; ++i) EXPECT_NEAR(values[i], 1 + std::cos(theta[i]), 1e-9);
  expect_refused(armilla_points_synthesis(points, c.alm.data(), c.alms(), values, 1), "pass 2");
  expect_ok(armilla_points_free(&points));

  armilla_job job{};
  armilla_result result{};
  expect_ok(armilla_job_create(c.session,
                               "version: 1\n"
                               "execution: {precision: double}\n"
                               "steps:\n"
                               "  - synthesis: {alm: sky, grid: {healpix: {nside: 8}}, out: map}\n"
                               "  - spectra: {alm: sky, out: cl}\n",
                               &job));
  expect_ok(armilla_job_input_alm(job, "sky", c.transform, c.alm.data(), c.alms()));
  expect_ok(armilla_job_run(job, &result));
  const double* pixels = nullptr;
  int64_t size = 0, components = 0, maps = 0, lmax = 0;
  expect_ok(armilla_result_map(result, "map", &pixels, &size, &components, &maps));
  EXPECT_TRUE(components == 1 && maps == 1);
  double sum[2] = {std::accumulate(pixels, pixels + size, 0.0), static_cast<double>(size)};
  Communicator::world().sum(std::span<double>(sum));
  EXPECT_NEAR(sum[0], 768, 1e-9);
  EXPECT_EQ(sum[1], 768);
  const char* names = nullptr;
  expect_ok(armilla_result_spectra(result, "cl", &names, &lmax, &pixels, &size));
  EXPECT_STREQ(names, "TT");
  EXPECT_NEAR(pixels[1], 4 * core::kPi / 9, 1e-12);
  expect_refused(armilla_result_map(result, "cl", &pixels, &size, nullptr, nullptr), "cl");
  const char* report = nullptr;
  expect_ok(armilla_result_report(result, &report));
  EXPECT_EQ(report[0], '{');
  expect_ok(armilla_result_free(&result));
  expect_ok(armilla_job_free(&job));
}

TEST(CInterface, HandlesAndPointersThatAreNotValid) {
  Case<double> c;
  armilla_transform null{}, other{c.grid.id};
  int64_t size = 0;
  expect_refused(armilla_transform_sizes(null, &size, &size), "the transform is null");
  expect_refused(armilla_transform_sizes(other, &size, &size), "a handle of a grid was passed for a transform");
  expect_refused(armilla_transform_sizes({123456}, &size, &size),
                 "was freed, or its handle is not one of this program");
  expect_refused(armilla_transform_sizes(c.transform, nullptr, &size), "alm_size is NULL");
  armilla_session session = world_session(), copy = session;
  expect_ok(armilla_session_free(&session));
  EXPECT_EQ(session.id, 0);
  expect_ok(armilla_session_free(&session));
  int rank = 0;
  expect_refused(armilla_session_rank(copy, &rank, &rank), "the session was freed");
  expect_refused(armilla_session_of_mpi(MPI_Comm_c2f(MPI_COMM_NULL), &session), "MPI_COMM_NULL");
  expect_refused(armilla_grid_named("gauss", &c.grid), "gauss");
  EXPECT_EQ(c.grid.id, 0);
  std::vector<float> wrong(c.map.size());
  expect_refused(armilla_synthesis_float(c.transform, nullptr, 0, wrong.data(), c.pixels()),
                 "the transform is of double precision");
}

TEST(CInterface, AnErrorOfOneRankIsReturnedOnAll) {
  Case<double> c;
  const auto world = Communicator::world();
  const bool last = world.rank() == world.size() - 1;
  const int64_t size = c.pixels() - (last ? 1 : 0);
  expect_refused(armilla_synthesis(c.transform, c.alm.data(), c.alms(), c.map.data(), size), "the memory has");
  expect_refused(armilla_synthesis(c.transform, last ? nullptr : c.alm.data(), c.alms(), c.map.data(), c.pixels()),
                 "alm is NULL");
  expect_refused(armilla_analysis(c.transform, c.map.data(), c.pixels(), c.alm.data(), c.alms(), 0, last ? 9 : 0),
                 "weights = 9");
}

}  // namespace
}  // namespace armilla

int main(int argc, char** argv) { return armilla::test::mpi_main(argc, argv); }
