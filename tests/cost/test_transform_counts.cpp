// The counts of the cost model against the plans that ranks compute with.
#include <armilla/cost/prediction.hpp>
#include <armilla/cost/transform_work.hpp>
#include <armilla/dist/exchange_plan.hpp>
#include <armilla/dist/work.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/transform/operation_count.hpp>

#include <gtest/gtest.h>

namespace armilla::cost {
namespace {

transform::FieldTransformSpec make_spec(grid::RingGrid grid, Index lmax, transform::FieldKind kind, Index maps,
                                        int ranks) {
  transform::FieldTransformSpec spec;
  spec.kind = std::move(kind);
  spec.alm = std::make_shared<dist::AlmDistribution>(alm::AlmLayout(lmax, lmax), ranks);
  spec.pixels =
      std::make_shared<dist::PixelDistribution>(std::make_shared<const grid::RingGrid>(std::move(grid)), ranks);
  spec.maps = maps;
  return spec;
}

struct Sums {
  Index total = 0, largest_pair = 0, largest_rank = 0, largest_buffer = 0;
};

/// By the exchange plans of all ranks.
Sums sum_of_plans(const transform::FieldTransformSpec& spec) {
  Sums sums;
  for (int rank = 0; rank < spec.alm->ranks(); ++rank) {
    std::vector<Index> send(core::at(spec.alm->ranks()), 0), receive(send);
    for (const transform::SpinField& field : spec.kind.spin_fields()) {
      const dist::ExchangePlan plan(*spec.alm, *spec.pixels, field.spin, field.components * spec.maps, rank);
      for (std::size_t other = 0; other < send.size(); ++other) {
        send[other] += plan.send_counts[other];
        receive[other] += plan.receive_counts[other];
      }
    }
    Index sent = 0, received = 0;
    for (int other = 0; other < spec.alm->ranks(); ++other) {
      sent += send[core::at(other)];
      received += receive[core::at(other)];
      if (other == rank) continue;
      sums.largest_pair = std::max(sums.largest_pair, send[core::at(other)]);
    }
    sums.largest_buffer = std::max({sums.largest_buffer, sent, received});
    sums.total += sent - send[core::at(rank)];
    sums.largest_rank = std::max({sums.largest_rank, sent - send[core::at(rank)], received - receive[core::at(rank)]});
  }
  return sums;
}

TEST(TransformCounts, BytesAreThoseOfTheExchangePlansOfAllRanks) {
  for (const int ranks : {1, 2, 3, 7, 40}) {
    for (const bool healpix : {true, false}) {
      const auto spec = make_spec(healpix ? grid::make_healpix(64) : grid::make_gauss(160, 320), 150,
                                  transform::FieldKind::temperature_polarisation(), 3, ranks);
      const Sums sums = sum_of_plans(spec);
      const Work work = TransformCounts(spec, 8).of({.synthesis = 1, .adjoint = 2});
      if (ranks == 1) {
        EXPECT_TRUE(work.exchanges.empty());
        continue;
      }
      ASSERT_EQ(work.exchanges.size(), 1U);
      const Exchange& exchange = work.exchanges.front();
      EXPECT_EQ(exchange.calls, 3);
      // Sums of whole numbers below 2^53.
      EXPECT_EQ(exchange.total_bytes, static_cast<double>(16 * sums.total));
      EXPECT_EQ(exchange.largest_pair_bytes, static_cast<double>(16 * sums.largest_pair));
      EXPECT_EQ(exchange.largest_rank_bytes, static_cast<double>(16 * sums.largest_rank));
      EXPECT_EQ(exchange.largest_buffer, sums.largest_buffer);
      EXPECT_EQ(work.exchanged_bytes(ExchangeKind::kDelta), static_cast<double>(3 * 16 * sums.total));
    }
  }
}

TEST(TransformCounts, OperationsOfRanksAreThoseOfTheCount) {
  for (const int ranks : {1, 5}) {
    const auto spec =
        make_spec(grid::make_gauss(200, 400), 199, transform::FieldKind::temperature_polarisation(), 2, ranks);
    double total = 0, largest = 0;
    for (int rank = 0; rank < ranks; ++rank) {
      const double own = transform::legendre_fma(spec, rank);
      total += own;
      largest = std::max(largest, own);
    }
    const TransformCounts counts(spec, 8);
    EXPECT_EQ(counts.legendre().total, total);
    EXPECT_EQ(counts.legendre().largest, largest);
    EXPECT_EQ(counts.legendre().imbalance(ranks), largest * ranks / total);
  }
}

TEST(TransformCounts, RingsAreThoseThatRanksOwn) {
  const auto spec = make_spec(grid::make_healpix(16), 32, transform::FieldKind::scalar(), 1, 3);
  double all = 0;
  for (const grid::Ring& ring : spec.pixels->grid().rings()) all += dist::ring_work(ring.nphi);
  double largest = 0;
  for (int rank = 0; rank < 3; ++rank) {
    double own = 0;
    for (const Index ring : spec.pixels->local_rings(rank))
      own += dist::ring_work(spec.pixels->grid().rings()[core::at(ring)].nphi);
    largest = std::max(largest, own);
  }
  const Load rings = TransformCounts(spec, 8).rings();
  EXPECT_NEAR(rings.total, all, 1e-9 * all);  // another order of the sum
  EXPECT_NEAR(rings.largest, largest, 1e-9 * largest);
}

TEST(TransformCounts, OtherRanksShareTheSameCounts) {
  const auto one = make_spec(grid::make_gauss(64, 128), 63, transform::FieldKind::scalar(), 1, 1);
  const auto many = make_spec(grid::make_gauss(64, 128), 63, transform::FieldKind::scalar(), 1, 9);
  const TransformCounts reused(TransformCounts(one, 8), many), fresh(many, 8);
  EXPECT_EQ(reused.legendre().largest, fresh.legendre().largest);
  EXPECT_EQ(reused.rings().largest, fresh.rings().largest);
  EXPECT_EQ(reused.volume().total, fresh.volume().total);
}

TEST(TransformCounts, OtherNumbersOfMapsShareTheSameCounts) {
  const auto kind = transform::FieldKind::temperature_polarisation();
  const auto one = make_spec(grid::make_gauss(64, 128), 63, kind, 1, 3);
  const auto many = make_spec(grid::make_gauss(64, 128), 63, kind, 7, 3);
  const TransformCounts reused(TransformCounts(one, 8), many), fresh(many, 8);
  EXPECT_EQ(reused.legendre().total, fresh.legendre().total);
  EXPECT_EQ(reused.volume().total, fresh.volume().total);
  EXPECT_EQ(reused.of({.synthesis = 1}).items.front().maps, 7);
}

// Maps go to ranks as a whole: two ranks have two of five maps, one has one.
TEST(TransformCounts, WholeMapsAreExchangedInsteadOfDelta) {
  const auto spec = make_spec(grid::make_gauss(64, 128), 63, transform::FieldKind::scalar(), 5, 3);
  const TransformCounts counts(spec, 8);
  const Work work = counts.of_whole_maps({.adjoint = 1});
  EXPECT_EQ(work.exchanged_bytes(ExchangeKind::kDelta), 0);
  // Two thirds of the pixels and of the coefficients of each map are on other ranks.
  EXPECT_NEAR(work.exchanged_bytes(ExchangeKind::kEstimated), 5 * (8.0 * 64 * 128 + 16.0 * 64 * 65 / 2) * 2 / 3, 1);
  EXPECT_EQ(work.items.front().load.total, counts.legendre().total);
  EXPECT_EQ(work.items.front().load.largest, counts.legendre().total * 2 / 5);
  const auto alone = make_spec(grid::make_gauss(64, 128), 63, transform::FieldKind::scalar(), 5, 1);
  EXPECT_TRUE(TransformCounts(alone, 8).of_whole_maps({.adjoint = 1}).exchanges.empty());
}

// More ranks than m and ring pairs: the rest has nothing, and nothing is lost.
TEST(TransformCounts, SixteenThousandRanksAreCounted) {
  const auto spec = make_spec(grid::make_gauss(2048, 4096), 2047, transform::FieldKind::scalar(), 1, 16384);
  const auto few = make_spec(grid::make_gauss(2048, 4096), 2047, transform::FieldKind::scalar(), 1, 2);
  const TransformCounts counts(spec, 8);
  EXPECT_EQ(counts.legendre().total, TransformCounts(few, 8).legendre().total);
  Index sent = 0;
  for (const Index own : counts.volume().send) sent += own;
  Index received = 0;
  for (const Index own : counts.volume().receive) received += own;
  EXPECT_EQ(sent, received);
  EXPECT_EQ(
      counts.volume().total +
          [&] {
            Index own = 0;
            for (const Index stays : counts.volume().own) own += stays;
            return own;
          }(),
      sent);
  EXPECT_GT(counts.legendre().imbalance(16384), 7.9);  // 2048 m on 16384 ranks
}

}  // namespace
}  // namespace armilla::cost
