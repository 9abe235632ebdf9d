// Weights of pixels where maps stand on the device: the bits of the host, and no map is carried over.
#include <armilla/grid/makers.hpp>
#include <armilla/ops/analysis.hpp>
#include <armilla/ops/analysis_weights.hpp>
#include <armilla/ops/pixel_weights.hpp>
#include <armilla/ops/solvers/fit_weights.hpp>

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <kernels/core/emulation.hpp>
#include <support/fields.hpp>

namespace armilla::ops {
namespace {

constexpr Index kTwoMaps = 2;

template <class T>
class WeightsOnDevice : public testing::Test {
 protected:
  using Map = transform::MapField<T>;

  WeightsOnDevice() : comm(comm::Communicator::world()) {}

  transform::FieldTransformSpec spec_on(const grid::RingGrid& grid) const {
    auto spec = test::make_spec(transform::FieldKind::temperature_polarisation(),
                                std::make_shared<grid::RingGrid>(grid), alm::AlmLayout(15, 12), comm.size(), kTwoMaps);
    spec.backend = backend::Kind::kCuda;
    return spec;
  }
  // Numbers of every magnitude.
  Map make_map(const transform::FieldTransformSpec& spec, std::uint64_t seed) const {
    Map map(spec.kind, spec.pixels, comm.rank(), kTwoMaps);
    test::fill_map(map, [&](Index k, Index c, Index p) {
      return static_cast<T>(
          std::ldexp(test::noise(seed, static_cast<std::uint64_t>(p), static_cast<std::uint64_t>(8 * k + c)),
                     static_cast<int>((p + c) % 30) - 20));
    });
    return map;
  }
  static std::size_t bytes_of(const Map& map) { return std::as_const(map).data().size() * sizeof(T); }

