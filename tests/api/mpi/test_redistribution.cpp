#include <armilla/armilla.hpp>
#include <armilla/core/machine.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "support/mpi_main.hpp"
#include "support/refusal.hpp"
#include <gtest/gtest.h>

namespace armilla {
namespace {

using test::expect_refusal;

using core::at;

/// Items 0 .. count - 1 dealt to ranks at random, in random order; with several ranks, the last one has none.
std::vector<Index> dealt(Index count) {
  const auto world = Communicator::world();
  const int ranks = std::max(1, world.size() - 1);
  std::vector<Index> all(at(count)), own;
  for (Index i = 0; i < count; ++i) all[at(i)] = i;
  std::mt19937 random(7);
  std::ranges::shuffle(all, random);
  for (const Index i : all)
    if (static_cast<int>(random() % static_cast<unsigned>(ranks)) == world.rank()) own.push_back(i);
  return own;
}

/// A value that says where it belongs, exact in float.
double label(Index item, Index component, Index map) { return static_cast<double>(10 * item + 3 * component + map); }

Transform<float> small_transform() {
  return {Communicator::world(),
          {.grid = make_healpix(4), .lmax = 9, .mmax = 7, .fields = FieldKind::temperature_polarisation(), .maps = 2}};
}

/// Calls use(value, item, component, map) for the pixels of this rank.
template <class T, class Use>
void for_pixels(Map<T>& map, const Use& use) {
  for (Index k = 0; k < map.maps(); ++k)
    for (Index c = 0; c < map.fields().components(); ++c)
      for (const LocalRing& ring : map.rings()) {
        const std::span<T> pixels = map.of_ring(ring, c, k);
        for (std::size_t j = 0; j < pixels.size(); ++j)
          use(pixels[j], ring.ring.first_pixel + static_cast<Index>(j), c, k);
      }
}

TEST(PixelRedistribution, ValuesOfDealtPixelsArriveAndReturn) {
  const Transform<float> t = small_transform();
  const std::vector<Index> pixels = dealt(t.grid().npix());
  const PixelRedistribution redistribution(t.comm(), t.pixel_distribution(), pixels);
  const auto size = static_cast<Index>(pixels.size());
  ASSERT_EQ(redistribution.size(), size);
  // [pixel][component][map], as models keep levels.
  const Strides strides{.map = 1, .component = 2, .index = 6};
  std::vector<float> given(at(6 * size));
  for (Index i = 0; i < size; ++i)
    for (Index c = 0; c < 3; ++c)
      for (Index k = 0; k < 2; ++k) given[at(6 * i + 2 * c + k)] = static_cast<float>(label(pixels[at(i)], c, k));

  Map<float> map = t.make_map();
  redistribution.to_map<float>(given, map, {}, strides);
  for_pixels(map, [](float value, Index pixel, Index c, Index k) {
    EXPECT_EQ(value, static_cast<float>(label(pixel, c, k)));
  });

  std::vector<float> returned(at(6 * size));
  redistribution.from_map<float>(map, returned);
  for (Index k = 0; k < 2; ++k)
    for (Index c = 0; c < 3; ++c)
      for (Index i = 0; i < size; ++i)
        EXPECT_EQ(returned[at((3 * k + c) * size + i)], static_cast<float>(label(pixels[at(i)], c, k)));
}

TEST(PixelRedistribution, OverlapsLeaveButDoNotEnter) {
  const Transform<float> t = small_transform();
  // Every rank has pixels 5 and 190; rank 0 has 5 twice.
  std::vector<Index> pixels{190, 5};
  if (t.comm().is_root()) pixels.push_back(5);
  const PixelRedistribution redistribution(t.comm(), t.pixel_distribution(), pixels);
  Map<float> map = t.make_map();
  for_pixels(map, [](float& value, Index pixel, Index c, Index k) { value = static_cast<float>(label(pixel, c, k)); });
  std::vector<float> values(6 * pixels.size());
  redistribution.from_map<float>(map, values);
  for (Index f = 0; f < 6; ++f)
    for (std::size_t i = 0; i < pixels.size(); ++i)
      EXPECT_EQ(values[at(f) * pixels.size() + i], static_cast<float>(label(pixels[i], f % 3, f / 3)));
  expect_refusal([&] { redistribution.to_map<float>(values, map); }, "pixel 5 is given twice, by ranks 0 and");
}

TEST(PixelRedistribution, GapsNeedAValue) {
  const Transform<float> t = small_transform();
  const bool first = t.comm().is_root();
  const PixelRedistribution redistribution(t.comm(), t.pixel_distribution(),
                                           first ? std::vector<Index>{3, 100} : std::vector<Index>{});
  std::vector<float> values(at(6 * redistribution.size()), 2.0F);
  Map<float> map = t.make_map();
  expect_refusal([&] { redistribution.to_map<float>(values, map); }, "190 of the field are not given on any rank");
  redistribution.to_map<float>(values, map, -1.0F);
  for_pixels(map, [](float value, Index pixel, Index, Index) {
    EXPECT_EQ(value, pixel == 3 || pixel == 100 ? 2.0F : -1.0F) << pixel;
  });
}

TEST(PixelRedistribution, MistakesOfOneRankAreErrorsOfAll) {
  const Transform<float> t = small_transform();
  const int last = t.comm().size() - 1;
  const bool wrong = t.comm().rank() == last;
  expect_refusal(
      [&] { PixelRedistribution(t.comm(), t.pixel_distribution(), std::vector<Index>{wrong ? Index{192} : Index{0}}); },
      "pixel 192 in place 0 of rank " + std::to_string(last) + " does not exist: healpix nside 4 has pixels 0 to 191");
  const PixelRedistribution redistribution(t.comm(), t.pixel_distribution(), std::vector<Index>{7});
  Map<float> map = t.make_map();
  std::vector<float> values(wrong ? 5 : 6);
  expect_refusal([&] { redistribution.from_map<float>(map, values); }, "the array has 5 values, but 2 maps of 3");
  values.resize(6);
  expect_refusal([&] { redistribution.from_map<float>(map, values, {.component = wrong ? 0 : 1}); }, "overlap");
  Map<float> other = Transform<float>(Communicator::world(), {.grid = make_gauss(4, 8), .lmax = 3}).make_map();
  std::vector<float> one(1);
  expect_refusal([&] { redistribution.from_map<float>(other, one); }, "but the redistribution is for healpix nside 4");
  const PixelDistribution more(std::make_shared<RingGrid>(make_healpix(4)), t.comm().size() + 1);
  expect_refusal([&] { PixelRedistribution(t.comm(), more, {}); }, "the distribution is for");
}

/// A program with time steps: values of each step go to the map and return to the ranks that have the next pixels.
TEST(PixelRedistribution, MemoryStaysFlatOverManySteps) {
  const Transform<double> t(Communicator::world(), {.grid = make_healpix(64), .lmax = 2, .maps = 2});
  // Ranks that share cores take milliseconds for each step.
  const int steps = t.comm().size() == 1 ? 1000 : 50;
  const Index npix = t.grid().npix();
  const std::vector<Index> pixels = dealt(npix);
  std::vector<Index> next = pixels;
  for (Index& pixel : next) pixel = (pixel + 1) % npix;
  const PixelRedistribution in(t.comm(), t.pixel_distribution(), pixels), out(t.comm(), t.pixel_distribution(), next);
  const auto size = static_cast<Index>(pixels.size());
  std::vector<double> values(at(2 * size));
  for (Index i = 0; i < size; ++i)
    for (Index k = 0; k < 2; ++k) values[at(k * size + i)] = label(pixels[at(i)], 0, k);
  Map<double> map = t.make_map();
  Index before = 0;  // buffers of MPI grow in the first steps
  for (int step = 0; step < steps; ++step) {
    if (step == steps / 10) before = core::resident_bytes();
    in.to_map<double>(values, map);
    out.from_map<double>(map, values);
  }
  for (Index i = 0; i < size; ++i)
    for (Index k = 0; k < 2; ++k) ASSERT_EQ(values[at(k * size + i)], label((pixels[at(i)] + steps) % npix, 0, k)) << i;
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  // Steps that kept 8 bytes for each own pixel would add 2.5 MB on 7 ranks, and more on fewer.
  EXPECT_LT(core::resident_bytes() - before, Index{1} << 20);
#endif
}

TEST(AlmRedistribution, DealtCoefficientsAndOrders) {
  const Transform<float> t = small_transform();
  std::vector<Index> all_l, all_m;
  for (Index m = 0; m <= 7; ++m)
    for (Index l = m; l <= 9; ++l) {
      all_l.push_back(l);
      all_m.push_back(m);
    }
  std::vector<Index> l, m;
  for (const Index i : dealt(static_cast<Index>(all_l.size()))) {
    l.push_back(all_l[at(i)]);
    m.push_back(all_m[at(i)]);
  }
  const auto value = [](Index l_, Index m_, Index f) {
    return std::complex<float>(static_cast<float>(100 * l_ + m_), static_cast<float>(-f - 1));
  };
  const AlmRedistribution redistribution(t.comm(), t.alm_distribution(), l, m);
  std::vector<std::complex<float>> given;
  for (Index f = 0; f < 6; ++f)
    for (std::size_t i = 0; i < l.size(); ++i) given.push_back(value(l[i], m[i], f));
  Alm<float> alm = t.make_alm();
  redistribution.to_alm<float>(given, alm);
  for (const Index order : alm.local_m())
    for (Index f = 0; f < 6; ++f)
      for (Index degree = order; degree <= 9; ++degree)
        EXPECT_EQ(alm.of_m(order, f % 3, f / 3)[at(degree - order)], value(degree, order, f));

  // By orders, from the last rank down, with order 2 on all ranks.
  std::vector<Index> orders{2};
  for (Index order = 7; order >= 0; --order)
    if (order % t.comm().size() == t.comm().size() - 1 - t.comm().rank()) orders.push_back(order);
  const AlmRedistribution by_order = AlmRedistribution::of_orders(t.comm(), t.alm_distribution(), orders);
  std::vector<std::complex<float>> returned(at(6 * by_order.size()));
  by_order.from_alm<float>(alm, returned);
  auto next = returned.begin();
  for (Index f = 0; f < 6; ++f)
    for (const Index order : orders)
      for (Index degree = order; degree <= 9; ++degree) EXPECT_EQ(*next++, value(degree, order, f));
  expect_refusal([&] { by_order.to_alm<float>(returned, alm); }, "(l, m) = (2, 2) is given twice");
  expect_refusal([&] { AlmRedistribution::of_orders(t.comm(), t.alm_distribution(), std::vector<Index>{8}); },
                 "(l, m) = (8, 8) in place 0 of rank 0 does not exist");
}

}  // namespace
}  // namespace armilla
