#include <armilla/backend/cuda/radial_stage.hpp>
#include <armilla/comm/communicator.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/radial/convolver.hpp>
#include <armilla/radial/device_tables.hpp>
#include <armilla/radial/support.hpp>

#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>
#include <kernels/core/memory.hpp>
#include <support/device.hpp>

namespace armilla::radial {
namespace {

using core::at;

constexpr Index kStageFields = 3;
constexpr Index kWork = Index{64} << 20;

struct StageCase {
  const char* name;
  grid::RingGrid in, out;
  ConvolutionSpec spec;
};

std::vector<double> noise(Index count) {
  std::mt19937 engine(7);
  std::normal_distribution<double> normal;
  std::vector<double> values;
  for (Index i = 0; i < count; ++i) values.push_back(normal(engine));
  return values;
}

std::vector<Index> first_pixels(const grid::RingGrid& grid) {
  std::vector<Index> first;
  for (const grid::Ring& ring : grid.rings()) first.push_back(ring.first_pixel);
  return first;
}

/// Without mirror images, of odd lengths, turned.
grid::RingGrid irregular_rings() {
  const double theta[] = {0.1, 0.7, 0.9, 1.5, 2.2, 3.0}, phi0[] = {0, 0.3, 2.5, 0.1, 1.0, 4.0};
  const Index nphi[] = {3, 17, 17, 30, 17, 5};
  return grid::make_rings(theta, phi0, nphi, {}, "test");
}

/// [field][pixel], by the CPU.
std::vector<double> by_cpu(const StageCase& one, const std::vector<double>& in, const std::vector<double>& areas) {
  const auto comm = comm::Communicator::self();
  const auto pixels = [](const grid::RingGrid& grid) {
    return std::make_shared<dist::PixelDistribution>(std::make_shared<const grid::RingGrid>(grid), 1);
  };
  const auto from = pixels(one.in), to = pixels(one.out);
  Convolver<double> convolver(comm, from, {{one.spec, to}}, kStageFields);
  std::vector<double> out(at(kStageFields * one.out.npix()));
  std::vector<std::span<const double>> fields;
  std::vector<std::vector<std::span<double>>> results(1);
  for (Index k = 0; k < kStageFields; ++k) {
    fields.push_back(std::span(in).subspan(at(k * one.in.npix()), at(one.in.npix())));
    results[0].push_back(std::span(out).subspan(at(k * one.out.npix()), at(one.out.npix())));
  }
  convolver(fields, areas, results);
  return out;
}

void compare(StageCase one) {
  one.spec.device_table = std::make_shared<InterpolatedKernel>(*one.spec.kernel, one.spec.cutoff, 1e-13);
  const std::vector<double> in = noise(kStageFields * one.in.npix());
  std::vector<double> areas;
  for (std::size_t ring = 0; ring < one.in.rings().size(); ++ring)
    areas.push_back(0.01 * (1 + 0.1 * static_cast<double>(ring % 7)));
  const std::vector<double> expected = by_cpu(one, in, areas);
  const RowPlan plans[] = {{one.in, one.out, one.spec, {0, static_cast<Index>(one.out.pairs().size())}}};
  const auto in_first = first_pixels(one.in), out_first = first_pixels(one.out);
  const PixelPlaces places[] = {{out_first, one.out.npix()}};
  const backend::RadialTables tables =
      make_device_tables(plans, areas, {in_first, one.in.npix()}, places, kStageFields);
  const kernels::Stream stream;
  backend::RadialStage stage(tables, kWork, stream);
  const auto there = kernels::upload<double>(in, stream);
  std::vector<double> found(expected.size(), std::nan(""));
  auto result = kernels::upload<double>(found, stream);
  const kernels::DevicePointer<double> results[] = {result.data()};
  stage(there.data(), results, stream);
  kernels::copy(found.data(), result.data(), result.size(), stream);
  stream.wait();
  double difference = 0, power = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    difference += std::pow(found[i] - expected[i], 2);
    power += std::pow(expected[i], 2);
  }
  // Sums of some thousand numbers in another order, and tables of kernels with errors of 1e-13.
  EXPECT_LE(std::sqrt(difference / power), 2e-12) << one.name;
}

ConvolutionSpec plain_gaussian(double fwhm, double cutoff) {
  ConvolutionSpec spec{gaussian_kernel(fwhm), cutoff};
  spec.degree = band_limit(*spec.kernel, 1e-13);
  return spec;
}

TEST(RadialStage, AgreesWithTheCpu) {
  ARMILLA_NEEDS_DEVICE();
  const grid::RingGrid healpix = grid::make_healpix(16), coarse = grid::make_healpix(8);
  const grid::RingGrid gauss = grid::make_gauss(24, 48);
  ConvolutionSpec direct = plain_gaussian(0.2, 0.5), truncated = plain_gaussian(0.2, 0.7);
  direct.direct = true;
  truncated.truncate = true;
  const StageCase cases[] = {
      {"narrow", healpix, healpix, plain_gaussian(0.15, 0.5)},
      {"wide", healpix, healpix, plain_gaussian(1, core::kPi)},
      {"top hat", healpix, healpix, {top_hat_kernel(0.3), 0.3}},
      {"wide top hat", healpix, healpix, {top_hat_kernel(1.2), 1.2}},
      {"wide top hat on a Gauss grid", gauss, gauss, {top_hat_kernel(1.2), 1.2}},
      {"direct", healpix, healpix, direct},
      {"truncated", healpix, healpix, truncated},
      {"other grid", healpix, coarse, plain_gaussian(0.3, 1)},
      {"finer grid", coarse, healpix, plain_gaussian(0.3, 1)},
      {"Gauss", gauss, gauss, plain_gaussian(0.4, 1.2)},
      {"poles", grid::make_equiangular("cc", 25, 48), grid::make_equiangular("cc", 25, 48), plain_gaussian(0.4, 1.2)},
      {"reduced Gauss", grid::make_reduced_gauss(32), healpix, plain_gaussian(0.25, 0.8)},
      {"irregular", irregular_rings(), irregular_rings(), plain_gaussian(0.5, 1.5)}};
  for (const StageCase& one : cases) compare(one);
}

}  // namespace
}  // namespace armilla::radial
