// Convolution in bands on the device, from and to the host, against the CPU's.
#include <armilla/comm/communicator.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/radial/convolver.hpp>
#include <armilla/radial/device_convolver.hpp>
#include <armilla/radial/support.hpp>

#include <cmath>

#include <gtest/gtest.h>
#include <support/device.hpp>
#include <support/fields.hpp>
#include <support/mpi_main.hpp>

namespace armilla::radial {
namespace {

using core::at;

constexpr Index kFields = 3;
constexpr Index kAllBands = Index{256} << 20;

/// [field][own pixel]
template <class T>
using Values = std::vector<std::vector<T>>;

std::shared_ptr<const dist::PixelDistribution> pixels_of(const grid::RingGrid& grid, int ranks) {
  return std::make_shared<dist::PixelDistribution>(std::make_shared<const grid::RingGrid>(grid), ranks);
}

template <class T>
Values<T> noise(const dist::PixelDistribution& pixels, int rank) {
  Values<T> values(at(kFields));
  for (Index field = 0; field < kFields; ++field)
    for (const auto& range : pixels.pixel_ranges(rank))
      for (Index pixel = range.first; pixel < range.first + range.count; ++pixel)
        values[at(field)].push_back(
            static_cast<T>(test::noise(static_cast<std::uint64_t>(pixel), static_cast<std::uint64_t>(field), 3)));
  return values;
}

std::vector<double> areas_of(const grid::RingGrid& grid) {
  std::vector<double> areas;
  for (std::size_t ring = 0; ring < grid.rings().size(); ++ring)
    areas.push_back(0.01 * (1 + 0.1 * static_cast<double>(ring % 7)));
  return areas;
}

ConvolutionSpec tabulated_gaussian(double fwhm, double cutoff) {
  ConvolutionSpec spec{gaussian_kernel(fwhm), cutoff};
  spec.degree = band_limit(*spec.kernel, 1e-13);
  spec.device_table = std::make_shared<InterpolatedKernel>(*spec.kernel, cutoff, 1e-13);
  return spec;
}

/// Two results of one input, of which the second is on a grid of its own.
template <class T>
struct DeviceRun {
  DeviceRun(const comm::Communicator& comm, const grid::RingGrid& grid)
      : in(pixels_of(grid, comm.size())),
        targets{{tabulated_gaussian(0.15, 0.5), in},
                {tabulated_gaussian(0.5, 1.2), pixels_of(grid::make_healpix(8), comm.size())}},
        from(noise<T>(*in, comm.rank())) {
    for (const ConvolutionTarget& target : targets)
      to.emplace_back(at(kFields), std::vector<T>(at(target.pixels->local_pixels(comm.rank())), T(-7)));
  }
  template <class Convolution>
  void operator()(Convolution& convolution) {
    std::vector<std::span<const T>> fields(from.begin(), from.end());
    std::vector<std::vector<std::span<T>>> out;
    for (Values<T>& result : to) out.emplace_back(result.begin(), result.end());
    convolution(fields, areas_of(in->grid()), out);
  }

  /// From and to arrays on the device.
  void at_once(DeviceConvolver<T>& convolver, backend::Memory& memory) {
    const auto bytes = [](const std::vector<T>& field) { return static_cast<Index>(field.size() * sizeof(T)); };
    const auto there = memory.allocate(kFields * bytes(from[0]));
    for (std::size_t field = 0; field < from.size(); ++field)
      memory.from_host(static_cast<T*>(there.get()) + field * from[0].size(), from[field].data(), bytes(from[0]));
    std::vector<std::shared_ptr<void>> results;
    std::vector<T*> out;
    for (const Values<T>& result : to) {
      results.push_back(memory.allocate(kFields * bytes(result[0])));
      out.push_back(static_cast<T*>(results.back().get()));
    }
    convolver.at_once(static_cast<const T*>(there.get()), out, kFields, areas_of(in->grid()));
    for (std::size_t t = 0; t < to.size(); ++t)
      for (std::size_t field = 0; field < from.size(); ++field)
        memory.to_host(to[t][field].data(), out[t] + field * to[t][0].size(), bytes(to[t][0]));
  }

