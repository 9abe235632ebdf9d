// The parts of the kernels for tensor cores, one by one, on the host; whole transforms are tested with the backend that
// launches them.
#include <cmath>
#include <random>
#include <vector>

#include "support/host_stage.hpp"
#include "support/ring_task.hpp"
#include <gtest/gtest.h>
#include <kernels/legendre/scalar_choices.hpp>
#include <kernels/legendre/tensor_adjoint_body.hpp>
#include <kernels/legendre/tensor_synthesis_body.hpp>

namespace armilla::kernels {
namespace {

using namespace test;

struct ProductLane {
  double a[2], b, c[4];
};

// As the PTX ISA lays out mma.m16n8k4 with .f64.
TEST(TensorStage, LanesMultiplyMatricesThatTheyHoldInParts) {
  std::mt19937_64 random(7);
  std::uniform_int_distribution<int> digits(-9, 9);  // exact in any order
  double a[16][4], b[4][8], c[16][8];
  for (auto& row : a)
    for (double& number : row) number = digits(random);
  for (auto& row : b)
    for (double& number : row) number = digits(random);
  for (auto& row : c)
    for (double& number : row) number = digits(random);
  std::vector<ProductLane> lanes(kWarp);
  for (int i = 0; i < kWarp; ++i) {
    ProductLane& lane = lanes[static_cast<std::size_t>(i)];
    lane.a[0] = a[i / 4][i % 4];
    lane.a[1] = a[i / 4 + 8][i % 4];
    lane.b = b[i % 4][i / 4];
    for (int n = 0; n < 4; ++n) lane.c[n] = c[i / 4 + n / 2 * 8][i % 4 * 2 + n % 2];
  }
  HostWarp<ProductLane> warp(lanes.data(), 0);
  warp.multiply_add([](const ProductLane& lane) { return lane.a; }, [](const ProductLane& lane) { return lane.b; },
                    [](ProductLane& lane) { return lane.c; });
  for (int row = 0; row < 16; ++row)
    for (int column = 0; column < 8; ++column) {
      double sum = c[row][column];
      for (int k = 0; k < 4; ++k) sum += a[row][k] * b[k][column];
      const ProductLane& lane = lanes[static_cast<std::size_t>(row % 8 * 4 + column / 2)];
      EXPECT_EQ(lane.c[row / 8 * 2 + column % 2], sum) << row << ", " << column;
    }
}

// A stage with its rows and coefficients.
struct TensorCase {
  explicit TensorCase(Index maps) : rings(0, 400, {0, 7, 200, 399}, even_angles(1800), maps, 5), host(rings.task) {
    run_blocks(EachThread{RowsBody{host.stage, CoefficientBlocks(host.stage, 1)}});
    const auto alm = rings.random_alm<double>(0);
    run_blocks(EachThread{LoadBody<0, double>{host.stage, CoefficientBlocks(host.stage, maps),
                                              reinterpret_cast<const ComplexNumber<double>*>(alm.data())}});
  }
  // 818 pairs in blocks of so many threads, the last one not full.
  void deal_out(int threads, int pairs_per_thread) {
    const auto& parts = host.tables.shape().parts();
    const Index begin = parts.wigner;
    const Index end = begin + 818;
    EXPECT_GT(parts.polar, end);
    PairBlocks& blocks = host.stage.pair_blocks;
    blocks.threads = threads;
    blocks.pairs_per_thread = pairs_per_thread;
    blocks.section_count = 1;
    const Index each = pairs_per_thread * threads;
    blocks.count = (end - begin + each - 1) / each;
    blocks.sections[0] = {RowKind::kPolar, core::Precision::kDouble, begin, end, each, blocks.count, 0};
  }
  RingTask rings;
  HostStage host;
};

// What threads do between two barriers, and what lanes do between two exchanges, has no order on a device; and which
// warp has which pairs decides no sum.
TEST(TensorStage, SumsDoNotDependOnTheOrderOfThreads) {
  TensorCase both(10);
  HostStage& host = both.host;
  const FieldGroups groups{0, 8, 2};
  const auto before = both.rings.random_delta<double>(0);
  const auto sums = [&](HostOrder order, int rotation) {
    both.deal_out(kMaxTensorWarps * kWarp, 2);
    std::vector<Two> own(static_cast<std::size_t>(2 * host.stage.chunk_steps() * 10 * host.stage.pair_blocks.count),
                         {0, 0});
    host.stage.partial_sums = own.data();
    auto delta = before;
    run_pair_blocks<TensorAdjointBody<RecurrenceForm::kTwoTerm, 2, 8>>(host, groups, host_delta(delta.data()), order,
                                                                       rotation);
    return own;
  };
  const auto values = [&](HostOrder order, int rotation) {
    both.deal_out(kMaxWarps * kWarp, 2);
    auto delta = before;
    run_pair_blocks<TensorSynthesisBody<RecurrenceForm::kTwoTerm, 2, 8>>(host, groups, host_delta(delta.data()), order,
                                                                         rotation);
    return delta;
  };
  const auto expected_sums = sums(HostOrder::kAscending, 0);
  const auto expected_values = values(HostOrder::kAscending, 0);
  EXPECT_NE(expected_values, before);
  EXPECT_TRUE(same(sums(HostOrder::kDescending, 0), expected_sums));
  EXPECT_EQ(values(HostOrder::kDescending, 0), expected_values);
  for (const int rotation : {1, 3}) {
    EXPECT_TRUE(same(sums(HostOrder::kAscending, rotation), expected_sums)) << rotation;
    EXPECT_EQ(values(HostOrder::kAscending, rotation), expected_values) << rotation;
  }
}

// Sums of a field are the same with four or eight together, with one or two pairs per thread.
TEST(TensorStage, SumsDoNotDependOnWhatGoesTogether) {
  TensorCase both(8);
  HostStage& host = both.host;
  const auto none = both.rings.random_delta<double>(0);
  const auto synthesis = [&]<int P, int G>() {
    auto delta = none;
    both.deal_out(kMaxWarps * kWarp, P);
    run_pair_blocks<TensorSynthesisBody<RecurrenceForm::kTwoTerm, P, G>>(
        host, FieldGroups{0, G, 8 / G}, host_delta(delta.data()), HostOrder::kAscending);
    return delta;
  };
  const auto expected = synthesis.operator()<2, 8>();
  EXPECT_NE(expected, none);
  EXPECT_EQ((synthesis.operator()<2, 4>()), expected);
  EXPECT_EQ((synthesis.operator()<1, 8>()), expected);
  EXPECT_EQ((synthesis.operator()<1, 4>()), expected);
}

// The order of sums of the adjoint depends on the grid alone; small transforms have one pair per thread of synthesis.
TEST(TensorStage, BlocksDependOnTheGridAndTheDevice) {
  const auto pairs_of = [](Index lmax, Index maps) {
    const RingTask rings(0, lmax, some_orders(lmax, 1), even_angles(static_cast<int>(lmax + 1) / 2), maps);
    const backend::ScalarStageShape shape(rings.task);
    EXPECT_EQ(shape.tensor_adjoint_blocks().pairs_per_thread, ScalarChoices::kMaxTensorPairs);
    return shape.tensor_synthesis_blocks(8, maps / 8, static_cast<Index>(rings.m.size())).pairs_per_thread;
  };
  EXPECT_EQ(pairs_of(127, 8), 1);
  EXPECT_EQ(pairs_of(511, 64), 2);
  EXPECT_EQ(pairs_of(4095, 8), 2);
}

}  // namespace
}  // namespace armilla::kernels
