// The Legendre stage by segments on each of several ranks, with its own m.
#include <armilla/backend/cuda/segment_legendre.hpp>
#include <armilla/comm/communicator.hpp>

#include <complex>
#include <cstring>
#include <vector>

#include "support/device.hpp"
#include "support/device_legendre.hpp"
#include "support/mpi_main.hpp"
#include <gtest/gtest.h>

namespace armilla::backend {
namespace {

using namespace test;
using Segments = SegmentLegendre<double>;

bool same(const std::complex<double>& a, const std::complex<double>& b) { return std::memcmp(&a, &b, sizeof(a)) == 0; }

// Every rank computes all m, and those that it has where m is dealt out.
TEST(SegmentRanksSweep, GiveTheBitsOfOneRank) {
  ARMILLA_NEEDS_DEVICE();
  const auto world = comm::Communicator::world();
  for (const auto& [spin, maps] : {std::pair<Index, Index>{0, 1}, {2, 1}, {0, 3}, {1, 8}}) {
    RingTask all(spin, 150, all_orders(120), gauss(403), maps, 5);
    cut(all, 30);
    std::vector<Index> m;
    for (Index own = world.rank(); own <= 120; own += world.size()) m.push_back(own);
    RingTask own(spin, 150, m, gauss(403), maps, 5);
    cut(own, 30);
    const auto alm = all.random_alm<double>(0);
    const auto delta = all.random_delta<double>(0);
    auto own_alm = own.random_alm<double>(0);
    auto own_delta = own.random_delta<double>(0);
    // Calls visit(place in all, place in those of this rank).
    const auto for_each_coefficient = [&](const auto& visit) {
      for (Index k = 0; k < static_cast<Index>(m.size()); ++k)
        for (Index c = 0; c < all.task.components; ++c)
          for (Index map = 0; map < maps; ++map)
            for (Index l = m[static_cast<std::size_t>(k)]; l <= all.task.lmax; ++l)
              visit(&all.task.coefficients(alm.data(), m[static_cast<std::size_t>(k)], c, map)[l] - alm.data(),
                    &own.task.coefficients(own_alm.data(), k, c, map)[l] - own_alm.data());
    };
    const auto for_each_delta = [&](const auto& visit) {
      own.for_each_delta([&](std::size_t k, Index pair, Index, std::size_t place) {
        const auto order = static_cast<Index>(k);
        const Index block = own.task.blocks * order + own.block[static_cast<std::size_t>(pair)];
        const Index block_of_all = own.task.blocks * m[k] + own.block[static_cast<std::size_t>(pair)];
        visit(place - static_cast<std::size_t>(own.shift[static_cast<std::size_t>(block)]) +
                  static_cast<std::size_t>(all.shift[static_cast<std::size_t>(block_of_all)]),
              place, pair);
      });
    };
    for_each_coefficient(
        [&](auto from, auto to) { own_alm[static_cast<std::size_t>(to)] = alm[static_cast<std::size_t>(from)]; });
    for_each_delta([&](std::size_t from, std::size_t to, Index) { own_delta[to] = delta[from]; });
    const OnDevice<double, Segments> expected(all, alm, delta, Index{1} << 28);
    const OnDevice<double, Segments> given(own, own_alm, own_delta, 200000);
    const Index wigner = legendre::PairParts(all.task).wigner;
    for_each_coefficient([&](auto from, auto to) {
      ASSERT_TRUE(same(given.alm[static_cast<std::size_t>(to)], expected.alm[static_cast<std::size_t>(from)]));
    });
    for_each_delta([&](std::size_t from, std::size_t to, Index pair) {
      if (pair < wigner) return;
      ASSERT_TRUE(same(given.delta[to], expected.delta[from]));
    });
  }
}

}  // namespace
}  // namespace armilla::backend

int main(int argc, char** argv) { return armilla::test::mpi_main(argc, argv); }
