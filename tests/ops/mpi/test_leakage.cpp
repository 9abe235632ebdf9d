#include <armilla/comm/communicator.hpp>
#include <armilla/core/error.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/ops/analysis.hpp>
#include <armilla/ops/components.hpp>
#include <armilla/ops/leakage.hpp>
#include <armilla/ops/mask.hpp>

#include <algorithm>
#include <cmath>

#include "support/fields.hpp"
#include "support/mpi_main.hpp"
#include "support/reference_data.hpp"
#include <gtest/gtest.h>

namespace armilla::ops {
namespace {

using transform::AlmField;
using transform::FieldKind;
using transform::MapField;

template <class T>
MapField<T> make(const comm::Communicator& comm, FieldKind kind, Index maps, Index nside = 4) {
  auto grid = std::make_shared<grid::RingGrid>(grid::make_healpix(nside));
  return MapField<T>(std::move(kind), std::make_shared<dist::PixelDistribution>(grid, comm.size()), comm.rank(), maps);
}

/// The field's numbers on a rank of its own.
template <class T>
MapField<T> alone(const MapField<T>& field, const comm::Communicator& comm) {
  const Index npix = field.distribution().grid().npix();
  std::vector<double> all(static_cast<std::size_t>(npix * field.kind().components() * field.maps()), 0.0);
  std::size_t row = 0;
  for (Index k = 0; k < field.maps(); ++k)
    for (Index c = 0; c < field.kind().components(); ++c, ++row) {
      std::size_t i = 0;
      for (const auto& range : field.distribution().pixel_ranges(field.rank()))
        for (Index p = range.first; p < range.first + range.count; ++p)
          all[row * static_cast<std::size_t>(npix) + static_cast<std::size_t>(p)] =
              static_cast<double>(field.component(k, c)[i++]);
    }
  comm.sum(std::span<double>(all));
  auto pixels =
      std::make_shared<dist::PixelDistribution>(std::make_shared<grid::RingGrid>(field.distribution().grid()), 1);
  MapField<T> result(field.kind(), pixels, 0, field.maps());
  std::ranges::transform(all, result.data().begin(), [](double value) { return static_cast<T>(value); });
  return result;
}

double cut(Index, Index, Index pixel) { return pixel % 3 == 0 ? 0.0 : 1.0 + 0.125 * static_cast<double>(pixel % 5); }
double value(Index map, Index c, Index pixel) {
  return test::noise(5, static_cast<std::uint64_t>(pixel), static_cast<std::uint64_t>(10 * map + c));
}

template <class T>
class Masks : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(Masks, Precisions);

TYPED_TEST(Masks, MultiplyEachComponentOfEachMap) {
  using T = TypeParam;
  const auto comm = comm::Communicator::world();
  for (Index mask_maps : {1, 3})
    for (Index mask_components : {1, 2}) {
      auto map = make<T>(comm, FieldKind::polarisation(), 3);
      auto mask = make<T>(comm, mask_components == 1 ? FieldKind::scalar() : FieldKind::polarisation(), mask_maps);
      auto expected = make<T>(comm, FieldKind::polarisation(), 3);
      const auto factor = [](Index k, Index c, Index p) { return cut(k, c, p + k + 2 * c); };
      test::fill_map(map, value);
      test::fill_map(mask, factor);
      test::fill_map(expected, [&](Index k, Index c, Index p) {
        return static_cast<T>(value(k, c, p)) *
               static_cast<T>(factor(mask_maps == 1 ? 0 : k, mask_components == 1 ? 0 : c, p));
      });
      apply_mask(map, mask);
      EXPECT_TRUE(std::ranges::equal(map.data(), expected.data())) << mask_maps << " " << mask_components;
    }
}

TYPED_TEST(Masks, HideWhatIsNoNumber) {
  using T = TypeParam;
  const auto comm = comm::Communicator::world();
  auto map = make<T>(comm, FieldKind::polarisation(), 2);
  auto good = make<T>(comm, FieldKind::scalar(), 2);
  auto expected = make<T>(comm, FieldKind::scalar(), 2);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  test::fill_map(map, [&](Index k, Index c, Index p) { return k == 1 && c == 1 && p % 7 == 2 ? nan : 3.0; });
  test::fill_map(expected, [](Index k, Index, Index p) { return k == 1 && p % 7 == 2 ? 0 : 1; });
  test::poison(good);
  find_good_pixels(map, good);
  EXPECT_TRUE(std::ranges::equal(good.data(), expected.data()));
  apply_mask(map, good);
  for (const T number : map.data()) EXPECT_TRUE(number == 3 || number == 0);
  EXPECT_EQ(count_unmasked(comm, good), (std::vector<Index>{192, 192 - 28}));
}

TEST(MasksThatDoNotFit, AreRefused) {
  const auto comm = comm::Communicator::world();
  auto map = make<double>(comm, FieldKind::temperature_polarisation(), 3);
  EXPECT_THROW(apply_mask(map, make<double>(comm, FieldKind::scalar(), 1, 8)), core::InputError);
  EXPECT_THROW(apply_mask(map, make<double>(comm, FieldKind::polarisation(), 1)), core::InputError);
  EXPECT_THROW(apply_mask(map, make<double>(comm, FieldKind::scalar(), 2)), core::InputError);
}

TEST(Components, AreChosenByNameAndKeepTheirKind) {
  const FieldKind tqu = FieldKind::temperature_polarisation();
  const std::vector<std::string> b{"B"}, be{"B", "E"}, bad{"X"}, twice{"T", "I"}, none;
  EXPECT_EQ(find_components(tqu, b, ComponentNames::kAlm), std::vector<Index>{2});
  EXPECT_EQ(find_components(tqu, be, ComponentNames::kAlm), (std::vector<Index>{1, 2}));
  EXPECT_THROW(find_components(tqu, b, ComponentNames::kMap), core::InputError);
  for (const auto& names : {bad, twice, none})
    EXPECT_THROW(find_components(tqu, names, ComponentNames::kAlm), core::InputError);
  const std::vector<Index> second{2}, pair{1, 2}, mixed{0, 2};
  EXPECT_EQ(kind_of_components(tqu, second, ComponentNames::kAlm), FieldKind::scalar());
  EXPECT_EQ(kind_of_components(tqu, second, ComponentNames::kAlm).map_names(), b);
  EXPECT_EQ(kind_of_components(tqu, second, ComponentNames::kMap).map_names(), std::vector<std::string>{"U"});
  EXPECT_EQ(kind_of_components(tqu, pair, ComponentNames::kAlm), FieldKind::polarisation());
  EXPECT_EQ(kind_of_components(tqu, pair, ComponentNames::kAlm).alm_names(), (std::vector<std::string>{"E", "B"}));
  EXPECT_EQ(kind_of_components(tqu, mixed, ComponentNames::kAlm).alm_names(), (std::vector<std::string>{"T", "B"}));
  EXPECT_EQ(with_whole_pairs(tqu, mixed), (std::vector<Index>{0, 1, 2}));
  EXPECT_EQ(with_whole_pairs(tqu, second), pair);
  EXPECT_EQ(with_whole_pairs(FieldKind::polarisation(), std::vector<Index>{0}), (std::vector<Index>{0, 1}));
}

TEST(Components, AreCopiedAndKeptMapByMap) {
  const auto comm = comm::Communicator::world();
  auto from = make<double>(comm, FieldKind::temperature_polarisation(), 2);
  auto to = make<double>(comm, FieldKind::scalar("U"), 2);
  auto expected = make<double>(comm, FieldKind::scalar("U"), 2);
  test::fill_map(from, value);
  test::fill_map(expected, [](Index k, Index, Index p) { return value(k, 2, p); });
  test::poison(to);
  copy_components(from, std::vector<Index>{2}, to);
  EXPECT_TRUE(std::ranges::equal(to.data(), expected.data()));

  auto distribution = std::make_shared<dist::AlmDistribution>(alm::AlmLayout(9, 9), comm.size());
  AlmField<double> alm(FieldKind::polarisation(), distribution, comm.rank(), 2);
  test::fill_noise(alm, 3);
  AlmField<double> e_only(FieldKind::polarisation(), distribution, comm.rank(), 2);
  test::fill_noise(e_only, 3);
  for (Index k = 0; k < 2; ++k) std::ranges::fill(e_only.component(k, 1), std::complex<double>());
  keep_components(alm, std::vector<Index>{0});
  EXPECT_TRUE(std::ranges::equal(alm.data(), e_only.data()));
}

/// Maps that are a line of their templates and noise, where they are not masked.
struct Lines {
  MapField<double> map, pattern, mask;
  Lines(const comm::Communicator& comm, Index maps, double noise)
      : map(make<double>(comm, FieldKind::scalar("B"), maps, 8)),
        pattern(make<double>(comm, FieldKind::scalar("B"), maps, 8)),
        mask(make<double>(comm, FieldKind::scalar(), 1, 8)) {
    test::fill_map(mask, [](Index k, Index c, Index p) { return cut(k, c, p); });
    test::fill_map(pattern, value);
    test::fill_map(map, [&](Index k, Index c, Index p) {
      const double line = slope(k) * value(k, c, p) + intercept(k);
      return cut(k, c, p) == 0 ? 1e3 : line + noise * test::noise(9, static_cast<std::uint64_t>(p));
    });
  }
  Lines(const Lines&) = delete;
  static double slope(Index k) { return 1.5 + static_cast<double>(k); }
  static double intercept(Index k) { return 0.25 - static_cast<double>(k); }
};

TEST(Leakage, FindsTheLineAndTakesItOff) {
  const auto comm = comm::Communicator::world();
  Lines lines(comm, 3, 0.0);
  const auto fits = fit_leakage(comm, lines.map, lines.pattern, lines.mask);
  ASSERT_EQ(fits.size(), 3U);
  for (Index k = 0; k < 3; ++k) {
    EXPECT_NEAR(fits[static_cast<std::size_t>(k)].slope, Lines::slope(k), 1e-14);
    EXPECT_NEAR(fits[static_cast<std::size_t>(k)].intercept, Lines::intercept(k), 1e-14);
  }
  remove_leakage(lines.map, lines.pattern, lines.mask, fits);
  for (const double number : lines.map.data()) EXPECT_NEAR(number, 0, 1e-14);
  for (std::size_t p = 0; p < lines.mask.data().size(); ++p)
    EXPECT_TRUE(lines.mask.data()[p] != 0 || lines.map.component(2, 0)[p] == 0);
}

TEST(Leakage, HasTheSameBitsOnAnyRanksAndInAnyBatch) {
  const auto comm = comm::Communicator::world();
  const auto self = comm::Communicator::self();
  Lines lines(comm, 3, 0.3);
  const auto fits = fit_leakage(comm, lines.map, lines.pattern, lines.mask);
  const auto map = alone(lines.map, comm);
  const auto pattern = alone(lines.pattern, comm);
  const auto mask = alone(lines.mask, comm);
  for (Index k = 0; k < 3; ++k) {
    MapField<double> one(map.kind(), map.shared_distribution(), 0, 1);
    MapField<double> its_pattern(map.kind(), map.shared_distribution(), 0, 1);
    std::ranges::copy(map.component(k, 0), one.data().begin());
    std::ranges::copy(pattern.component(k, 0), its_pattern.data().begin());
    const LeakageFit fit = fit_leakage(self, one, its_pattern, mask).front();
    EXPECT_EQ(fit.slope, fits[static_cast<std::size_t>(k)].slope);
    EXPECT_EQ(fit.intercept, fits[static_cast<std::size_t>(k)].intercept);
    EXPECT_NE(fit.slope, Lines::slope(k));  // the noise is in it
  }
}

TEST(Leakage, RefusesAMaskThatLeavesNothingAndTakesAFlatTemplate) {
  const auto comm = comm::Communicator::world();
  Lines lines(comm, 2, 0.0);
  test::fill_map(lines.pattern, [](Index, Index, Index) { return 2.0; });
  const auto fits = fit_leakage(comm, lines.map, lines.pattern, lines.mask);
  EXPECT_EQ(fits[0].slope, 0);
  EXPECT_TRUE(std::isfinite(fits[0].intercept));
  test::fill_map(lines.mask, [](Index, Index, Index) { return 0.0; });
  EXPECT_THROW(fit_leakage(comm, lines.map, lines.pattern, lines.mask), core::InputError);
}

/// The whole pipeline against independent code; 3 Jacobi iterations amplify the rounding of transforms a little.
TEST(Leakage, AgreesWithTheReference) {
  const std::string file = test::reference_file("eb_leakage.h5");
  const auto comm = comm::Communicator::world();
  const auto grid =
      std::make_shared<grid::RingGrid>(grid::make_healpix(test::read_attribute(file, "eb_leakage", "nside")));
  const Index lmax = test::read_attribute(file, "eb_leakage", "lmax");
  const AnalysisMethod method{{}, Jacobi{test::read_attribute(file, "eb_leakage", "iterations")}};
  const auto spin2 = test::make_spec(FieldKind::polarisation(), grid, {lmax, lmax}, comm.size());
  auto scalar = spin2;
  scalar.kind = FieldKind::scalar("B");
  MapField<double> qu(spin2.kind, spin2.pixels, comm.rank(), 1);
  MapField<double> mask(FieldKind::scalar(), spin2.pixels, comm.rank(), 1);
  const std::vector<double> fields[] = {test::read_doubles(file, "eb_leakage/q"),
                                        test::read_doubles(file, "eb_leakage/u")};
  const std::vector<double> cut_sky = test::read_doubles(file, "eb_leakage/mask");
  test::fill_map(qu, [&](Index, Index c, Index p) { return fields[c][static_cast<std::size_t>(p)]; });
  test::fill_map(mask, [&](Index, Index, Index p) { return cut_sky[static_cast<std::size_t>(p)]; });

  transform::FieldTransform<double> transform(comm, spin2);
  transform::FieldTransform<double> scalar_transform(comm, scalar);
  AlmField<double> eb(spin2.kind, spin2.alm, comm.rank(), 1);
  AlmField<double> b(scalar.kind, spin2.alm, comm.rank(), 1);
  const auto b_of = [&](MapField<double>& masked, MapField<double>& map) {
    apply_mask(masked, mask);
    analysis(transform, masked, eb, method);
    copy_components(eb, std::vector<Index>{1}, b);
    scalar_transform.synthesis(b, map);
  };
  MapField<double> b_map(scalar.kind, spin2.pixels, comm.rank(), 1);
  MapField<double> pattern(scalar.kind, spin2.pixels, comm.rank(), 1);
  b_of(qu, b_map);
  keep_components(eb, std::vector<Index>{0});
  transform.synthesis(eb, qu);
  b_of(qu, pattern);
  const auto expect = [&](const MapField<double>& map, const std::string& name) {
    const std::vector<double> reference = test::read_doubles(file, "eb_leakage/" + name);
    MapField<double> expected(map.kind(), map.shared_distribution(), map.rank(), 1);
    test::fill_map(expected, [&](Index, Index, Index p) { return reference[static_cast<std::size_t>(p)]; });
    for (std::size_t p = 0; p < expected.data().size(); ++p)
      ASSERT_NEAR(map.data()[p], expected.data()[p], 1e-12) << name;
  };
  expect(b_map, "b_map");
  expect(pattern, "template");
  const auto fits = fit_leakage(comm, b_map, pattern, mask);
  EXPECT_NEAR(fits[0].slope, test::read_real_attribute(file, "eb_leakage", "slope"), 1e-11);
  EXPECT_NEAR(fits[0].intercept, test::read_real_attribute(file, "eb_leakage", "intercept"), 1e-13);
  remove_leakage(b_map, pattern, mask, fits);
  expect(b_map, "cleaned");
}

}  // namespace
}  // namespace armilla::ops
