#include <armilla/comm/communicator.hpp>
#include <armilla/core/error.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/ops/monopole.hpp>
#include <armilla/ops/norms.hpp>
#include <armilla/ops/random_alm.hpp>
#include <armilla/ops/reproducible_sum.hpp>
#include <armilla/ops/smooth.hpp>
#include <armilla/ops/spectra.hpp>

#include <cstring>

#include "support/fields.hpp"
#include "support/mpi_main.hpp"
#include <gtest/gtest.h>

namespace armilla::ops {
namespace {

using transform::AlmField;
using transform::FieldKind;
using transform::FieldTransform;
using transform::MapField;

alm::SpectraTable flat_spectra(Index lmax) {
  alm::SpectraTable table;
  table.lmax = lmax;
  table.names = {"TT", "EE", "BB", "TE"};
  const auto n = static_cast<std::size_t>(lmax + 1);
  table.columns = {std::vector<double>(n, 2.0), std::vector<double>(n, 1.0), std::vector<double>(n, 0.0),
                   std::vector<double>(n, 0.7)};
  return table;
}

TEST(RandomAlm, DependsOnSeedLAndMOnly) {
  const auto comm = comm::Communicator::world();
  const auto kind = FieldKind::temperature_polarisation();
  const auto large = std::make_shared<dist::AlmDistribution>(alm::AlmLayout(40, 40), comm.size());
  const auto small = std::make_shared<dist::AlmDistribution>(alm::AlmLayout(25, 13), 1);
  AlmField<double> a(kind, large, comm.rank(), 2);
  AlmField<double> b(kind, small, 0, 2);
  random_alm(a, flat_spectra(60), 42);
  random_alm(b, flat_spectra(40), 42);
  const auto own_m = large->local_m(comm.rank());
  const auto offsets = large->local_offsets(comm.rank());
  const auto offsets_small = small->local_offsets(0);
  for (Index map = 0; map < 2; ++map)
    for (Index c = 0; c < 3; ++c)
      for (std::size_t k = 0; k < own_m.size(); ++k)
        for (Index l = own_m[k]; l <= 25 && own_m[k] <= 13; ++l)
          EXPECT_EQ(
              a.component(map, c)[static_cast<std::size_t>(offsets[k] + l)],
              b.component(map, c)[static_cast<std::size_t>(offsets_small[static_cast<std::size_t>(own_m[k])] + l)]);
  AlmField<double> other(kind, large, comm.rank(), 2);
  random_alm(other, flat_spectra(60), 43);
  const auto error = relative_error(comm, other, a);
  EXPECT_GT(error[0], 1.0);  // independent draws differ by sqrt(2)
}

// claims: step random_alm
TEST(RandomAlm, HasTheSpectraThatWereAsked) {
  const auto comm = comm::Communicator::world();
  const Index lmax = 250;
  const auto distribution = std::make_shared<dist::AlmDistribution>(alm::AlmLayout(lmax, lmax), comm.size());
  AlmField<double> a(FieldKind::temperature_polarisation(), distribution, comm.rank(), 1);
  random_alm(a, flat_spectra(lmax), 7);
  const alm::SpectraTable c = spectra(comm, a, a);
  EXPECT_EQ(c.names, (std::vector<std::string>{"TT", "EE", "BB", "TE", "EB", "TB"}));
  const double expected[] = {2.0, 1.0, 0.0, 0.7, 0.0, 0.0};
  for (std::size_t i = 0; i < 6; ++i) {
    double mean = 0;
    for (Index l = 100; l <= lmax; ++l) mean += c.columns[i][static_cast<std::size_t>(l)];
    mean /= static_cast<double>(lmax - 99);
    // Cosmic variance: relative sqrt(2 / (2 l + 1)) per l, over 151 l and with l about 175: 0.6%, taken five times.
    EXPECT_NEAR(mean, expected[i], 0.06) << c.names[i];
  }
  EXPECT_EQ(c.columns[1][1], 0) << "no polarisation below l = 2";
}

TEST(RandomAlm, RefusesWhatIsNoCovariance) {
  const auto distribution = std::make_shared<dist::AlmDistribution>(alm::AlmLayout(5, 5), 1);
  AlmField<double> a(FieldKind::temperature_polarisation(), distribution, 0, 1);
  auto table = flat_spectra(5);
  table.columns[3].assign(6, 1.5);  // above sqrt(TT EE)
  EXPECT_THROW(random_alm(a, table, 1), core::InputError);
  table = flat_spectra(4);
  EXPECT_THROW(random_alm(a, table, 1), core::InputError);
  table = flat_spectra(5);
  table.names[2] = "XX";
  EXPECT_THROW(random_alm(a, table, 1), core::InputError);
}

TEST(ReproducibleSum, IsTheSameForAnyDistribution) {
  const auto comm = comm::Communicator::world();
  const auto self = comm::Communicator::self();
  const Index n = 5000;
  const auto term = [](Index i) { return test::noise(1, static_cast<std::uint64_t>(i)) * std::pow(10.0, i % 17 - 8); };
  const auto spread = reproducible_sums(comm, 1, n, [&](auto&& add) {
    for (Index i = comm.rank(); i < n; i += comm.size()) add(0, term(i));
  });
  const auto backwards = reproducible_sums(self, 1, n, [&](auto&& add) {
    for (Index i = n - 1; i >= 0; --i) add(0, term(i));
  });
  EXPECT_EQ(spread[0], backwards[0]);
  long double exact = 0;
  for (Index i = 0; i < n; ++i) exact += static_cast<long double>(term(i));
  EXPECT_NEAR(spread[0], static_cast<double>(exact), 1e-15 * 1e8 * 10);
  EXPECT_NE(spread[0], 0);
}

// claims: step smooth
TEST(Smooth, MultipliesByTheBeam) {
  const auto distribution = std::make_shared<dist::AlmDistribution>(alm::AlmLayout(10, 10), 1);
  AlmField<double> a(FieldKind::temperature_polarisation(), distribution, 0, 1);
  test::fill_alm(a, [](Index, Index, Index, Index) { return 1.0; });
  const double fwhm = 0.3;
  smooth(a, fwhm);
  const double sigma2 = fwhm * fwhm / (8 * std::log(2.0));
  EXPECT_DOUBLE_EQ(a.component(0, 0)[4].real(), std::exp(-10 * sigma2));
  EXPECT_DOUBLE_EQ(a.component(0, 1)[4].real(), std::exp(-8 * sigma2));
  EXPECT_THROW(smooth(a, -1.0), core::InputError);
}

TEST(RemoveMonopole, TakesTheMeanOfGoodPixelsOffScalarsOnly) {
  const auto comm = comm::Communicator::world();
  for (const auto& grid : {std::make_shared<grid::RingGrid>(grid::make_gauss(20, 40)),
                           std::make_shared<grid::RingGrid>(grid::make_healpix(8))}) {
    const auto kind = FieldKind::temperature_polarisation();
    const auto draw = [&](int ranks, int rank) {
      MapField<double> map(kind, std::make_shared<dist::PixelDistribution>(grid, ranks), rank, 1);
      test::fill_map(map, [](Index, Index c, Index p) {
        if (p % 7 == 3) return std::nan("");
        return 100.0 + test::noise(2, static_cast<std::uint64_t>(p), static_cast<std::uint64_t>(c));
      });
      return map;
    };
    MapField<double> map = draw(comm.size(), comm.rank());
    const MapField<double> before = draw(comm.size(), comm.rank());
    remove_monopole(comm, map);
    // By a plain sum over the whole sky on every rank.
    const MapField<double> whole = draw(1, 0);
    double sum = 0;
    double area = 0;
    for (const grid::Ring& ring : grid->rings())
      for (Index p = ring.first_pixel; p < ring.first_pixel + ring.nphi; ++p) {
        const double value = whole.component(0, 0)[static_cast<std::size_t>(p)];
        if (std::isnan(value)) continue;
        sum += ring.weight / static_cast<double>(ring.nphi) * value;
        area += ring.weight / static_cast<double>(ring.nphi);
      }
    EXPECT_GT(sum / area, 99);
    for (Index c = 0; c < 3; ++c)
      for (std::size_t i = 0; i < map.component(0, c).size(); ++i) {
        const double was = before.component(0, c)[i];
        const double is = map.component(0, c)[i];
        if (std::isnan(was))
          EXPECT_TRUE(std::isnan(is));
        else
          EXPECT_NEAR(is, c == 0 ? was - sum / area : was, c == 0 ? 1e-11 : 0.0);
      }
  }
}

TEST(Spectra, HaveTheSameBitsOnAnyNumberOfRanks) {
  const auto comm = comm::Communicator::world();
  const auto self = comm::Communicator::self();
  const alm::AlmLayout layout(50, 44);
  const auto kind = FieldKind::temperature_polarisation();
  const auto fields = [&](int ranks, int rank, std::uint64_t seed) {
    AlmField<double> a(kind, std::make_shared<dist::AlmDistribution>(layout, ranks), rank, 1);
    test::fill_noise(a, seed);
    return a;
  };
  const auto together = spectra(comm, fields(comm.size(), comm.rank(), 1), fields(comm.size(), comm.rank(), 2));
  const auto alone = spectra(self, fields(1, 0, 1), fields(1, 0, 2));
  EXPECT_EQ(together.columns, alone.columns);
  EXPECT_NE(together.columns[0][10], 0);
}

}  // namespace
}  // namespace armilla::ops

int main(int argc, char** argv) { return armilla::test::mpi_main(argc, argv); }
