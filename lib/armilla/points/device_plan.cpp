#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/nufft/place_points.hpp>
#include <armilla/points/device_plan.hpp>
#include <armilla/points/point_owners.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace armilla::points {

namespace {

kernels::NufftPlacement placement_of(const nufft::CellGrid& grid, const nufft::Band& band) {
  const nufft::Placement from(grid, band);
  return {.high = from.high,
          .low = from.low,
          .fine_length = from.fine_length,
          .theta_shift = from.theta_shift,
          .phi_shift = from.phi_shift,
          .first_grid_row = from.first_grid_row,
          .columns = from.columns,
          .first_row = from.first_row,
          .last_row = from.last_row,
          .cells = grid.cells()};
}

/// Throws for a point that is out of range.
[[noreturn]] void throw_outside(const DevicePositions& positions, Index number) {
  double theta = 0, phi = 0;
  positions.memory->to_host(&theta, positions.theta.get() + number, sizeof(double));
  positions.memory->to_host(&phi, positions.phi.get() + number, sizeof(double));
  PointOwners::check({&theta, 1}, {&phi, 1}, number);
  throw core::InternalError("a window on the device is outside its band");
}

}  // namespace

DevicePositions DevicePositions::copy(std::shared_ptr<backend::Memory> memory, std::span<const double> theta,
                                      std::span<const double> phi) {
  const auto copied = [&](const double* from) {
    const auto bytes = static_cast<Index>(theta.size_bytes());
    const auto there = std::static_pointer_cast<double>(memory->allocate(bytes));
    memory->from_host(there.get(), from, bytes);
    return there;
  };
  const auto is_large = [](double x) { return std::isfinite(x) && std::abs(x) > nufft::kLargestAngle; };
  std::vector<double> reduced;
  if (std::ranges::any_of(phi, is_large)) {
    reduced.assign(phi.begin(), phi.end());
    for (double& x : reduced)
      if (is_large(x)) x = std::atan2(std::sin(x), std::cos(x));
  }
  const auto count = static_cast<Index>(theta.size());
  DevicePositions positions{{}, copied(theta.data()), copied(reduced.empty() ? phi.data() : reduced.data()), count};
  positions.memory = std::move(memory);
  return positions;
}

template <class T>
DevicePlan<T>::DevicePlan(backend::Context<T>& context, const nufft::KernelChoice& choice, const nufft::Band& band,
                          const DevicePositions& positions)
    : band_(band), table_(choice.kernel()), count_(positions.count) {
  nufft::check_point_count(count_);
  const nufft::CellGrid grid(choice.fine_length, choice.width, band);
  const backend::PlacedPoints<T> placed =
      context.place_points(placement_of(grid, band), positions.theta.get(), positions.phi.get(), count_);
  if (placed.outside) throw_outside(positions, *placed.outside);
  chunks_ = nufft::make_chunks(placed.cell_begin);
  points_ = placed.points;
}

template <class T>
core::MemoryEstimate DevicePlan<T>::memory(const nufft::KernelChoice& choice, const nufft::Band& band, Index points) {
  const Index cells = nufft::CellGrid(choice.fine_length, choice.width, band).cells();
  const Index chunks = std::min(points, cells) + points / nufft::kChunk;
  // Tables of chunks as made, for the device, and in the order of spreading; and reduced longitudes.
  constexpr auto kChunk = static_cast<Index>(sizeof(nufft::PointChunk) + 2 * sizeof(kernels::NufftChunk) +
                                             sizeof(kernels::NufftSums) + 2 * sizeof(int));
  return {.workspace = chunks * kChunk + cells * static_cast<Index>(sizeof(std::uint32_t) + sizeof(Index)) +
                       points * static_cast<Index>(sizeof(double))};
}

template <class T>
DevicePart<T> DevicePlan<T>::part() const {
  return {band_, &table_, chunks_, count_, {}, {}, points_};
}

ARMILLA_INSTANTIATE_CLASS(DevicePlan);

}  // namespace armilla::points
