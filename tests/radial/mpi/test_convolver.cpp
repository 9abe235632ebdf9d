#include <armilla/grid/makers.hpp>
#include <armilla/grid/part.hpp>
#include <armilla/radial/convolver.hpp>
#include <armilla/radial/support.hpp>

#include "support/fields.hpp"
#include "support/mpi_main.hpp"
#include <gtest/gtest.h>
#include <omp.h>

namespace armilla::radial {
namespace {

using core::at;
using core::kPi;

struct GridCase {
  std::string name;
  grid::RingGrid grid;
  double spacing;  // of pixels, about [rad]
};

std::vector<GridCase> grids() {
  std::vector<GridCase> cases;
  for (Index nside : {8, 16, 32})
    cases.push_back({"healpix " + std::to_string(nside), grid::make_healpix(nside), 1.02 / static_cast<double>(nside)});
  cases.push_back({"gauss", grid::make_gauss(25, 52, 0.3), kPi / 25});
  cases.push_back({"cc, with poles", grid::make_equiangular("cc", 33, 64), kPi / 32});
  cases.push_back({"reduced gauss", grid::make_reduced_gauss(30), kPi / 30});
  cases.push_back({"part", grid::part_of(grid::make_healpix(16), {.theta = grid::ThetaRange{0.4, 1.9}}), 0.064});
  const double theta[] = {0.0, 1e-7, 0.11, 0.13, 0.5, 0.9, 1.0, 1.5, kPi / 2, 1.7, 2.2, 2.9, 3.1};
  const double phi0[] = {0.0, 1.0, 0.2, 0.0, 5.0, 0.1, 0.1, 0.3, 0.0, 0.7, 0.2, 1.0, 3.0};
  const Index nphi[] = {1, 3, 7, 8, 37, 64, 64, 100, 101, 90, 50, 13, 4};
  cases.push_back({"irregular", grid::make_rings(theta, phi0, nphi, {}, "test"), 0.1});
  return cases;
}

double pixel_value(Index field, Index pixel) {
  return test::noise(static_cast<std::uint64_t>(pixel), static_cast<std::uint64_t>(field), 5);
}

double ring_weight(Index ring) { return 0.01 + 0.001 * static_cast<double>(ring % 7); }

/// A map on any grid, [field][own pixel].
struct Fields {
  Fields(std::shared_ptr<const dist::PixelDistribution> pixels_, int rank_, Index count)
      : pixels(std::move(pixels_)),
        rank(rank_),
        values(at(count), std::vector<double>(at(pixels->local_pixels(rank)))) {}
  void fill() {
    for (std::size_t field = 0; field < values.size(); ++field)
      for_pixels(
          [&](Index pixel, std::size_t own) { values[field][own] = pixel_value(static_cast<Index>(field), pixel); });
  }
  template <class Visit>
  void for_pixels(const Visit& visit) const {
    std::size_t own = 0;
    for (const auto& range : pixels->pixel_ranges(rank))
      for (Index pixel = range.first; pixel < range.first + range.count; ++pixel) visit(pixel, own++);
  }
  std::vector<std::span<const double>> inputs() const { return {values.begin(), values.end()}; }
  std::vector<std::span<double>> outputs() { return {values.begin(), values.end()}; }

