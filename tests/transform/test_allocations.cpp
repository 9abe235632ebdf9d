// Nothing is allocated from m to m or from ring to ring: a second transform allocates nothing at all. An allocation
// that fails in a thread of a parallel region is an exception of the caller, not the end of the program.
#include <armilla/fft/ring_transform.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/legendre/engine.hpp>
#include <armilla/math/even_cosines.hpp>
#include <armilla/transform/spin_tables.hpp>

#include <algorithm>
#include <atomic>
#include <complex>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>
#include <vector>

#include <gtest/gtest.h>

namespace {

std::atomic<long> allocations{0};
std::atomic<long> until_failure{-1};  // number of allocations before the one that fails; negative: none fails

void* counted(std::size_t size, std::size_t alignment) {
  ++allocations;
  if (until_failure.load() >= 0 && until_failure.fetch_sub(1) == 0) throw std::bad_alloc();
  const std::size_t whole = (size + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, whole == 0 ? alignment : whole);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

// Of std::stable_sort and its like, which do without where there is none.
void* counted_or_null(std::size_t size) noexcept {
  try {
    return counted(size, alignof(std::max_align_t));
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

}  // namespace

void* operator new(std::size_t size) { return counted(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return counted_or_null(size); }
// Inlined, they look to GCC 12 at -O1 like a free() of what operator new gave.
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace armilla::transform {
namespace {

TEST(Allocations, AreCounted) {
  const long before = allocations;
  const auto number = std::make_unique<int>(1);
  EXPECT_EQ(*number, 1);
  EXPECT_EQ(allocations - before, 1);
}

TEST(Allocations, ASecondTransformMakesNone) {
  for (const Index spin : {0, 2, 5}) {
    for (const Index maps : {1, 4}) {
      SCOPED_TRACE("spin " + std::to_string(spin) + ", maps " + std::to_string(maps));
      FieldTransformSpec spec;
      spec.kind = spin == 0 ? FieldKind::scalar() : FieldKind::spin(spin);
      spec.alm = std::make_shared<dist::AlmDistribution>(alm::AlmLayout(127, 127), 1);
      spec.pixels =
          std::make_shared<dist::PixelDistribution>(std::make_shared<grid::RingGrid>(grid::make_healpix(64)), 1);
      spec.maps = maps;
      const SpinTables tables(spec, spec.kind.spin_fields().front(), 0);
      const auto engine = legendre::make_engine<double>("fast", tables.legendre_task());
      fft::RingTransform<double> rings(tables.ring_task(), std::make_shared<fft::PlanCache<double>>());
      std::vector<std::complex<double>> alm(static_cast<std::size_t>(tables.alm_stride * maps), 1.0);
      std::vector<std::complex<double>> delta(static_cast<std::size_t>(tables.exchange.send_size));
      std::vector<double> map(static_cast<std::size_t>(tables.map_stride * maps));
      long made = -1;
      // Threads take what is next: the first rounds bring every thread's memory to its full size.
      for (int round = 0; round < 6 && made != 0; ++round) {
        const long before = allocations;
        engine->synthesis(alm.data(), delta.data(), {});
        rings.synthesis(delta.data(), map.data());
        rings.adjoint(map.data(), {}, delta.data());
        engine->adjoint(delta.data(), alm.data(), {});
        made = allocations - before;
      }
      EXPECT_EQ(made, 0);
    }
  }
}

TEST(Allocations, ASecondExactQuadratureMakesNone) {
  using backend::ThetaResampling;
  for (const auto resampling : {ThetaResampling::kOff, ThetaResampling::kOn}) {
    FieldTransformSpec spec;
    spec.kind = FieldKind::polarisation();
    spec.alm = std::make_shared<dist::AlmDistribution>(alm::AlmLayout(126, 126), 1);
    const auto grid = std::make_shared<grid::RingGrid>(grid::make_equiangular("dh", 127, 256));
    spec.pixels = std::make_shared<dist::PixelDistribution>(grid, 1);
    spec.options.theta_resampling = resampling;
    const SpinTables tables(spec, spec.kind.spin_fields().front(), 0);
    const auto context = backend::make_context<double>(backend::Kind::kCpu, {});
    const auto backend = context->make_stages(spec.options, tables.legendre_task(), tables.ring_task(), {},
                                              grid->analysis_limits().circle);
    std::vector<std::complex<double>> alm(static_cast<std::size_t>(tables.alm_stride), 1.0);
    std::vector<std::complex<double>> delta(static_cast<std::size_t>(tables.exchange.send_size));
    long made = -1;
    for (int round = 0; round < 6 && made != 0; ++round) {
      const long before = allocations;
      backend->legendre_adjoint_analysis(alm.data(), delta.data(), {});
      backend->legendre_analysis(delta.data(), alm.data(), {});
      made = allocations - before;
    }
    EXPECT_EQ(made, 0) << "resampling " << name_of(resampling);
  }
}

// Calls work(again), each time with another allocation that fails, until none fails; work throws std::bad_alloc each
// time but the last. `make` makes what it works with.
template <class Make, class Work>
void expect_each_failure_to_be_thrown(const Make& make, const Work& work) {
  long failures = 0;
  for (bool has_failed = true; has_failed; ++failures) {
    auto object = make();
    until_failure = failures;
    bool is_thrown = false;
    try {
      work(*object);
    } catch (const std::bad_alloc&) {
      is_thrown = true;
    }
    has_failed = until_failure.exchange(-1) < 0;
    ASSERT_EQ(is_thrown, has_failed) << "allocation " << failures;
    work(*object);
  }
  EXPECT_GT(failures, 3);
}

TEST(Allocations, AFailureInRingTransformsIsThrown) {
  FieldTransformSpec spec;
  spec.kind = FieldKind::scalar();
  spec.alm = std::make_shared<dist::AlmDistribution>(alm::AlmLayout(95, 95), 1);
  spec.pixels = std::make_shared<dist::PixelDistribution>(std::make_shared<grid::RingGrid>(grid::make_healpix(32)), 1);
  const SpinTables tables(spec, spec.kind.spin_fields().front(), 0);
  std::vector<std::complex<double>> delta(static_cast<std::size_t>(tables.exchange.send_size), 1.0);
  std::vector<double> map(static_cast<std::size_t>(tables.map_stride)), first;
  expect_each_failure_to_be_thrown(
      [&] {
        return std::make_unique<fft::RingTransform<double>>(tables.ring_task(),
                                                            std::make_shared<fft::PlanCache<double>>());
      },
      [&](fft::RingTransform<double>& rings) {
        std::ranges::fill(map, std::numeric_limits<double>::quiet_NaN());
        rings.synthesis(delta.data(), map.data());
        if (first.empty()) first = map;
        EXPECT_EQ(map, first);
      });
}

TEST(Allocations, AFailureInProductsWithCosinesIsThrown) {
  const std::vector<long double> theta{0.1L, 0.4L, 0.7L, 1.1L, 1.2L, 1.3L, 1.4L, 1.5L, 1.6L, 1.7L};
  const std::vector<double> ones(theta.size(), 1.0);
  const auto make = [&] { return std::make_unique<math::EvenCosines<double>>(theta, 7); };
  std::vector<double> rows(7), columns(theta.size());
  expect_each_failure_to_be_thrown(make, [&](auto& cosines) { cosines.apply(ones, rows); });
  expect_each_failure_to_be_thrown(make, [&](auto& cosines) { cosines.apply_transposed(rows, columns); });
}

}  // namespace
}  // namespace armilla::transform
