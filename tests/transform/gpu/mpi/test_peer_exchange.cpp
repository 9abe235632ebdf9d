// Delta copied from device to device, against Delta exchanged through the host.
#include <armilla/backend/context.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/transform/device_work.hpp>
#include <armilla/transform/exchange_path.hpp>
#include <armilla/transform/field_transform.hpp>

#include <complex>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <support/device.hpp>
#include <support/device_bytes.hpp>
#include <support/exchange_variable.hpp>
#include <support/fields.hpp>

namespace armilla::transform {
namespace {

// Collective. Why the devices do not exchange by copies; empty if they do, and for one rank.
std::string why_not_peers(const comm::Communicator& comm) {
  const auto context = backend::make_context<double>(backend::Kind::kCuda, placement(comm, backend::Kind::kCuda));
  return choose_exchange_path(comm, *context->memory()).why_not_peers;
}

#define NEEDS_PEERS(comm) \
  ARMILLA_NEEDS_DEVICE(); \
  if (const std::string why = why_not_peers(comm); !why.empty()) GTEST_SKIP() << why

template <class Value>
std::vector<Value> values_of(std::span<const Value> values) {
  return {values.begin(), values.end()};
}

/// Results of all operators of a transform on this rank.
template <class T>
struct Results {
  std::vector<T> synthesis, adjoint_quadrature;
  std::vector<std::complex<T>> adjoint, quadrature;
  bool operator==(const Results&) const = default;
};

template <class T>
Results<T> results_of(const comm::Communicator& comm, const FieldTransformSpec& spec, const char* path) {
  const test::ExchangeVariable variable(path);
  FieldTransform<T> transform(comm, spec);
  AlmField<T> alm(spec.kind, spec.alm, comm.rank(), spec.maps), from_map(spec.kind, spec.alm, comm.rank(), spec.maps);
  MapField<T> map(spec.kind, spec.pixels, comm.rank(), spec.maps),
      from_alm(spec.kind, spec.pixels, comm.rank(), spec.maps);
  test::fill_noise(alm, 3);
  test::fill_map(map, [](Index m, Index c, Index p) {
    return test::noise(7, static_cast<std::uint64_t>(p), static_cast<std::uint64_t>(8 * m + c));
  });
  Results<T> results;
  for (int round = 0; round < 2; ++round) {  // arrays are used again
    test::poison(from_alm);
    test::poison(from_map);
    transform.synthesis(alm, from_alm);
    results.synthesis = values_of<T>(std::as_const(from_alm).data());
    transform.adjoint_synthesis(map, from_map);
    results.adjoint = values_of<std::complex<T>>(std::as_const(from_map).data());
    if (!spec.pixels->grid().has_weights()) continue;
    transform.quadrature(map, from_map);
    results.quadrature = values_of<std::complex<T>>(std::as_const(from_map).data());
    transform.adjoint_quadrature(alm, from_alm);
    results.adjoint_quadrature = values_of<T>(std::as_const(from_alm).data());
  }
  return results;
}

template <class T>
void expect_equal_bits(const comm::Communicator& comm, FieldTransformSpec spec) {
  spec.backend = backend::Kind::kCuda;
  SCOPED_TRACE(spec.pixels->grid().description().text() + ", lmax " + std::to_string(spec.alm->layout().lmax()));
  spec.exchange_parts = 0;
  const Results<T> expected = results_of<T>(comm, spec, "host");
  ASSERT_EQ(expected.synthesis.size(),
            static_cast<std::size_t>(spec.pixels->local_pixels(comm.rank()) * spec.kind.components() * spec.maps));
  for (const int parts : {1, 5}) {
    spec.exchange_parts = parts;
    EXPECT_EQ(results_of<T>(comm, spec, "peers"), expected) << parts << " parts";
  }
}

TEST(PeerExchange, GivesTheBitsOfTheExchangeThroughTheHost) {
  const auto comm = comm::Communicator::world();
  NEEDS_PEERS(comm);
  const auto spec_of = [&](const grid::GridDescription& grid, Index lmax, FieldKind kind, Index maps) {
    return test::make_spec(std::move(kind), std::make_shared<const grid::RingGrid>(grid::make_grid(grid)),
                           alm::AlmLayout(lmax, lmax), comm.size(), maps);
  };
  expect_equal_bits<double>(comm,
                            spec_of({.kind = "healpix", .nside = 16}, 40, FieldKind::temperature_polarisation(), 1));
  expect_equal_bits<float>(comm, spec_of({.kind = "gauss", .nlat = 33, .nphi = 66}, 32, test::kind_of_spin(1), 2));
  // Quadrature in theta, which needs all m at once.
  expect_equal_bits<double>(
      comm, spec_of({.kind = "equiangular", .rule = "mw", .nlat = 24, .nphi = 47}, 23, test::kind_of_spin(2), 1));
  // Fewer pairs of rings and fewer m than some numbers of ranks.
  expect_equal_bits<double>(comm, spec_of({.kind = "gauss", .nlat = 3, .nphi = 5}, 1, FieldKind::scalar(), 1));
}

// Each rank may destroy its transform at any time. Its arrays exist until no other rank has them open.
TEST(PeerExchange, ArraysLiveUntilTheLastRankHasClosedThem) {
  const auto comm = comm::Communicator::world();
  NEEDS_PEERS(comm);
  auto spec = test::make_spec(FieldKind::scalar(), std::make_shared<const grid::RingGrid>(grid::make_healpix(8)),
                              alm::AlmLayout(16, 16), comm.size());
  spec.backend = backend::Kind::kCuda;
  const Index before = test::device_bytes_held(comm);
  std::optional<FieldTransform<double>> transform(std::in_place, comm, spec);
  if (comm.rank() == 0) transform.reset();
  EXPECT_EQ(test::device_bytes_held(comm) > before, comm.size() > 1);
  comm.barrier();
  transform.reset();
  EXPECT_EQ(test::device_bytes_held(comm), before);
}

}  // namespace
}  // namespace armilla::transform