  std::shared_ptr<const dist::PixelDistribution> pixels;
  int rank;
  std::vector<std::vector<double>> values;
};

/// The convolution at one pixel, from all pixels.
double direct_sum(const grid::RingGrid& in, const grid::Ring& ring, Index j, const ConvolutionSpec& spec, Index field) {
  const double phi = ring.phi0 + 2 * kPi * static_cast<double>(j) / static_cast<double>(ring.nphi);
  double sum = 0;
  for (std::size_t r = 0; r < in.rings().size(); ++r) {
    const grid::Ring& other = in.rings()[r];
    const double half = std::sin((ring.theta - other.theta) / 2);
    for (Index k = 0; k < other.nphi; ++k) {
      const double turn =
          std::sin((phi - other.phi0 - 2 * kPi * static_cast<double>(k) / static_cast<double>(other.nphi)) / 2);
      const double s = half * half + ring.sin_theta * other.sin_theta * turn * turn;
      const double angle = 2 * std::asin(std::sqrt(std::min(1.0, s)));
      if (angle <= spec.cutoff)
        sum +=
            spec.kernel->value(angle) * ring_weight(static_cast<Index>(r)) * pixel_value(field, other.first_pixel + k);
    }
  }
  return sum;
}

std::vector<double> weights_of(const grid::RingGrid& grid) {
  std::vector<double> weights;
  for (std::size_t r = 0; r < grid.rings().size(); ++r) weights.push_back(ring_weight(static_cast<Index>(r)));
  return weights;
}

double error_of(const comm::Communicator& comm, const Fields& result, const grid::RingGrid& in,
                const ConvolutionSpec& spec) {
  double sums[2] = {0, 0};
  const grid::RingGrid& out = result.pixels->grid();
  const Index stride = std::max<Index>(1, out.npix() / 120);
  for (std::size_t field = 0; field < result.values.size(); ++field)
    result.for_pixels([&](Index pixel, std::size_t own) {
      if (pixel % stride != 0 && pixel >= 20) return;
      const auto ring = std::prev(std::upper_bound(out.rings().begin(), out.rings().end(), pixel,
                                                   [](Index p, const grid::Ring& r) { return p < r.first_pixel; }));
      const double expected = direct_sum(in, *ring, pixel - ring->first_pixel, spec, static_cast<Index>(field));
      sums[0] += std::pow(result.values[field][own] - expected, 2);
      sums[1] += std::pow(expected, 2);
    });
  comm.sum(sums);
  EXPECT_GT(sums[1], 0);
  return std::sqrt(sums[0] / sums[1]);
}

ConvolutionSpec gaussian_spec(double fwhm) {
  const double sigma = fwhm / std::sqrt(8 * std::log(2.0));
  ConvolutionSpec spec{gaussian_kernel(fwhm), std::min(kPi, 7.7 * sigma)};
  spec.degree = band_limit(*spec.kernel, 1e-13);
  return spec;
}

// Every `stride`-th combination.
void expect_sums_over_all_pixels(int stride) {
  const auto comm = comm::Communicator::world();
  int number = 0;
  for (const GridCase& c : grids())
    for (double pixels : {2.0, 3.5, 10.0, 1000.0})
      for (bool direct : {false, true}) {
        if (number++ % stride != 0) continue;
        SCOPED_TRACE(c.name + ", fwhm of " + std::to_string(pixels) + " pixels" + (direct ? ", direct" : ""));
        const auto grid = std::make_shared<grid::RingGrid>(c.grid);
        const auto distribution = std::make_shared<dist::PixelDistribution>(grid, comm.size());
        ConvolutionSpec spec = gaussian_spec(std::min(pixels * c.spacing, 2.0));
        spec.direct = direct;
        Fields in(distribution, comm.rank(), 2), out(distribution, comm.rank(), 2);
        in.fill();
        Convolver<double> convolver(comm, distribution, {{spec, distribution}}, 2);
        convolver(in.inputs(), weights_of(c.grid), {out.outputs()});
        const double error = error_of(comm, out, c.grid, spec);
        // Where the kernel reaches the other side, the angle there is good to 1e-8 only.
        EXPECT_LE(error, direct ? 5e-12 : 1e-10);
      }
}

// Three divides no number of values, so that each value occurs.
TEST(Convolver, EqualsTheSumOverAllPixels) { expect_sums_over_all_pixels(3); }
TEST(ConvolverSweep, EqualsTheSumOverAllPixels) { expect_sums_over_all_pixels(1); }

// Rows on the lattice of the pixels, by cosine sums and by FFTs.
TEST(Convolver, IsExactForKernelsWithoutBandLimit) {
  const auto comm = comm::Communicator::world();
  bool by_cosines = false, by_ffts = false;
  for (const GridCase& c : grids())
    for (double radius : {0.3, 1.3, 2.4}) {
      SCOPED_TRACE(c.name + ", top hat of " + std::to_string(radius));
      const auto grid = std::make_shared<grid::RingGrid>(c.grid);
      const auto distribution = std::make_shared<dist::PixelDistribution>(grid, comm.size());
      const ConvolutionSpec spec{top_hat_kernel(radius), radius};
      const RowPlan plan(c.grid, c.grid, spec, {0, static_cast<Index>(c.grid.pairs().size())});
      for (Index p = 0; p < plan.own().end; ++p) by_cosines = by_cosines || plan.out_modes(p) > 0;
      by_ffts = by_ffts || plan.has_row_fft();
      Fields in(distribution, comm.rank(), 2), out(distribution, comm.rank(), 2);
      in.fill();
      Convolver<double> convolver(comm, distribution, {{spec, distribution}}, 2);
      convolver(in.inputs(), weights_of(c.grid), {out.outputs()});
      EXPECT_LE(error_of(comm, out, c.grid, spec), 1e-12);
    }
  EXPECT_TRUE(by_cosines);
  EXPECT_TRUE(by_ffts);
}

TEST(Convolver, TakesAStripOfRingsToTheWholeSky) {
  const auto comm = comm::Communicator::world();
  const auto strip =
      std::make_shared<grid::RingGrid>(grid::part_of(grid::make_healpix(32), {.theta = grid::ThetaRange{0.35, 0.5}}));
  const auto in_pixels = std::make_shared<dist::PixelDistribution>(strip, comm.size());
  const auto out_pixels =
      std::make_shared<dist::PixelDistribution>(std::make_shared<grid::RingGrid>(grid::make_healpix(32)), comm.size());
  Fields in(in_pixels, comm.rank(), 1), out(out_pixels, comm.rank(), 1);
  in.fill();
  const ConvolutionSpec spec = gaussian_spec(0.03);
  Convolver<double> convolver(comm, in_pixels, {{spec, out_pixels}}, 1);
  convolver(in.inputs(), weights_of(*strip), {out.outputs()});
  EXPECT_LE(error_of(comm, out, *strip, spec), 1e-10);
}

// Pixels that rounding puts beyond the cutoff or not, whatever way the kernel is evaluated.
TEST(Convolver, CountsPixelsAtTheCutoffAsWithinIt) {
  const auto comm = comm::Communicator::world();
  const auto grid = std::make_shared<grid::RingGrid>(grid::make_equiangular("cc", 33, 64));
  const auto pixels = std::make_shared<dist::PixelDistribution>(grid, comm.size());
  Fields in(pixels, comm.rank(), 1);
  in.fill();
  std::vector<Fields> results;
  for (const auto& [direct, tabled] : {std::pair{true, false}, {false, false}, {true, true}, {false, true}}) {
    ConvolutionSpec spec{top_hat_kernel(3 * kPi / 32), 3 * kPi / 32};
    spec.direct = direct;
    if (tabled) spec.table = std::make_shared<InterpolatedKernel>(*spec.kernel, spec.cutoff, 1e-13);
    Fields& out = results.emplace_back(pixels, comm.rank(), 1);
    Convolver<double> convolver(comm, pixels, {{spec, pixels}}, 1);
    convolver(in.inputs(), weights_of(*grid), {out.outputs()});
  }
  double sums[4] = {};
  for (std::size_t k = 0; k < results.size(); ++k)
    for (std::size_t i = 0; i < results[k].values[0].size(); ++i)
      sums[k] += k == 0 ? std::pow(results[0].values[0][i], 2)
                        : std::pow(results[k].values[0][i] - results[0].values[0][i], 2);
  comm.sum(sums);
  for (int k = 1; k < 4; ++k) EXPECT_LE(std::sqrt(sums[k] / sums[0]), 1e-12) << k;
}

TEST(Convolver, GivesSeveralKernelsOnGridsOfTheirOwn) {
  const auto comm = comm::Communicator::world();
  const auto grid = std::make_shared<grid::RingGrid>(grid::make_healpix(16));
  const auto in_pixels = std::make_shared<dist::PixelDistribution>(grid, comm.size());
  Fields in(in_pixels, comm.rank(), 1);
  in.fill();
  std::vector<ConvolutionTarget> targets;
  std::vector<Fields> results;
  const auto add = [&](const ConvolutionSpec& spec, grid::RingGrid on) {
    const auto pixels =
        std::make_shared<dist::PixelDistribution>(std::make_shared<grid::RingGrid>(std::move(on)), comm.size());
    targets.push_back({spec, pixels});
    results.emplace_back(pixels, comm.rank(), 1);
  };
  add(gaussian_spec(0.2), grid::make_healpix(16));
  add(gaussian_spec(0.4), grid::make_healpix(8));
  add(gaussian_spec(0.3), grid::make_gauss(21, 40));
  add({top_hat_kernel(0.3), 0.3}, grid::make_healpix(4));
  std::vector<std::vector<std::span<double>>> out;
  for (Fields& result : results) out.push_back(result.outputs());
  Convolver<double> convolver(comm, in_pixels, targets, 1);
  convolver(in.inputs(), weights_of(*grid), out);
  for (std::size_t t = 0; t < targets.size(); ++t) {
    SCOPED_TRACE(t);
    EXPECT_LE(error_of(comm, results[t], *grid, targets[t].spec), 1e-10);
    Fields alone(targets[t].pixels, comm.rank(), 1);
    Convolver<double> one(comm, in_pixels, {targets[t]}, 1);
    one(in.inputs(), weights_of(*grid), {alone.outputs()});
    EXPECT_EQ(alone.values, results[t].values) << "results depend on other kernels";
  }
}

TEST(Convolver, IsBitwiseIdenticalOnAnyRanksThreadsAndFields) {
  const auto comm = comm::Communicator::world();
  const auto self = comm::Communicator::self();
  for (const GridCase& c : grids()) {
    SCOPED_TRACE(c.name);
    const auto grid = std::make_shared<grid::RingGrid>(c.grid);
    const auto spec = gaussian_spec(3 * c.spacing);
    const auto together = std::make_shared<dist::PixelDistribution>(grid, comm.size());
    Fields in(together, comm.rank(), 3), out(together, comm.rank(), 3);
    in.fill();
    Convolver<double> convolver(comm, together, {{spec, together}}, 3);
    convolver(in.inputs(), weights_of(c.grid), {out.outputs()});

    const int threads = omp_get_max_threads();
    omp_set_num_threads(3);
    const auto alone = std::make_shared<dist::PixelDistribution>(grid, 1);
    Fields whole_in(alone, 0, 1), whole(alone, 0, 1);
    whole_in.fill();
    Convolver<double> single(self, alone, {{spec, alone}}, 1);
    single(whole_in.inputs(), weights_of(c.grid), {whole.outputs()});
    omp_set_num_threads(threads);
    Index different = 0;
    out.for_pixels(
        [&](Index pixel, std::size_t own) { different += out.values[0][own] != whole.values[0][at(pixel)]; });
    EXPECT_EQ(different, 0);
  }
}

void expect_zero_out_of_reach(const grid::RingGrid& on, const ConvolutionSpec& spec) {
  const auto comm = comm::Communicator::world();
  const auto grid = std::make_shared<grid::RingGrid>(on);
  const auto pixels = std::make_shared<dist::PixelDistribution>(grid, comm.size());
  const Index source = grid->npix() / 2 + 17;
  const auto ring = std::prev(std::upper_bound(grid->rings().begin(), grid->rings().end(), source,
                                               [](Index p, const grid::Ring& r) { return p < r.first_pixel; }));
  Fields in(pixels, comm.rank(), 1), out(pixels, comm.rank(), 1);
  in.for_pixels([&](Index pixel, std::size_t own) { in.values[0][own] = pixel == source; });
  Convolver<double> convolver(comm, pixels, {{spec, pixels}}, 1);
  convolver(in.inputs(), weights_of(*grid), {out.outputs()});
  double peak = 0;
  std::vector<double> outside, far;
  out.for_pixels([&](Index pixel, std::size_t own) {
    const auto other = std::prev(std::upper_bound(grid->rings().begin(), grid->rings().end(), pixel,
                                                  [](Index p, const grid::Ring& r) { return p < r.first_pixel; }));
    const double phi = other->phi0 - ring->phi0 +
                       2 * kPi *
                           (static_cast<double>(pixel - other->first_pixel) / static_cast<double>(other->nphi) -
                            static_cast<double>(source - ring->first_pixel) / static_cast<double>(ring->nphi));
    const double cosine = ring->cos_theta * other->cos_theta + ring->sin_theta * other->sin_theta * std::cos(phi);
    const double value = std::abs(out.values[0][own]);
    peak = std::max(peak, value);
    if (std::abs(other->theta - ring->theta) > spec.cutoff + 1e-9) far.push_back(value);
    if (std::acos(std::clamp(cosine, -1.0, 1.0)) > spec.cutoff + 1e-6) outside.push_back(value);
  });
  comm.max(std::span<double>(&peak, 1));
  EXPECT_GT(peak, 0);
  for (double value : far) EXPECT_EQ(value, 0);
  for (double value : outside) EXPECT_LE(value, spec.direct ? 0 : 1e-15 * peak);
}

TEST(Convolver, IsZeroOutOfReach) {
  for (const grid::RingGrid& grid : {grid::make_healpix(32), grid::make_gauss(65, 256)})
    for (double cutoff : {0.1, 0.3, 1.2, 2.0}) {
      SCOPED_TRACE(std::to_string(grid.npix()) + " pixels, cutoff " + std::to_string(cutoff));
      // The kernel is cut where it has 2e-3 of its peak.
      ConvolutionSpec spec{gaussian_kernel(0.66 * cutoff), cutoff};
      const RowPlan plan(grid, grid, spec, {0, static_cast<Index>(grid.pairs().size())});
      EXPECT_EQ(plan.out_modes(plan.own().end / 2) > 0, cutoff > 0.2);  // the way of most rings
      expect_zero_out_of_reach(grid, spec);
      spec.direct = true;
      expect_zero_out_of_reach(grid, spec);
    }
}

}  // namespace
}  // namespace armilla::radial

int main(int argc, char** argv) { return armilla::test::mpi_main(argc, argv); }