  std::shared_ptr<const dist::PixelDistribution> in;
  std::vector<ConvolutionTarget> targets;
  Values<T> from;
  std::vector<Values<T>> to;
};

template <class T>
DeviceRun<T> on_device(const comm::Communicator& comm, const grid::RingGrid& grid, Index work_bytes) {
  DeviceRun<T> run(comm, grid);
  std::shared_ptr<backend::Context<T>> context = backend::make_context<T>(backend::Kind::kCuda, {});
  DeviceConvolver<T> convolver(comm, context, run.in, run.targets, kFields, work_bytes);
  EXPECT_EQ(convolver.is_at_once(), comm.size() == 1 && work_bytes == kAllBands);
  if (convolver.is_at_once())
    run.at_once(convolver, *context->memory());
  else
    run(convolver);
  return run;
}

template <class T>
double distance(const comm::Communicator& comm, const Values<T>& found, const Values<T>& expected) {
  double sums[2] = {0, 0};
  for (std::size_t field = 0; field < found.size(); ++field)
    for (std::size_t i = 0; i < found[field].size(); ++i) {
      sums[0] += std::pow(static_cast<double>(found[field][i]) - static_cast<double>(expected[field][i]), 2);
      sums[1] += std::pow(static_cast<double>(expected[field][i]), 2);
    }
  comm.sum(sums);
  EXPECT_GT(sums[1], 0);
  return std::sqrt(sums[0] / sums[1]);
}

template <class T>
void compare_with_cpu(double tolerance) {
  const auto comm = comm::Communicator::world();
  for (const grid::RingGrid& grid : {grid::make_healpix(16), grid::make_gauss(24, 48)}) {
    DeviceRun<T> on_cpu(comm, grid);
    Convolver<T> convolver(comm, on_cpu.in, on_cpu.targets, kFields);
    on_cpu(convolver);
    const DeviceRun<T> found = on_device<T>(comm, grid, kAllBands);
    for (std::size_t t = 0; t < found.to.size(); ++t)
      EXPECT_LE(distance(comm, found.to[t], on_cpu.to[t]), tolerance) << grid.npix() << ' ' << t;
  }
}

// Sums of some thousand numbers in another order, and tables of kernels with errors of 1e-13.
TEST(DeviceConvolver, AgreesWithTheCpu) {
  ARMILLA_NEEDS_DEVICE();
  compare_with_cpu<double>(2e-12);
}

TEST(DeviceConvolver, RoundsFieldsInSinglePrecisionOnce) {
  ARMILLA_NEEDS_DEVICE();
  compare_with_cpu<float>(1e-7);
}

TEST(DeviceConvolver, IsBitwiseIdenticalOnAnyRanksAndBands) {
  ARMILLA_NEEDS_DEVICE();
  const auto comm = comm::Communicator::world();
  const grid::RingGrid grid = grid::make_healpix(64);
  const DeviceRun<double> alone = on_device<double>(comm::Communicator::self(), grid, kAllBands);
  for (const Index work_bytes : {kAllBands, Index{8} << 20, Index{6} << 20}) {
    const DeviceRun<double> found = on_device<double>(comm, grid, work_bytes);
    Index different = 0;
    for (std::size_t t = 0; t < found.to.size(); ++t)
      for (std::size_t field = 0; field < at(kFields); ++field) {
        std::size_t own = 0;
        for (const auto& range : found.targets[t].pixels->pixel_ranges(comm.rank()))
          for (Index pixel = range.first; pixel < range.first + range.count; ++pixel)
            different += found.to[t][field][own++] != alone.to[t][field][at(pixel)];
      }
    EXPECT_EQ(different, 0) << work_bytes;
  }
}

TEST(DeviceBands, FitTheSpaceTheyAreGiven) {
  const grid::RingGrid grid = grid::make_healpix(32);
  const std::vector<ConvolutionTarget> targets{{tabulated_gaussian(0.1, 0.3), pixels_of(grid, 1)}};
  const auto in = pixels_of(grid, 1);
  const DeviceBands bands(*in, targets, 0);
  const BandMemory memory = bands.memory(2, sizeof(double));
  EXPECT_LT(memory.bands.least, memory.bands.most / 2);
  EXPECT_EQ(bands.within(memory.bands.most, 2, sizeof(double)).size(), 1u);
  EXPECT_GT(bands.within(memory.bands.most - 1, 2, sizeof(double)).size(), 1u);
  Index next = 0;
  for (const DeviceBand& band : bands.within(0, 2, sizeof(double))) {
    EXPECT_EQ(band.plans.front().own().first, next);
    next = band.plans.front().own().end;
  }
  EXPECT_EQ(next, static_cast<Index>(grid.pairs().size()));
}

}  // namespace
}  // namespace armilla::radial

int main(int argc, char** argv) { return armilla::test::mpi_main(argc, argv); }
