#include <armilla/armilla.hpp>

#include <algorithm>
#include <complex>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "support/mpi_main.hpp"
#include "support/refusal.hpp"
#include <gtest/gtest.h>

namespace armilla {
namespace {

using test::expect_refusal;

using core::at;

TransformSpec adopted_spec() {
  return {.grid = make_healpix(16), .lmax = 40, .fields = FieldKind::temperature_polarisation(), .maps = 2};
}

/// Memory of a program that is aligned to nothing but the size of a value.
template <class Value>
struct Odd {
  explicit Odd(std::size_t count) : memory(count + 1) {}
  std::span<Value> values() { return std::span(memory).subspan(1); }
  std::vector<Value> memory;
};

template <class T>
void check_adopted() {
  Transform<T> t(Communicator::world(), adopted_spec());
  Alm<T> alm = t.make_alm(), result = t.make_alm();
  double next = 0;
  for (const Index m : alm.local_m())
    for (Index f = 0; f < 6; ++f)
      for (std::complex<T>& value : alm.of_m(m, f % 3, f / 3)) {
        next += 0.3;
        value = {static_cast<T>(std::cos(next)), static_cast<T>(m == 0 ? 0 : std::sin(next))};
      }
  Map<T> map = t.make_map();
  t.synthesis(alm, map);
  t.analysis(map, result, {.iterations = 1});

  Odd<std::complex<T>> own_alm(alm.data().size()), own_result(alm.data().size());
  Odd<T> own_map(map.data().size());
  std::ranges::copy(alm.data(), own_alm.values().begin());
  const Alm<T> given = t.const_alm_of(own_alm.values());
  Map<T> adopted = t.map_of(own_map.values());
  EXPECT_EQ(adopted.data().data(), own_map.values().data());
  t.synthesis(given, adopted);
  EXPECT_TRUE(std::ranges::equal(own_map.values(), map.data()));
  Alm<T> found = t.alm_of(own_result.values());
  t.analysis(t.const_map_of(own_map.values()), found, {.iterations = 1});
  EXPECT_TRUE(std::ranges::equal(own_result.values(), result.data()));
  t.adjoint_synthesis(adopted, found);
  t.adjoint_synthesis(map, result);
  EXPECT_TRUE(std::ranges::equal(own_result.values(), result.data()));
}

TEST(AdoptedMemory, ResultsAreThoseOfOwnMemory) {
  check_adopted<double>();
  check_adopted<float>();
}

TEST(AdoptedMemory, ConstantMemoryIsNotWritten) {
  Transform<double> t(Communicator::world(), adopted_spec());
  const std::vector<double> pixels(t.make_map().data().size());
  Map<double> constant = t.const_map_of(pixels);
  expect_refusal([&] { t.synthesis(t.make_alm(), constant); }, "const_map_of()");
  expect_refusal([&] { constant.data(); }, "passed as constant");
  std::vector<double> few(pixels.size() + 1);
  expect_refusal([&] { t.map_of(few); }, "the memory has");
}

TEST(AdoptedMemory, CopiesAreIndependent) {
  const Transform<double> t(Communicator::world(), adopted_spec());
  std::vector<double> pixels(t.make_map().data().size(), 1.0);
  const Map<double> map = t.map_of(pixels);
  const Map<double> copy = map.copy();
  std::ranges::fill(pixels, 2.0);
  EXPECT_TRUE(std::ranges::all_of(copy.data(), [](double value) { return value == 1.0; }));
}

// Of an array [pixel][8 levels], a field has the 6 levels from the second.
TEST(StridedMemory, IsCopiedLevelByLevel) {
  const Transform<double> t(Communicator::world(), adopted_spec());
  Map<double> map = t.make_map();
  const std::size_t pixels = map.data().size() / 6;
  std::iota(map.data().begin(), map.data().end(), 1.0);
  const Map<double> before = map.copy();
  std::vector<double> values(8 * pixels, -1.0);
  const Strides levels{.map = 3, .component = 1, .index = 8};
  const auto own = std::span(values).subspan(std::min<std::size_t>(1, values.size()));
  map.copy_to(own, levels);
  for (std::size_t i = 0; i < pixels; ++i)
    for (std::size_t level = 0; level < 8; ++level) {
      const bool is_own = level >= 1 && level < 7;
      ASSERT_EQ(values[8 * i + level], is_own ? before.data()[(level - 1) * pixels + i] : -1.0);
    }
  std::ranges::fill(map.data(), 0.0);
  map.assign(own, levels);
  EXPECT_TRUE(std::ranges::equal(map.data(), before.data()));

  Alm<double> alm = t.make_alm();
  for (std::size_t i = 0; i < alm.data().size(); ++i) alm.data()[i] = {double(i), -double(i)};
  const Alm<double> given = alm.copy();
  std::vector<std::complex<double>> last(alm.data().size());
  const Strides index_last{.map = 3, .component = 1, .index = 6};
  alm.copy_to(last, index_last);
  for (std::size_t i = 0; i < last.size(); ++i) ASSERT_EQ(last[i], given.data()[i % 6 * (last.size() / 6) + i / 6]);
  std::ranges::fill(alm.data(), std::complex<double>());
  alm.assign(last, index_last);
  EXPECT_TRUE(std::ranges::equal(alm.data(), given.data()));
}

TEST(StridedMemory, ThatOverlapsOrIsShortIsRefused) {
  const Transform<double> t(Communicator::self(), adopted_spec());
  Map<double> map = t.make_map();
  std::vector<double> values(map.data().size());
  expect_refusal([&] { map.copy_to(values, {.map = 3, .component = 1, .index = 5}); }, "overlap");
  expect_refusal([&] { map.assign(values, {.map = 3, .component = 1, .index = 7}); }, "the array has");
  expect_refusal([&] { map.assign(values, {.index = -1}); }, "overlap");
}

// 12 16^2 pixels of 3 components of 2 maps, of which each product is exact.
TEST(InnerProducts, AreExactAndTheSameForAnyRanks) {
  const Transform<double> t(Communicator::world(), adopted_spec());
  Map<double> a = t.make_map(), b = t.make_map();
  std::ranges::fill(a.data(), 3.0);
  std::ranges::fill(b.data(), 0.5);
  EXPECT_EQ(inner_products(a, b), std::vector<double>(2, 1.5 * 3 * 12 * 16 * 16));
  Alm<double> c = t.make_alm();
  // 2 for m = 0, 3 + 4 i for m = 2: 4 + 2 25.
  for (const Index m : c.local_m())
    if (m == 0 || m == 2) c.of_m(m, 1, 1)[1] = m == 0 ? std::complex<double>(2) : std::complex<double>(3, 4);
  EXPECT_EQ(inner_products(c, c), (std::vector<double>{0, 54}));
  const Transform<double> other(Communicator::world(), {.grid = make_gauss(4, 8), .lmax = 3});
  expect_refusal([&] { inner_products(a, other.make_map()); }, "does not match");
}

TEST(TransformOptions, ThreadsAndFiniteValues) {
  TransformSpec spec = adopted_spec();
  spec.threads = 1;
  spec.check_finite = true;
  Transform<double> t(Communicator::world(), spec);
  Alm<double> alm = t.make_alm();
  Map<double> map = t.make_map();
  const bool wrong = t.comm().rank() == t.comm().size() - 1;
  if (wrong) map.data()[7] = std::numeric_limits<double>::quiet_NaN();
  expect_refusal([&] { t.analysis(map, alm); }, "the first at place 7 of data()");
  spec.threads = 0;
  expect_refusal([&] { Transform<double>(Communicator::world(), spec); }, "threads = 0: use 1 or more");
}

TEST(Communicators, NullIsRefused) {
  expect_refusal([] { Communicator::duplicate_of(MPI_COMM_NULL); }, "MPI_COMM_NULL");
}

}  // namespace
}  // namespace armilla
