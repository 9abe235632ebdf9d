// Every operator, spin and mixture: round trips, transposes, one exchange.
#include <armilla/comm/communicator.hpp>
#include <armilla/core/error.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/transform/field_transform.hpp>

#include <cstring>
#include <string>
#include <vector>

#include "every_grid.hpp"
#include "round_trip.hpp"
#include "support/dot.hpp"
#include "support/fields.hpp"
#include <gtest/gtest.h>
#include <mpi.h>

namespace {

int exchanges = 0;

}  // namespace

// Counts the exchanges of the whole program, through the profiling interface of MPI.
extern "C" int MPI_Ialltoallv(const void* send, const int* send_counts, const int* send_displacements,
                              MPI_Datatype send_type, void* receive, const int* receive_counts,
                              const int* receive_displacements, MPI_Datatype receive_type, MPI_Comm comm,
                              MPI_Request* request) {
  ++exchanges;
  return PMPI_Ialltoallv(send, send_counts, send_displacements, send_type, receive, receive_counts,
                         receive_displacements, receive_type, comm, request);
}

namespace armilla::transform {
namespace {

using grid::RingGrid;
using test::dot;
using test::make_spec;

std::shared_ptr<const RingGrid> gauss(Index nlat, Index nphi) {
  return std::make_shared<RingGrid>(grid::make_gauss(nlat, nphi));
}

void fill_noise(MapField<double>& map, std::uint64_t seed) {
  test::fill_map(map, [&](Index k, Index component, Index pixel) {
    return test::noise(seed, static_cast<std::uint64_t>(pixel), static_cast<std::uint64_t>(8 * k + component));
  });
}

void expect_exact_round_trips(Index lmax, const std::vector<Index>& spins, double tolerance) {
  const auto comm = comm::Communicator::world();
  const auto grid = gauss(lmax + 1, 2 * lmax + 1);
  for (const Index spin : spins) {
    const double error =
        round_trip_error(comm, make_spec(test::kind_of_spin(spin), grid, alm::AlmLayout(lmax, lmax), comm.size()));
    EXPECT_LT(error, tolerance) << "spin " << spin;
    if (comm.is_root()) std::printf("round trip, spin %-4lld %.2e\n", static_cast<long long>(spin), error);
  }
}

TEST(Operators, RoundTripsAreExactForEverySpin) {
  expect_exact_round_trips(127, {0, 1, 2, 3, 10, 100, 126, 127}, 5e-13);
}

TEST(OperatorsSweep, RoundTripsAreExactForEverySpin) {
  expect_exact_round_trips(511, {0, 1, 2, 3, 10, 100, 510, 511}, 1e-12);
  expect_exact_round_trips(1023, {0, 1, 2, 3}, 5e-13);
}

/// A spin, a layout, and a way through the Legendre stage.
struct Way {
  Index spin, lmax, mmax;
  backend::Options options;
};

const backend::Options kFast{"fast", backend::ThetaResampling::kOff}, kResampled{"fast", backend::ThetaResampling::kOn},
    kReference{"reference", backend::ThetaResampling::kOff};

// Synthesis and adjoint synthesis, and both directions of quadrature where the grid has weights.
void expect_transposes(const comm::Communicator& comm, const GridCase& on, const Way& way, Index maps, int parts) {
  SCOPED_TRACE(on.name + ", spin " + std::to_string(way.spin) + ", lmax " + std::to_string(way.lmax) + ", mmax " +
               std::to_string(way.mmax) + ", engine " + way.options.engine + ", resampling " +
               name_of(way.options.theta_resampling));
  auto spec = make_spec(test::kind_of_spin(way.spin), on.grid, alm::AlmLayout(way.lmax, way.mmax), comm.size(), maps);
  spec.options = way.options;
  spec.exchange_parts = parts;
  FieldTransform<double> transform(comm, spec);
  AlmField<double> x(spec.kind, spec.alm, comm.rank(), maps);
  AlmField<double> from_y(spec.kind, spec.alm, comm.rank(), maps);
  MapField<double> y(spec.kind, spec.pixels, comm.rank(), maps);
  MapField<double> from_x(spec.kind, spec.pixels, comm.rank(), maps);
  test::fill_noise(x, 11);
  fill_noise(y, 5);
  const auto check = [&] {
    // Roundings of a sum against the size of its terms.
    const double scale = std::sqrt(dot(comm, from_x, from_x) * dot(comm, y, y));
    EXPECT_NEAR(dot(comm, from_x, y), dot(comm, x, from_y), 1e-13 * scale);
    EXPECT_GT(scale, 0);
  };
  const auto poison = [&] {
    test::poison(from_x);
    test::poison(from_y);
  };
  poison();
  transform.synthesis(x, from_x);
  transform.adjoint_synthesis(y, from_y);
  check();
  if (!on.grid->has_weights()) return;
  poison();
  transform.adjoint_quadrature(x, from_x);
  transform.quadrature(y, from_y);
  check();
}

// Each spin with one layout and one way; one m for all ranks among them. What differs on several ranks is the exchange:
// four of them will do.
TEST(Operators, TransposesOnEveryGridAndSpin) {
  const auto comm = comm::Communicator::world();
  std::vector<Way> ways{{0, 29, 29, kFast}, {0, 10, 0, kResampled},   {1, 31, 12, kResampled},  {2, 29, 28, kReference},
                        {3, 10, 0, kFast},  {10, 29, 29, kResampled}, {29, 29, 28, kReference}, {110, 110, 109, kFast}};
  if (comm.size() > 1) ways.resize(4);
  for (const GridCase& on : every_grid())
    for (const Way& way : ways) expect_transposes(comm, on, way, 2, 3);
}

TEST(OperatorsSweep, TransposesOnEveryGridAndSpin) {
  const auto comm = comm::Communicator::world();
  for (const GridCase& on : every_grid())
    for (const backend::Options& options : {kFast, kResampled, kReference}) {
      for (const Index spin : {0, 1, 2, 3, 10})
        for (const auto& [lmax, mmax] : {std::pair<Index, Index>{29, 29}, {31, 12}, {10, 0}})
          expect_transposes(comm, on, {spin, lmax, mmax, options}, 2, 3);
      for (const auto& [spin, lmax] : {std::pair<Index, Index>{0, 29},
                                       {1, 29},
                                       {2, 29},
                                       {3, 29},
                                       {10, 29},
                                       {28, 29},
                                       {29, 29},
                                       {100, 110},
                                       {110, 110}})
        expect_transposes(comm, on, {spin, lmax, lmax - 1, options}, 1, 1);
    }
}

TEST(Operators, AdjointQuadratureIsSynthesisTimesWeights) {
  const auto comm = comm::Communicator::world();
  const auto grid = std::make_shared<RingGrid>(grid::make_healpix(8));
  FieldTransform<double> transform(
      comm, make_spec(FieldKind::temperature_polarisation(), grid, alm::AlmLayout(16, 16), comm.size()));
  const auto& spec = transform.spec();
  AlmField<double> alm(spec.kind, spec.alm, comm.rank(), 1);
  MapField<double> map(spec.kind, spec.pixels, comm.rank(), 1);
  MapField<double> weighted(spec.kind, spec.pixels, comm.rank(), 1);
  test::fill_noise(alm, 8);
  transform.synthesis(alm, map);
  transform.adjoint_quadrature(alm, weighted);
  std::vector<double> weight(static_cast<std::size_t>(grid->npix()));
  for (const grid::Ring& ring : grid->rings())
    for (Index j = 0; j < ring.nphi; ++j)
      weight[static_cast<std::size_t>(ring.first_pixel + j)] = ring.weight / static_cast<double>(ring.nphi);
  MapField<double> expected(spec.kind, spec.pixels, comm.rank(), 1);
  test::fill_map(expected, [&](Index, Index, Index p) { return weight[static_cast<std::size_t>(p)]; });
  for (std::size_t i = 0; i < map.data().size(); ++i)
    EXPECT_NEAR(weighted.data()[i], expected.data()[i] * map.data()[i], 1e-15);
}

TEST(Operators, WeightsThatAreMissingAreSaid) {
  const auto comm = comm::Communicator::world();
  const std::vector<double> theta{1.0, 2.0};
  const std::vector<double> phi0{0.0, 0.0};
  const std::vector<Index> nphi{8, 8};
  const auto grid = std::make_shared<RingGrid>(grid::make_rings(theta, phi0, nphi, {}, "bare"));
  FieldTransform<double> transform(comm, make_spec(FieldKind::scalar(), grid, alm::AlmLayout(3, 3), comm.size()));
  AlmField<double> alm(transform.spec().kind, transform.spec().alm, comm.rank(), 1);
  MapField<double> map(transform.spec().kind, transform.spec().pixels, comm.rank(), 1);
  try {
    transform.adjoint_quadrature(alm, map);
    FAIL();
  } catch (const core::InputError& error) {
    EXPECT_NE(std::string(error.what()).find("has no quadrature weights"), std::string::npos);
  }
}

TEST(Operators, SpinsAboveLmaxHaveNoFunctions) {
  const auto comm = comm::Communicator::world();
  for (const Index spin : {3, 4, 12}) {
    FieldTransform<double> transform(comm,
                                     make_spec(FieldKind::spin(spin), gauss(9, 8), alm::AlmLayout(2, 2), comm.size()));
    const auto& spec = transform.spec();
    AlmField<double> alm(spec.kind, spec.alm, comm.rank(), 1);
    MapField<double> map(spec.kind, spec.pixels, comm.rank(), 1);
    for (auto& a : alm.data()) a = 1.0;
    test::poison(map);
    transform.synthesis(alm, map);
    for (const double value : map.data()) EXPECT_EQ(value, 0.0);
    fill_noise(map, 2);
    test::poison(alm);
    transform.adjoint_synthesis(map, alm);
    for (const auto& a : alm.data()) EXPECT_EQ(a, 0.0);
  }
}

template <class Whole, class Part>
void copy_part(Whole&& whole, Part&& part, const SpinField& which, bool into_part) {
  for (Index map = 0; map < part.maps(); ++map)
    for (Index c = 0; c < which.components; ++c) {
      const auto a = whole.component(map, which.first + c);
      const auto b = part.component(map, c);
      if (into_part)
        std::copy(a.begin(), a.end(), b.begin());
      else
        EXPECT_TRUE(a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0)
            << "component " << which.first + c;
    }
}

// A mixture is bitwise identical to its parts, with one exchange in each direction.
TEST(Operators, MixturesAreTheirPartsInOneExchange) {
  const auto comm = comm::Communicator::world();
  const std::vector<std::string> names{"T", "U", "V", "A", "B2", "Q", "U2", "Z"};
  const std::vector<Index> spins{-1, -1, -1, 4, 4, 2, 2, -1};
  const auto kind = FieldKind::from_names(names, spins);
  ASSERT_EQ(kind.spin_fields().size(), 5u);
  const alm::AlmLayout layout(70, 65);
  for (const Index maps : {1, 3})
    for (const auto& grid : {std::make_shared<const RingGrid>(grid::make_healpix(16)), gauss(51, 150)}) {
      auto asked = make_spec(kind, grid, layout, comm.size(), maps);
      asked.exchange_parts = 1;
      FieldTransform<double> together(comm, asked);
      AlmField<double> alm(kind, together.spec().alm, comm.rank(), maps);
      MapField<double> map(kind, together.spec().pixels, comm.rank(), maps);
      AlmField<double> back(kind, together.spec().alm, comm.rank(), maps);
      test::fill_noise(alm, 77);
      test::poison(map);
      test::poison(back);
      const int before = exchanges;
      together.synthesis(alm, map);
      together.quadrature(map, back);
      EXPECT_EQ(exchanges - before, comm.size() == 1 ? 0 : 2);
      for (const SpinField& part : kind.spin_fields()) {
        FieldTransform<double> apart(comm, make_spec(test::kind_of_spin(part.spin), grid, layout, comm.size(), maps));
        const auto& spec = apart.spec();
        AlmField<double> part_alm(spec.kind, spec.alm, comm.rank(), maps);
        MapField<double> part_map(spec.kind, spec.pixels, comm.rank(), maps);
        copy_part(alm, part_alm, part, true);
        apart.synthesis(part_alm, part_map);
        copy_part(map, part_map, part, false);
        apart.quadrature(part_map, part_alm);
        copy_part(back, part_alm, part, false);
      }
    }
}

}  // namespace
}  // namespace armilla::transform
