#include <armilla/comm/communicator.hpp>
#include <armilla/core/error.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/math/wigner_3j.hpp>
#include <armilla/ops/analysis.hpp>
#include <armilla/ops/decouple.hpp>
#include <armilla/ops/mask.hpp>
#include <armilla/ops/random_alm.hpp>
#include <armilla/ops/spectra.hpp>

#include <cmath>
#include <string>

#include "support/fields.hpp"
#include "support/mpi_main.hpp"
#include <gtest/gtest.h>

namespace armilla::ops {
namespace {

using core::kPi;
using transform::AlmField;
using transform::FieldKind;
using transform::MapField;

std::vector<double> some_mask_spectrum(Index lmax) {
  std::vector<double> spectrum;
  for (Index l = 0; l <= lmax; ++l) spectrum.push_back(l == 0 ? 7.0 : 1 / static_cast<double>((l + 1) * (l + 2)));
  return spectrum;
}

alm::SpectraTable some_table(Index lmax, const std::vector<std::string>& names) {
  alm::SpectraTable table{lmax, names, {}, "uK^2"};
  for (std::size_t i = 0; i < names.size(); ++i)
    for (Index l = 0; l <= lmax; ++l) {
      if (l == 0) table.columns.emplace_back();
      table.columns[i].push_back(l < 2 && names[i] != "TT" ? 0.0 : test::noise(i + 1, static_cast<std::uint64_t>(l)));
    }
  return table;
}

alm::SpectraTable decouple(const comm::Communicator& comm, const alm::SpectraTable& table, const FieldKind& kind,
                           const std::vector<double>& mask, Index width) {
  return Decoupler(comm, kind, mask, table.lmax, width).run(table);
}

const std::vector<std::string> kNames{"TT", "EE", "BB", "TE", "EB", "TB"};

TEST(ModeCoupling, OfTheWholeSkyIsTheIdentity) {
  const auto comm = comm::Communicator::world();
  const std::vector<double> whole{4 * kPi};
  for (const auto& [s, t] : {std::pair<Index, Index>{0, 0}, {0, 2}, {2, 2}, {1, 3}}) {
    const ModeCoupling coupling = mode_coupling(comm, whole, 20, s, t);
    for (Index l = 0; l <= 20; ++l)
      for (Index other = 0; other <= 20; ++other) {
        const auto at = static_cast<std::size_t>(21 * l + other);
        ASSERT_NEAR(coupling.even[at], l == other && l >= std::max(s, t) ? 1 : 0, 1e-14) << l << " " << other;
        ASSERT_EQ(coupling.odd[at], 0);
      }
  }
  const alm::SpectraTable table = some_table(20, kNames);
  const alm::SpectraTable same = decouple(comm, table, FieldKind::temperature_polarisation(), whole, 1);
  EXPECT_EQ(same.names, table.names);
  EXPECT_EQ(same.unit, table.unit);
  for (std::size_t i = 0; i < kNames.size(); ++i)
    for (std::size_t l = 0; l <= 20; ++l) EXPECT_NEAR(same.columns[i][l], table.columns[i][l], 1e-13) << kNames[i];
}

// A mask of zeros makes a matrix of zeros, whose first pivot is zero; a mask that is not finite one without pivots.
TEST(Decoupler, RefusesSingularMatrices) {
  const auto comm = comm::Communicator::world();
  for (const double number : {0.0, std::nan("")}) {
    const std::vector<double> mask(41, number);
    try {
      Decoupler(comm, FieldKind::temperature_polarisation(), mask, 20, 1);
      ADD_FAILURE() << number;
    } catch (const core::InputError& error) {
      EXPECT_NE(std::string(error.what()).find("a reciprocal condition number of 0.0e+00. Use bins"), std::string::npos)
          << error.what();
    }
  }
}

TEST(ModeCoupling, HasTheBitsOfOneRank) {
  const auto world = mode_coupling(comm::Communicator::world(), some_mask_spectrum(60), 33, 0, 2);
  const auto alone = mode_coupling(comm::Communicator::self(), some_mask_spectrum(60), 33, 0, 2);
  EXPECT_EQ(world.even, alone.even);
  EXPECT_EQ(world.odd, alone.odd);
}

/// sum over l' and parity of M_ll' is the mean of the mask squared over the sky, sum of (2 l'' + 1) W_l'' / (4 pi), for
/// every spin: by the other orthogonality of 3j symbols, for a mask of few degrees.
TEST(ModeCoupling, RowsSumToTheMeanSquareOfTheMask) {
  const auto comm = comm::Communicator::world();
  const std::vector<double> mask = some_mask_spectrum(8);
  double mean = 0;
  for (Index l = 0; l <= 8; ++l) mean += static_cast<double>(2 * l + 1) * mask[static_cast<std::size_t>(l)] / (4 * kPi);
  for (Index s : {0, 1, 2}) {
    const ModeCoupling coupling = mode_coupling(comm, mask, 50, s, s);
    for (Index l = 10; l <= 50 - 8; ++l) {
      double sum = 0;
      for (Index other = 0; other <= 50; ++other) {
        const auto at = static_cast<std::size_t>(51 * l + other);
        sum += coupling.even[at] + coupling.odd[at];
      }
      EXPECT_NEAR(sum, mean, 1e-13) << l << ", spin " << s;
    }
  }
}

/// By brute force: C_l' = 1 means that each real coefficient of degree l' has variance 1, so M_ll' is the sum over
/// these of the C_l that one alone has after the mask. On a Gauss grid that integrates all products exactly.
TEST(ModeCoupling, IsWhatMaskedHarmonicsGive) {
  const auto comm = comm::Communicator::world();
  constexpr Index lmax = 5;
  constexpr Index mask_lmax = 2 * lmax;
  constexpr Index batch = 2 * lmax + 1;
  const auto grid = std::make_shared<grid::RingGrid>(grid::make_gauss(12, 24));
  const auto spec = test::make_spec(FieldKind::temperature_polarisation(), grid, {lmax, lmax}, comm.size(), batch);
  auto mask_spec = test::make_spec(FieldKind::scalar(), grid, {mask_lmax, mask_lmax}, comm.size());
  mask_spec.pixels = spec.pixels;
  AlmField<double> mask_alm(mask_spec.kind, mask_spec.alm, comm.rank(), 1);
  test::fill_noise(mask_alm, 11);
  MapField<double> mask(mask_spec.kind, spec.pixels, comm.rank(), 1);
  transform::FieldTransform<double>(comm, mask_spec).synthesis(mask_alm, mask);
  const std::vector<double> mask_cl = spectra(comm, mask_alm, mask_alm).columns.front();
  const ModeCoupling scalar = mode_coupling(comm, mask_cl, lmax, 0, 0);
  const ModeCoupling cross = mode_coupling(comm, mask_cl, lmax, 0, 2);
  const ModeCoupling spin2 = mode_coupling(comm, mask_cl, lmax, 2, 2);

  transform::FieldTransform<double> transform(comm, spec);
  AlmField<double> alm(spec.kind, spec.alm, comm.rank(), batch);
  MapField<double> map(spec.kind, spec.pixels, comm.rank(), batch);
  for (const bool with_b : {false, true})
    for (Index other = 2; other <= lmax; ++other) {
      // Map 0 has m = 0, 2 m - 1 and 2 m the real and imaginary part of m.
      test::fill_alm(alm, [&](Index k, Index c, Index l, Index m) -> std::complex<double> {
        if (l != other || m != (k + 1) / 2 || k > 2 * other || (c == 2 && !with_b)) return 0;
        if (m == 0) return 1;
        return (k % 2 == 1 ? std::complex<double>(1, 0) : std::complex<double>(0, 1)) / std::sqrt(2.0);
      });
      transform.synthesis(alm, map);
      apply_mask(map, mask);
      transform.quadrature(map, alm);
      const auto tables = spectra_of_maps(comm, alm, alm);
      for (Index l = 0; l <= lmax; ++l) {
        const auto at = static_cast<std::size_t>(l * (lmax + 1) + other);
        const double odd = with_b ? spin2.odd[at] : 0.0;
        const double expected[] = {scalar.even[at],
                                   spin2.even[at] + odd,
                                   spin2.odd[at] + (with_b ? spin2.even[at] : 0.0),
                                   cross.even[at],
                                   with_b ? spin2.even[at] - odd : 0.0,
                                   with_b ? cross.even[at] : 0.0};
        for (std::size_t i = 0; i < kNames.size(); ++i) {
          double sum = 0;
          for (const auto& table : tables) sum += table.columns[i][static_cast<std::size_t>(l)];
          EXPECT_NEAR(sum, expected[i], 1e-13) << kNames[i] << " " << l << " " << other << " B " << with_b;
        }
      }
    }
  EXPECT_GT(spin2.odd[static_cast<std::size_t>(3 * (lmax + 1) + 4)], 1e-3);
}

/// Pseudo spectra of a coupled table: what decouple() must undo, by the definition with E and B side by side.
alm::SpectraTable couple(const comm::Communicator& comm, const alm::SpectraTable& table,
                         const std::vector<double>& mask) {
  const Index n = table.lmax + 1;
  const ModeCoupling scalar = mode_coupling(comm, mask, table.lmax, 0, 0);
  const ModeCoupling cross = mode_coupling(comm, mask, table.lmax, 0, 2);
  const ModeCoupling spin2 = mode_coupling(comm, mask, table.lmax, 2, 2);
  alm::SpectraTable result = table;
  for (auto& column : result.columns) std::ranges::fill(column, 0.0);
  const auto add = [&](const char* to, const std::vector<double>& matrix, double factor, const char* from) {
    const auto row = [&](const char* name) {
      return static_cast<std::size_t>(std::ranges::find(kNames, std::string(name)) - kNames.begin());
    };
    for (Index l = 0; l < n; ++l)
      for (Index other = 0; other < n; ++other)
        result.columns[row(to)][static_cast<std::size_t>(l)] +=
            factor * matrix[static_cast<std::size_t>(l * n + other)] *
            table.columns[row(from)][static_cast<std::size_t>(other)];
  };
  add("TT", scalar.even, 1, "TT");
  add("TE", cross.even, 1, "TE");
  add("TB", cross.even, 1, "TB");
  add("EE", spin2.even, 1, "EE");
  add("EE", spin2.odd, 1, "BB");
  add("BB", spin2.odd, 1, "EE");
  add("BB", spin2.even, 1, "BB");
  add("EB", spin2.even, 1, "EB");
  add("EB", spin2.odd, -1, "EB");
  return result;
}

// claims: step decouple
TEST(ModeCoupling, IsUndone) {
  const auto comm = comm::Communicator::world();
  const std::vector<double> mask = some_mask_spectrum(40);
  const alm::SpectraTable truth = some_table(20, kNames);
  const alm::SpectraTable pseudo = couple(comm, truth, mask);
  const alm::SpectraTable found = decouple(comm, pseudo, FieldKind::temperature_polarisation(), mask, 1);
  for (std::size_t i = 0; i < kNames.size(); ++i)
    for (std::size_t l = 0; l <= 20; ++l) EXPECT_NEAR(found.columns[i][l], truth.columns[i][l], 1e-11) << kNames[i];
  EXPECT_GT(std::abs(pseudo.columns[2][10] - truth.columns[2][10]), 1e-3);  // there was something to undo
}

TEST(ModeCoupling, IsUndoneBandByBand) {
  const auto comm = comm::Communicator::world();
  const std::vector<double> mask = some_mask_spectrum(40);
  alm::SpectraTable truth = some_table(20, kNames);  // constant over bands of 4 from 2, and of TT from 0
  for (std::size_t i = 0; i < kNames.size(); ++i)
    for (Index l = 0, first = i == 0 ? 0 : 2; l <= 20; ++l)
      if (l >= first)
        truth.columns[i][static_cast<std::size_t>(l)] =
            truth.columns[i][static_cast<std::size_t>(first + (l - first) / 4 * 4)];
  const alm::SpectraTable found =
      decouple(comm, couple(comm, truth, mask), FieldKind::temperature_polarisation(), mask, 4);
  for (std::size_t i = 0; i < kNames.size(); ++i)
    for (std::size_t l = 0; l <= 20; ++l) EXPECT_NEAR(found.columns[i][l], truth.columns[i][l], 1e-11) << kNames[i];
}

TEST(ModeCoupling, OfTooSmallAMaskIsRefusedWithAdvice) {
  const auto comm = comm::Communicator::world();
  std::vector<double> spot;  // a point: all degrees alike, so nothing tells them apart
  for (Index l = 0; l <= 40; ++l) spot.push_back(1e-4);
  try {
    decouple(comm, some_table(20, {"TT"}), FieldKind::scalar(), spot, 1);
    ADD_FAILURE() << "no error";
  } catch (const core::InputError& error) {
    EXPECT_NE(std::string(error.what()).find("Use bins of more than 1 degree,"), std::string::npos) << error.what();
  }
}

/// Means over drawn maps, decoupled, are the spectra that they were drawn from, to within their scatter.
TEST(ModeCoupling, GivesUnbiasedSpectraOfMaskedMaps) {
  const auto comm = comm::Communicator::world();
  constexpr Index lmax = 40;
  constexpr Index batch = 25;
  constexpr Index batches = 8;
  const auto grid = std::make_shared<grid::RingGrid>(grid::make_healpix(32));
  const auto spec = test::make_spec(FieldKind::temperature_polarisation(), grid, {lmax, lmax}, comm.size(), batch);
  auto mask_spec = test::make_spec(FieldKind::scalar(), grid, {2 * lmax, 2 * lmax}, comm.size());
  mask_spec.pixels = spec.pixels;
  const AnalysisMethod method{{}, Jacobi{3}};

  MapField<double> mask(mask_spec.kind, spec.pixels, comm.rank(), 1);
  test::fill_map(mask, [&](Index, Index, Index p) { return p < grid->npix() * 7 / 10 ? 1.0 : 0.0; });
  AlmField<double> mask_alm(mask_spec.kind, mask_spec.alm, comm.rank(), 1);
  transform::FieldTransform<double> mask_transform(comm, mask_spec);
  analysis(mask_transform, mask, mask_alm, method);
  const std::vector<double> mask_cl = spectra(comm, mask_alm, mask_alm).columns.front();

  alm::SpectraTable truth{lmax, kNames, std::vector<std::vector<double>>(6, std::vector<double>(lmax + 1, 0.0)), ""};
  for (std::size_t l = 2; l <= lmax; ++l) {
    const double power = 100.0 / static_cast<double>(l * l);
    const double share[] = {1, 0.1, 0.02, 0.2, 0, 0};
    for (std::size_t i = 0; i < 6; ++i) truth.columns[i][l] = share[i] * power;
  }
  AlmField<double> alm(spec.kind, spec.alm, comm.rank(), batch);
  MapField<double> map(spec.kind, spec.pixels, comm.rank(), batch);
  transform::FieldTransform<double> transform(comm, spec);
  const Decoupler decoupler(comm, spec.kind, mask_cl, lmax, 1);
  std::vector<alm::SpectraTable> found;
  for (Index first = 0; first < batches * batch; first += batch) {
    random_alm(alm, truth, 20, first);
    transform.synthesis(alm, map);
    apply_mask(map, mask);
    analysis(transform, map, alm, method);
    const auto tables = spectra_of_maps(comm, alm, alm);
    ASSERT_EQ(tables.size(), static_cast<std::size_t>(batch));
    EXPECT_EQ(tables[3].columns, spectra(comm, alm, alm, 3).columns);
    for (const auto& table : tables) found.push_back(decoupler.run(table));
  }
  const auto count = static_cast<double>(found.size());
  for (std::size_t i = 0; i < 6; ++i) {
    double squares = 0;
    for (std::size_t l = 2; l <= lmax; ++l) {
      double mean = 0;
      double scatter = 0;
      for (const auto& table : found) mean += table.columns[i][l] / count;
      for (const auto& table : found) scatter += std::pow(table.columns[i][l] - mean, 2) / (count - 1);
      const double deviation = (mean - truth.columns[i][l]) / std::sqrt(scatter / count);
      EXPECT_LT(std::abs(deviation), 4.5)
          << kNames[i] << " at l = " << l << ": " << mean << " for " << truth.columns[i][l];
      squares += deviation * deviation;
    }
    // chi^2 of 39 numbers, neighbours of which are correlated: 1 +- 0.3 or so.
    EXPECT_LT(squares / (lmax - 1), 2.2) << kNames[i];
    EXPECT_GT(squares / (lmax - 1), 0.2) << kNames[i];
  }
}

}  // namespace
}  // namespace armilla::ops
