#include <armilla/core/error.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/grid/ring_weights.hpp>

#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "support/reference_data.hpp"
#include <fitsio.h>
#include <gtest/gtest.h>

namespace armilla::grid {
namespace {

// The weights less one of the northern rings and the equator, as HEALPix's file has them.
std::vector<double> weights_of_file(const std::string& path) {
  fitsfile* file = nullptr;
  int status = 0;
  long rows = 0;
  long width = 0;
  fits_open_table(&file, path.c_str(), READONLY, &status);
  fits_get_num_rows(file, &rows, &status);
  fits_get_coltype(file, 1, nullptr, &width, nullptr, &status);
  std::vector<double> values(static_cast<std::size_t>(rows * width));
  fits_read_col(file, TDOUBLE, 1, 1, 1, rows * width, nullptr, values.data(), nullptr, &status);
  fits_close_file(file, &status);
  EXPECT_EQ(status, 0) << path;
  return values;
}

TEST(RingWeights, AreThoseOfHealpix) {
  const auto shared = test::shared_dir();
  if (!shared) GTEST_SKIP() << "no reference data here";
  for (const auto& [nside, degree] : {std::pair<Index, Index>{32, 100}, {64, 226}, {512, 1700}}) {
    char name[64];
    std::snprintf(name, sizeof(name), "weight_ring_n%05d.fits", static_cast<int>(nside));
    const std::vector<double> expected = weights_of_file(*shared + "/data/ring_weights/" + name);
    const std::vector<double> found = healpix_ring_weights(nside, degree);
    ASSERT_EQ(found.size(), expected.size());
    // The file of nside 512 leaves 2e-14 of the conditions, where the exact solution leaves less than 1e-19; its first
    // two rings, of 4 and 8 pixels, differ by 3e-11 and 2e-11 for that.
    double worst = 0;
    double squares = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      worst = std::max(worst, std::abs(found[i] - expected[i]));
      squares += (found[i] - expected[i]) * (found[i] - expected[i]);
    }
    const double rms = std::sqrt(squares / static_cast<double>(found.size()));
    std::printf("nside %lld: rms %.1e, at most %.1e\n", static_cast<long long>(nside), rms, worst);
    EXPECT_LE(rms, nside == 512 ? 2e-12 : 2e-13);
    EXPECT_LE(worst, nside == 512 ? 4e-11 : 1e-12);
  }
}

TEST(RingWeights, IntegrateZonalHarmonics) {
  for (const auto& [nside, degree] : {std::pair<Index, Index>{1, 2}, {7, 20}, {48, 150}}) {
    const RingGrid grid = make_healpix(nside);
    const std::vector<double> weights = healpix_ring_weights(nside, degree);
    for (Index l = 0; l <= degree; ++l) {
      double sum = 0;
      for (std::size_t i = 0; i < grid.rings().size(); ++i) {
        const Ring& ring = grid.rings()[i];
        const std::size_t own = std::min(i, grid.rings().size() - 1 - i);
        sum += ring.weight * (1 + weights[own]) * std::sqrt((2 * static_cast<double>(l) + 1) / (4 * core::kPi)) *
               std::legendre(static_cast<unsigned>(l), ring.cos_theta);
      }
      EXPECT_NEAR(sum, l == 0 ? std::sqrt(4 * core::kPi) : 0.0, 1e-14) << "nside " << nside << ", l = " << l;
    }
  }
}

TEST(RingWeights, RefuseDegreesThatCannotBe) {
  EXPECT_THROW(healpix_ring_weights(0, 1), core::InputError);
  EXPECT_THROW(healpix_ring_weights(8, -1), core::InputError);
  EXPECT_THROW(healpix_ring_weights(8, 31), core::InputError);
}

}  // namespace
}  // namespace armilla::grid
