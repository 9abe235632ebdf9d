// The path by which devices exchange, where copies between them fail.
#include <armilla/backend/context.hpp>
#include <armilla/core/error.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/transform/device_work.hpp>
#include <armilla/transform/exchange_path.hpp>
#include <armilla/transform/field_transform.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <support/emulation.hpp>
#include <support/exchange_variable.hpp>
#include <support/fields.hpp>

namespace armilla::transform {
namespace {

// Without a cache of trials.
comm::Communicator new_ranks() { return comm::Communicator::world().duplicate(); }

std::shared_ptr<backend::Memory> device_memory(const comm::Communicator& comm) {
  return backend::make_context<double>(backend::Kind::kCuda, placement(comm, backend::Kind::kCuda))->memory();
}

TEST(ExchangePath, IsTheHostIfOneRankOpensNoPeers) {
  const auto comm = new_ranks();
  if (comm.size() == 1) GTEST_SKIP() << "a single rank exchanges nothing";
  const auto memory = device_memory(comm);
  EXPECT_EQ(choose_exchange_path(comm, *memory).path, ExchangePath::kPeers);
  const test::Pretend pretend({.opens_peers = comm.rank() != comm.size() - 1});
  const ExchangeChoice choice = choose_exchange_path(comm, *memory);
  EXPECT_EQ(choice.path, ExchangePath::kHost);
  EXPECT_NE(choice.why_not_peers.find("opening memory of another process failed"), std::string::npos)
      << choice.why_not_peers;
  const test::ExchangeVariable variable("peers");
  try {
    choose_exchange_path(comm, *memory);
    FAIL() << "it must not take another path than the requested one";
  } catch (const core::ResourceError& error) {
    EXPECT_NE(std::string(error.what()).find("ARMILLA_DEVICE_EXCHANGE=peers: "), std::string::npos) << error.what();
  }
}

TEST(ExchangePath, HasOneOfThreeNames) {
  const auto comm = new_ranks();
  if (comm.size() == 1) GTEST_SKIP() << "a single rank exchanges nothing";
  const auto memory = device_memory(comm);
  {
    const test::ExchangeVariable variable("host");
    EXPECT_EQ(choose_exchange_path(comm, *memory).path, ExchangePath::kHost);
  }
  {
    const test::ExchangeVariable variable("mpi");  // which this MPI library does not support
    EXPECT_THROW(choose_exchange_path(comm, *memory), core::ResourceError);
  }
  const test::ExchangeVariable variable("nccl");
  try {
    choose_exchange_path(comm, *memory);
    FAIL() << "there is no such path";
  } catch (const core::InputError& error) {
    EXPECT_NE(std::string(error.what()).find("ARMILLA_DEVICE_EXCHANGE=nccl: use peers, mpi or host"), std::string::npos)
        << error.what();
  }
}

// A rank whose device fails goes on with the exchange, so that no rank waits for it, and all throw.
TEST(PeerExchange, ThrowsOnAllRanksIfADeviceFails) {
  const auto comm = new_ranks();
  auto spec = test::make_spec(FieldKind::scalar(), std::make_shared<const grid::RingGrid>(grid::make_gauss(12, 24)),
                              alm::AlmLayout(11, 11), comm.size());
  spec.backend = backend::Kind::kCuda;
  spec.exchange_parts = 3;
  FieldTransform<double> transform(comm, spec);
  AlmField<double> alm(spec.kind, spec.alm, comm.rank(), 1), back(spec.kind, spec.alm, comm.rank(), 1);
  MapField<double> map(spec.kind, spec.pixels, comm.rank(), 1);
  test::fill_noise(alm, 5);
  transform.synthesis(alm, map);
  const auto pixels = std::as_const(map).data();
  const std::vector<double> expected(pixels.begin(), pixels.end());
  {
    const test::Pretend pretend({.fails = comm.rank() == comm.size() - 1});
    EXPECT_THROW(transform.synthesis(alm, map), core::ResourceError);
    EXPECT_THROW(transform.adjoint_synthesis(map, back), core::ResourceError);
  }
  test::poison(map);
  transform.synthesis(alm, map);
  const auto again = std::as_const(map).data();
  EXPECT_EQ(std::vector<double>(again.begin(), again.end()), expected);
}

}  // namespace
}  // namespace armilla::transform