  comm::Communicator comm;
};

using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(WeightsOnDevice, Precisions);

TYPED_TEST(WeightsOnDevice, SquaresAreThoseOfTheHost) {
  using T = TypeParam;
  for (const grid::RingGrid& grid : {grid::make_healpix(32), grid::make_gauss(90, 180), grid::make_gauss(5, 9)}) {
    const auto spec = this->spec_on(grid);
    transform::FieldTransform<T> transform(this->comm, spec);
    const auto here = this->make_map(spec, 3);
    const auto there = this->make_map(spec, 3);
    std::vector<double> of_rings;
    for (std::size_t ring = 0; ring < grid.rings().size(); ++ring)
      of_rings.push_back(1 + static_cast<double>(ring % 7));
    transform::MapField<T> mask(transform::FieldKind::scalar(), spec.pixels, this->comm.rank(), 1);
    test::fill_map(mask, [](Index, Index, Index p) { return p % 11 == 3 ? T{0} : T{1}; });
    transform::MapField<T> depth(spec.kind, spec.pixels, this->comm.rank(), kTwoMaps);
    test::fill_map(depth, [](Index k, Index c, Index p) { return static_cast<T>(1 + (k + 2 * c) * (p % 5)); });
    const std::vector<FitMaps<T>> weighed_by{{}, {&mask, nullptr}, {nullptr, &depth}, {&mask, &depth}};
    for (std::size_t i = 0; i < weighed_by.size(); ++i) {
      const FitWeights<T> weights(this->comm, here, PixelCount::kArea, of_rings, weighed_by[i]);
      EXPECT_EQ(weights.by_ring(), i == 0);
      const auto expected = weights.squares(this->comm, here);
      there.read(transform.memory());
      weights.squares(this->comm, there);  // carries the weights over
      const std::size_t before = kernels::emulation().copied;
      const auto found = weights.squares(this->comm, there);
      // Tables of rings and systems, and sums of blocks.
      if (here.local_size() > 4000) {
        EXPECT_LT(kernels::emulation().copied - before, this->bytes_of(here) / 4);
      }
      EXPECT_EQ(there.memory()->space(), core::MemorySpace::kDevice);
      EXPECT_EQ(here.memory()->space(), core::MemorySpace::kHost);
      ASSERT_EQ(found, expected) << "weights " << i;
      for (const double square : found) EXPECT_GT(square, 0);
    }
  }
}

// Against sums in another way, to rounding.
TYPED_TEST(WeightsOnDevice, SquaresAreWeighedSums) {
  using T = TypeParam;
  const auto spec = this->spec_on(grid::make_healpix(16));
  const auto map = this->make_map(spec, 3);
  transform::MapField<T> depth(spec.kind, spec.pixels, this->comm.rank(), 1);
  test::fill_map(depth, [](Index, Index c, Index p) { return static_cast<T>(1 + (2 * c + p) % 5); });
  const FitWeights<T> weights(this->comm, map, PixelCount::kUniform, {}, {nullptr, &depth});
  auto weighed = this->make_map(spec, 3);
  weights.multiply(weighed, weighed.memory());
  std::vector<double> expected(2 * kTwoMaps, 0.0);
  for (Index k = 0; k < kTwoMaps; ++k)
    for (Index c = 0; c < 3; ++c) {
      const auto numbers = std::as_const(map).component(k, c);
      const auto products = std::as_const(weighed).component(k, c);
      for (std::size_t i = 0; i < numbers.size(); ++i)
        expected[static_cast<std::size_t>(2 * k + (c == 0 ? 0 : 1))] +=
            static_cast<double>(numbers[i]) * static_cast<double>(products[i]);
    }
  this->comm.sum(std::span<double>(expected));
  const auto found = weights.squares(this->comm, map);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t s = 0; s < found.size(); ++s)
    EXPECT_NEAR(found[s], expected[s], (sizeof(T) == 4 ? 1e-6 : 1e-13) * expected[s]);
}

TYPED_TEST(WeightsOnDevice, PixelWeightsAreThoseOfTheHost) {
  using T = TypeParam;
  for (const Index nside : {1, 6, 32}) {
    const auto spec = this->spec_on(grid::make_healpix(nside));
    const PixelWeights weights(this->comm, spec.pixels, nside);
    transform::FieldTransform<T> transform(this->comm, spec);
    const auto from = this->make_map(spec, 3);
    auto here = this->make_map(spec, 4);
    auto there = this->make_map(spec, 5);
    weights.multiply(from, here, backend::host_memory());
    from.read(transform.memory());
    weights.multiply(from, there, transform.memory());
    const std::size_t before = kernels::emulation().copied;
    weights.multiply(from, there, transform.memory());
    if (nside == 32) {
      EXPECT_LT(kernels::emulation().copied - before, this->bytes_of(from) / 8);
    }
    EXPECT_EQ(there.memory()->space(), core::MemorySpace::kDevice);
    Index changed = 0;
    for (Index i = 0; i < static_cast<Index>(here.data().size()); ++i) {
      const auto p = static_cast<std::size_t>(i);
      ASSERT_EQ(std::as_const(there).data()[p], std::as_const(here).data()[p]);
      if (here.data()[p] != std::as_const(from).data()[p]) ++changed;
    }
    EXPECT_TRUE(changed > 0 || nside == 1 || here.data().empty());  // those of nside 1 are all alike
    auto own = this->make_map(spec, 3);
    own.read(transform.memory());
    weights.multiply(own, own, transform.memory());  // in place
    for (std::size_t p = 0; p < here.data().size(); ++p)
      ASSERT_EQ(std::as_const(own).data()[p], std::as_const(here).data()[p]);
  }
}

// Of one rank, which exchanges nothing: from iteration to iteration only tables go there, and sums come back.
TYPED_TEST(WeightsOnDevice, IterationsLeaveMapsThere) {
  using T = TypeParam;
  if (this->comm.size() > 1) return;
  const auto spec = this->spec_on(grid::make_healpix(32));
  transform::MapField<T> depth(spec.kind, spec.pixels, 0, 1);
  test::fill_map(depth, [](Index, Index, Index p) { return static_cast<T>(1 + p % 5); });
  const auto copied = [&](AnalysisMethod method, const FitMaps<T>& maps, Index iterations) {
    if (auto* lsmr = std::get_if<Lsmr>(&method.solver)) {
      lsmr->tolerance = sizeof(T) == 4 ? 1e-5 : 1e-12;
      lsmr->max_iterations = iterations;
    } else {
      method.solver = Jacobi{iterations};
    }
    transform::FieldTransform<T> transform(this->comm, spec);
    const auto map = this->make_map(spec, 3);
    transform::AlmField<T> alm(spec.kind, spec.alm, 0, kTwoMaps);
    test::poison(alm);
    const std::size_t before = kernels::emulation().copied;
    for (const AnalysisOutcome& outcome : analysis(transform, map, alm, method, maps))
      EXPECT_EQ(outcome.iterations, iterations);
    return kernels::emulation().copied - before;
  };
  const std::size_t bytes = this->bytes_of(this->make_map(spec, 3));
  const AnalysisMethod by_lsmr{.weights = {}, .solver = Lsmr{}};
  const AnalysisMethod by_pixel{.weights = {.kind = WeightKind::kPixel}, .solver = Jacobi{}};
  for (const auto& [method, maps] : {std::pair{by_lsmr, FitMaps<T>{}}, std::pair{by_lsmr, FitMaps<T>{nullptr, &depth}},
                                     std::pair{by_pixel, FitMaps<T>{}}}) {
    const std::size_t few = copied(method, maps, 1);
    const std::size_t more = copied(method, maps, 2);
    EXPECT_GT(few, bytes);
    EXPECT_LT(more - few, bytes / 4) << "of one iteration";
  }
}

}  // namespace
}  // namespace armilla::ops
