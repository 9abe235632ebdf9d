#include <armilla/grid/makers.hpp>

#include <cmath>
#include <numeric>

#include "io_support.hpp"
#include "support/reference_data.hpp"

namespace armilla::test {

namespace {

std::string data_file(const std::string& path) { return source_file("tests/data/" + path); }

double rms(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return std::sqrt(sum / static_cast<double>(values.size()));
}

}  // namespace

TEST(RealFiles, WmapMapsHaveThreeFieldsAndASkyOfTheKnownSize) {
  const io::MapInfo info = io::open_map(source_file("config/data/wmap7_W_iqu_nside32.fits"));
  EXPECT_EQ(info.grid->npix(), 12288);
  EXPECT_EQ(info.metadata.fields, (std::vector<std::string>{"T", "Q", "U"}));
  EXPECT_EQ(info.precision, core::Precision::kSingle);
  const dist::PixelDistribution pixels(info.grid, 1);
  const auto values = read_all_maps<double>(info, pixels, 0, io::BadDataPolicy::kZero);
  // The CMB and the Galaxy in mK at this resolution: tenths for T, hundredths for Q and U.
  const double t = rms(std::span(values).first(12288));
  const double q = rms(std::span(values).subspan(12288, 12288));
  EXPECT_GT(t, 0.05);
  EXPECT_LT(t, 1.0);
  EXPECT_GT(q, 0.001);
  EXPECT_LT(q, t / 3);
}

TEST(RealFiles, SmoothedMapOfFortranHealpixIsReadWithItsKeywords) {
  const io::MapInfo info = io::open_map(data_file("wmap/smoothing_fortran_W_iqu_10deg.fits"));
  EXPECT_EQ(info.metadata.fields, (std::vector<std::string>{"T", "Q", "U"}));
  EXPECT_EQ(info.metadata.polcconv, "COSMO");
  EXPECT_EQ(info.metadata.coordsys, "");
  EXPECT_EQ(info.metadata.units, (std::vector<std::string>{"", "", ""}));
  const dist::PixelDistribution pixels(info.grid, 1);
  EXPECT_NO_THROW(read_all_maps<double>(info, pixels, 0));
}

TEST(RealFiles, TopographyHasTheMeanHeightOfEarth) {
  const io::AlmInfo info = io::open_alm(data_file("topography/earth_topography_lmax300_alm.fits"));
  EXPECT_EQ(info.lmax, 300);
  EXPECT_EQ(info.mmax, 300);
  EXPECT_EQ(info.components, 1);
  const dist::AlmDistribution alm({300, 300}, 1);
  const auto values = read_all_alm<double>(info, alm, 0);
  const double mean = values[0].real() / std::sqrt(4 * core::kPi);  // [m]; oceans of 3.7 km on 71% of the sphere
  EXPECT_GT(mean, -2500.0);
  EXPECT_LT(mean, -2200.0);
  for (Index l = 0; l <= 300; ++l) EXPECT_EQ(values[static_cast<std::size_t>(l)].imag(), 0.0);
}

TEST(RealFiles, SpectraOfFortranAnafastGoByName) {
  const alm::SpectraTable table =
      io::read_spectra(data_file("wmap/anafast_fortran_W_iqu_lmax64_rmmono_iter3.fits"), false);
  EXPECT_EQ(table.lmax, 64);
  EXPECT_EQ(table.names, (std::vector<std::string>{"TT", "EE", "BB", "TE", "TB", "EB"}));
  EXPECT_GT((*table.find("TT"))[2], (*table.find("EE"))[2]);
  EXPECT_EQ((*table.find("EE"))[1], 0.0);
  const alm::SpectraTable cross =
      io::read_spectra(data_file("wmap/anafast_fortran_WxV_ii_lmax64_rmmono_iter3.fits"), false);
  EXPECT_EQ(cross.names, std::vector<std::string>{"TT"});
}

TEST(RealFiles, PlanckSpectraInTextBecomeCl) {
  const alm::SpectraTable table = io::read_spectra(data_file("spectra/FFP10_wdipole_lensedCls.dat"), true);
  EXPECT_EQ(table.names, (std::vector<std::string>{"TT", "EE", "BB", "TE"}));
  EXPECT_EQ((*table.find("TT"))[0], 0.0);
  EXPECT_NEAR((*table.find("TT"))[2], 0.10355e4 * 2 * core::kPi / 6, 1e-9);
}

}  // namespace armilla::test
