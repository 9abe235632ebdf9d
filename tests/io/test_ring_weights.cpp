#include <armilla/core/error.hpp>
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
  for (const auto& [nside, degree] : {std::pair<Index, Index>{32, 100}, {64, 226}, {512, 1700}}) {
    char name[64];
    std::snprintf(name, sizeof(name), "weight_ring_n%05d.fits", static_cast<int>(nside));
    const std::vector<double> expected =
        weights_of_file(test::source_file(std::string("tests/data/ring_weights/") + name));
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

// The largest difference of the sums over rings of zonal harmonics from what they should be, in long double, with rings
// where Gorski et al. 2005 have them: cos(theta) in double alone would cost 1e-13 at nside 1024.
double largest_error(Index nside, Index degree) {
  const std::vector<double> weights = healpix_ring_weights(nside, degree);
  std::vector<long double> sums(static_cast<std::size_t>(degree + 1), 0);
  const auto n = static_cast<long double>(nside);
  const auto pi = 3.14159265358979323846L;
  for (Index number = 1; number < 4 * nside; ++number) {
    const Index folded = std::min(number, 4 * nside - number);
    const auto i = static_cast<long double>(folded);
    const long double z = folded < nside ? 1 - i * i / (3 * n * n) : (4 * n - 2 * i) / (3 * n);
    const long double x = number == folded ? z : -z;
    const long double correction = weights[static_cast<std::size_t>(folded - 1)];
    const long double weight = 4 * std::min(i, n) * pi / (3 * n * n) * (1 + correction);
    long double last = 0;
    long double here = 1;
    for (Index l = 0; l <= degree; ++l) {
      const auto k = static_cast<long double>(l);
      sums[static_cast<std::size_t>(l)] += weight * std::sqrt((2 * k + 1) / (4 * pi)) * here;
      const long double next = ((2 * k + 1) * x * here - k * last) / (k + 1);
      last = here;
      here = next;
    }
  }
  sums[0] -= std::sqrt(4 * pi);
  long double worst = 0;
  for (const long double sum : sums) worst = std::max(worst, std::abs(sum));
  return static_cast<double>(worst);
}

TEST(RingWeights, IntegrateZonalHarmonics) {
  // HEALPix's degrees, those that are taken where none is given, and the highest.
  for (const auto& [nside, degree] : {std::pair<Index, Index>{32, 100},
                                      {64, 226},
                                      {512, 1700},
                                      {1, ring_weights_degree(1)},
                                      {2, ring_weights_limit(2)},
                                      {7, 20},
                                      {48, ring_weights_limit(48)},
                                      {100, ring_weights_degree(100)},
                                      {1024, ring_weights_degree(1024)}}) {
    const double error = largest_error(nside, degree);
    std::printf("nside %lld, degree %lld: %.1e\n", static_cast<long long>(nside), static_cast<long long>(degree),
                error);
    EXPECT_LE(error, 1e-14);
  }
}

TEST(RingWeights, DegreesAreOfAnyNside) {
  EXPECT_EQ(ring_weights_degree(32), 100);
  EXPECT_EQ(ring_weights_limit(64), 230);
  for (Index nside = 1; nside <= 40; ++nside) {
    EXPECT_LE(ring_weights_degree(nside), ring_weights_limit(nside));
    EXPECT_GE(ring_weights_degree(nside), 2);
    EXPECT_EQ(static_cast<Index>(healpix_ring_weights(nside, ring_weights_limit(nside)).size()), 2 * nside);
  }
  // Without 32-bit trouble; to find weights there would take days.
  EXPECT_EQ(ring_weights_limit(Index{1} << 29), 18 * (Index{1} << 29) / 5);
}

TEST(RingWeights, RefuseDegreesThatCannotBe) {
  EXPECT_THROW(healpix_ring_weights(0, 1), core::InputError);
  EXPECT_THROW(healpix_ring_weights(8, -1), core::InputError);
  EXPECT_THROW(healpix_ring_weights(8, 29), core::InputError);
}

}  // namespace
}  // namespace armilla::grid
