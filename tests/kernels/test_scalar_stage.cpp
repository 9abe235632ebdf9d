// The parts of the kernels of the scalar recurrence, one by one, on the host; whole transforms are tested with the
// backend that launches them.
#include <armilla/backend/scalar_stage_tables.hpp>
#include <armilla/legendre/scalar_tables.hpp>

#include <cmath>
#include <complex>
#include <cstring>
#include <random>
#include <vector>

#include "support/host_stage.hpp"
#include "support/ring_task.hpp"
#include <gtest/gtest.h>
#include <kernels/core/host_team.hpp>
#include <kernels/legendre/adjoint_body.hpp>
#include <kernels/legendre/coefficients_body.hpp>
#include <kernels/legendre/synthesis_body.hpp>

namespace armilla::kernels {
namespace {

using namespace test;

void expect_near(const Two& value, double a, double b, const char* what, Index k, Index step) {
  ASSERT_NEAR(value.a, a, 1e-15 * std::abs(a)) << what << ", own m " << k << ", step " << step;
  ASSERT_NEAR(value.b, b, 1e-15 * std::abs(b)) << what << ", own m " << k << ", step " << step;
}

TEST(ScalarStage, RowsAreThoseOfTheCpu) {
  for (const Index spin : {0, 3}) {
    const RingTask rings(spin, 601, some_orders(601, 7), even_angles(30), 1);
    HostStage host(rings.task);
    run_blocks(EachThread{RowsBody{host.stage, CoefficientBlocks(host.stage, 1)}});
    const legendre::DegreeTables degrees(spin, 601);
    legendre::ScalarTables expected(degrees);
    for (Index k = 0; k < static_cast<Index>(rings.m.size()); ++k) {
      const Index m = rings.m[static_cast<std::size_t>(k)];
      expected.set(m, true, true);
      const Index begin = host.stage.first_step(k);
      for (Index step = 0; step < expected.steps(); ++step) {
        const auto at = [&](RowKind kind, Index i) {
          return host.rows[static_cast<std::size_t>(kind)][static_cast<std::size_t>(i)];
        };
        const double* polar = expected.rows_polar() + 2 * step;
        const double* square = expected.rows() + 2 * step;
        const double* equator = expected.rows_equator() + 2 * step;
        expect_near(at(RowKind::kPolar, begin + step), polar[0], polar[1], "polar", k, step);
        expect_near(at(RowKind::kSquare, begin + step), square[0], square[1], "square", k, step);
        expect_near(at(RowKind::kEquator, 2 * (begin + step)), equator[0], equator[1], "equator", k, step);
      }
    }
  }
}

TEST(ScalarStage, CoefficientsAreThoseOfTheCpu) {
  for (const Index spin : {0, 1, 2, 3}) {
    const RingTask rings(spin, 301, some_orders(301, 5), even_angles(30), 2);
    HostStage host(rings.task);
    const auto alm = rings.random_alm<double>(std::complex<double>(std::nan(""), 0));
    const auto load = [&]<int kSpin>() {
      run_blocks(EachThread{LoadBody<kSpin, double>{host.stage, CoefficientBlocks(host.stage, 2),
                                                    reinterpret_cast<const ComplexNumber<double>*>(alm.data())}});
    };
    if (spin == 0) load.operator()<0>();
    if (spin == 1) load.operator()<1>();
    if (spin == 2) load.operator()<2>();
    if (spin == 3) load.operator()<3>();
    const legendre::DegreeTables degrees(spin, 301);
    legendre::ScalarTables expected(degrees);
    legendre::SpinScratch scratch;
    for (Index k = 0; k < static_cast<Index>(rings.m.size()); ++k)
      for (Index map = 0; map < 2; ++map) {
        expected.set(rings.m[static_cast<std::size_t>(k)], false, false);
        const auto stride = static_cast<std::size_t>(expected.field_stride());
        std::vector<double> fields(2 * stride + 8);
        if (spin == 0)
          expected.load(rings.task.coefficients(alm.data(), k, 0, map), fields.data());
        else
          expected.load(rings.task.coefficients(alm.data(), k, 0, map), rings.task.coefficients(alm.data(), k, 1, map),
                        scratch, fields.data(), fields.data() + stride);
        double most = 0;
        for (const double value : fields) most = std::max(most, std::abs(value));
        for (Index c = 0; c < rings.task.components; ++c) {
          const Two* own = host.stage.coefficients + host.stage.field_begin(k, map * rings.task.components + c);
          for (Index step = 0; step < host.stage.steps(k); ++step)
            for (std::size_t q = 0; q < 4; ++q) {
              const bool there = step < expected.steps();
              const double value =
                  there ? fields[static_cast<std::size_t>(c) * stride + 4 * static_cast<std::size_t>(step) + q] : 0;
              const Two& pair = own[2 * step + (q < 2 ? 0 : 1)];
              ASSERT_NEAR(q % 2 == 0 ? pair.a : pair.b, value, 3e-15 * most) << "spin " << spin << " step " << step;
            }
        }
      }
  }
}

TEST(ScalarStage, LooksAreThoseOfTheCpu) {
  for (Index step = 0, look = 0; look < 3000; ++step) {
    // legendre/simd-inl.hpp
    const Index interval = look < 16 ? 2 : look < 64 ? 4 : 8;
    look = (look / interval + 1) * interval;
    EXPECT_TRUE(is_look(look)) << look;
    for (Index k = look + 2; k < look + (look < 16 ? 2 : look < 64 ? 4 : 8); k += 2) EXPECT_FALSE(is_look(k)) << k;
  }
}

// Every double that a float has room for, cut to 24 bits; what is below the least one is 0.
TEST(ScalarStage, FactorsInFloatAreRecurrenceValuesCutShort) {
  using Single = SumNumbers<float>;
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> mantissa(1, 2);
  for (int exponent = -140; exponent < 128; ++exponent)
    for (const double sign : {-1.0, 1.0}) {
      const double y = std::ldexp(sign * mantissa(random), exponent);
      const float factor = Single::factor(y * Single::kScale);
      EXPECT_EQ(factor, Single::careful_factor(y));
      const double unit = std::ldexp(1.0, std::max(exponent, -126) - 23);
      EXPECT_EQ(static_cast<double>(factor), std::trunc(y / unit) * unit) << y;
    }
  EXPECT_EQ(Single::factor(0.0), 0.0f);
  EXPECT_EQ(Single::careful_factor(0x1p-160), 0.0f);
}

struct SumLane {
  double sum[kReduced];
};

TEST(ScalarStage, LanesAreAddedAsATreeOverTheirBits) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  std::vector<SumLane> lanes(kWarp);
  for (SumLane& lane : lanes)
    for (double& value : lane.sum) value = normal(random);
  const std::vector<SumLane> before = lanes;
  std::vector<SumLane> turned = lanes;
  for (std::size_t lane = 0; lane < kWarp; ++lane)
    for (std::size_t i = 0; i < kReduced; ++i) turned[lane].sum[i] = before[lane].sum[i ^ (lane / 8 * 4)];
  HostWarp<SumLane> warp(lanes.data(), 0);
  reduce<0>(warp);
  HostWarp<SumLane> turned_warp(turned.data(), 0);
  reduce<2>(turned_warp);
  for (std::size_t i = 0; i < kReduced; ++i) {
    double values[kWarp];
    for (std::size_t lane = 0; lane < kWarp; ++lane) values[lane] = before[lane].sum[i];
    for (std::size_t half = kWarp / 2; half > 0; half /= 2)
      for (std::size_t lane = 0; lane < half; ++lane) values[lane] += values[lane + half];
    EXPECT_EQ(lanes[2 * i].sum[0], values[0]);
    EXPECT_EQ(lanes[2 * i + 1].sum[0], values[0]);
    EXPECT_EQ(turned[2 * i].sum[0], values[0]);
    EXPECT_EQ(turned[2 * i + 1].sum[0], values[0]);
  }
}

TEST(ScalarStage, EveryPairThatFeelsAnMIsOfOneLane) {
  for (const int pairs : {1, 2, 31, 130, 700, 2100})
    for (const Index spin : {0, 2}) {
      RingTask rings(spin, 300, {0, 1, 100, 300}, even_angles(pairs), 1);
      for (std::size_t k = 0; k < rings.m.size(); ++k) rings.first[k] = static_cast<Index>(k) * (pairs - 1) / 3;
      HostStage host(rings.task);
      const auto own_m = static_cast<Index>(rings.m.size());
      const backend::ScalarStageShape shape(rings.task);
      const backend::ScalarStageShape single(rings.task, core::Precision::kSingle);
      for (const PairBlocks& blocks :
           {shape.adjoint_blocks(), shape.synthesis_blocks(1, 1, own_m), shape.synthesis_blocks(4, 16, own_m),
            single.adjoint_blocks(), single.synthesis_blocks(1, 1, own_m), single.synthesis_blocks(4, 16, own_m),
            shape.tensor_adjoint_blocks(), shape.tensor_synthesis_blocks(4, 1, own_m),
            shape.tensor_synthesis_blocks(8, 8, own_m)}) {
        host.stage.pair_blocks = blocks;
        const FieldGroups groups{2, 3, 2};
        std::vector<int> count(static_cast<std::size_t>(4 * pairs), 0);
        for (Index number = 0; number < 4 * blocks.count * groups.groups; ++number) {
          const BlockWork work = BlockWork::of(host.stage, groups, number);
          EXPECT_EQ(work.first_field, 2 + 3 * (number % 2));
          if (work.first_field != 2 || work.idle(host.stage)) continue;
          const bool mixed = blocks.sums == core::Precision::kSingle && work.exact();
          const int exact = mixed ? exact_pairs(blocks.pairs_per_thread) : blocks.pairs_per_thread;
          const int each = work.form() == RecurrenceForm::kEquator ? 1 : exact;
          for (int warp = 0; warp < blocks.threads / kWarp; ++warp) {
            const LanePairs own(host.stage, work, warp, each);
            if (own.idle(each)) continue;
            for (int p = 0; p < each; ++p)
              for (int lane = 0; lane < kWarp; ++lane) {
                const Index pair = own.place(p, lane);
                EXPECT_TRUE(own.real(own.nearest(pair)));
                if (own.real(pair)) ++count[static_cast<std::size_t>(work.k * pairs + pair)];
              }
          }
        }
        for (Index k = 0; k < 4; ++k)
          for (Index pair = 0; pair < pairs; ++pair) {
            const bool feels = pair >= rings.first[static_cast<std::size_t>(k)] && pair >= shape.parts().wigner;
            ASSERT_EQ(count[static_cast<std::size_t>(k * pairs + pair)], feels ? 1 : 0)
                << pairs << " pairs, m " << k << ", pair " << pair;
          }
      }
    }
}

TEST(ScalarStage, OrderOfSumsDependsOnTheGridAlone) {
  const auto theta = even_angles(700);
  const RingTask all(0, 1399, some_orders(1399, 1), theta, 1);
  const RingTask few(0, 1399, {3, 800}, theta, 64);
  const PairBlocks a = backend::ScalarStageShape(all.task).adjoint_blocks();
  const PairBlocks b = backend::ScalarStageShape(few.task).adjoint_blocks();
  EXPECT_EQ(a.threads, b.threads);
  EXPECT_EQ(a.pairs_per_thread, b.pairs_per_thread);
  EXPECT_EQ(a.count, b.count);
}

TEST(ScalarStage, RangesHaveAllOrdersAndFitTheirMemory) {
  const RingTask rings(2, 300, some_orders(300, 1), even_angles(151), 3);
  const backend::ScalarStageShape shape(rings.task);
  for (const auto direction : {backend::Direction::kSynthesis, backend::Direction::kAdjoint})
    for (const Index bytes : {Index{1}, Index{200000}, Index{1} << 40}) {
      Index next = 0;
      for (const auto& range : shape.ranges(direction, bytes)) {
        EXPECT_EQ(range.begin, next);
        next = range.end;
        if (range.end > range.begin + 1) {
          EXPECT_LE(shape.work(range, direction) * static_cast<Index>(sizeof(Two)), bytes);
        }
        EXPECT_LE(shape.work(range, direction), shape.max_work(bytes));
      }
      EXPECT_EQ(next, 301);
      EXPECT_EQ(shape.ranges(direction, bytes).size() == 1, bytes > 1000000);
    }
}

// What threads do between two barriers has no order on a device, and which warp has which pairs decides no sum.
TEST(ScalarStage, SumsDoNotDependOnTheOrderOfThreads) {
  const RingTask rings(0, 400, {0, 7, 200, 399}, even_angles(1800), 2, 5);
  HostStage host(rings.task);
  run_blocks(EachThread{RowsBody{host.stage, CoefficientBlocks(host.stage, 1)}});
  const auto alm = rings.random_alm<double>(0);
  run_blocks(EachThread{LoadBody<0, double>{host.stage, CoefficientBlocks(host.stage, 2),
                                            reinterpret_cast<const ComplexNumber<double>*>(alm.data())}});
  const auto& parts = host.tables.shape().parts();
  for (const int threads : {96, 128}) {
    PairBlocks& blocks = host.stage.pair_blocks;
    blocks.threads = threads;
    blocks.pairs_per_thread = 2;
    blocks.section_count = 1;
    blocks.count = 4;
    blocks.sections[0] = {RowKind::kPolar, core::Precision::kDouble, parts.wigner, parts.polar, 2 * threads, 4, 0};
    ASSERT_GT(parts.polar - parts.wigner, 3 * 2 * threads);
    const FieldGroups groups{0, 1, 2};
    const auto before = rings.random_delta<double>(0);
    const auto sums = [&](HostOrder order, int rotation) {
      std::vector<Two> own(static_cast<std::size_t>(2 * host.stage.chunk_steps() * 2 * blocks.count), {0, 0});
      host.stage.partial_sums = own.data();
      auto delta = before;
      run_pair_blocks<AdjointBody<RecurrenceForm::kTwoTerm, 2, 1>>(host, groups, host_delta(delta.data()), order,
                                                                   rotation);
      return own;
    };
    const auto values = [&](HostOrder order, int rotation) {
      auto delta = before;
      run_pair_blocks<SynthesisBody<RecurrenceForm::kTwoTerm, 2, 1>>(host, groups, host_delta(delta.data()), order,
                                                                     rotation);
      return delta;
    };
    const auto expected_sums = sums(HostOrder::kAscending, 0);
    const auto expected_values = values(HostOrder::kAscending, 0);
    EXPECT_NE(expected_values, before);
    EXPECT_TRUE(same(sums(HostOrder::kDescending, 0), expected_sums));
    EXPECT_EQ(values(HostOrder::kDescending, 0), expected_values);
    for (int rotation = 1; rotation < threads / kWarp; ++rotation) {
      EXPECT_TRUE(same(sums(HostOrder::kAscending, rotation), expected_sums)) << rotation;
      EXPECT_EQ(values(HostOrder::kAscending, rotation), expected_values) << rotation;
    }
  }
}

// Sizes that the kernels are meant for.
TEST(ScalarStage, LargeTransformsHaveFourPairsAThread) {
  const RingTask large(0, 4095, some_orders(4095, 1), even_angles(2048), 1);
  const backend::ScalarStageShape shape(large.task);
  const auto own_m = static_cast<Index>(large.m.size());
  EXPECT_EQ(shape.synthesis_blocks(1, 1, own_m).pairs_per_thread, 4);
  EXPECT_EQ(shape.synthesis_blocks(1, 1, own_m).count, 17);  // each of one warp, the last one for the equator
  EXPECT_EQ(shape.adjoint_blocks().pairs_per_thread, 4);
}

// The longest warp takes no longer than all of them together would; a batch has warps enough.
TEST(ScalarStage, SmallTransformsHaveFewPairsAThread) {
  const auto pairs_of = [](Index lmax, Index groups) {
    const RingTask rings(0, lmax, some_orders(lmax, 1), even_angles(static_cast<int>(lmax + 1) / 2), 1);
    const auto own_m = static_cast<Index>(rings.m.size());
    return backend::ScalarStageShape(rings.task).synthesis_blocks(1, groups, own_m).pairs_per_thread;
  };
  EXPECT_EQ(pairs_of(31, 1), 1);
  EXPECT_EQ(pairs_of(255, 1), 2);
  EXPECT_EQ(pairs_of(511, 1), 4);
  EXPECT_EQ(pairs_of(1023, 1), 4);
  EXPECT_EQ(pairs_of(511, 8), 4);
}

}  // namespace
}  // namespace armilla::kernels
