#include <armilla/backend/cuda/device_numbers.hpp>
#include <armilla/backend/cuda/place_points.hpp>
#include <armilla/core/instantiate.hpp>

#include <array>
#include <utility>

#include <kernels/core/memory.hpp>

namespace armilla::backend {

namespace {

using Numbers = kernels::DeviceBuffer<std::uint32_t>;

/// The numbers of points sorted by cells, and where the points of each cell begin.
struct SortedNumbers {
  Numbers numbers;
  std::vector<std::uint32_t> begins;
};

SortedNumbers sort_by_cells(const kernels::NufftPlacement& placement, const double* theta, const double* phi,
                            Index count, const kernels::Stream& stream) {
  const PointSortSizes sizes(count, placement.cells);
  const Index end = placement.cells + 1;  // with the cell of points out of range
  std::array<Numbers, 2> keys{Numbers(sizes.keys.count), Numbers(sizes.keys.count)},
      numbers{Numbers(sizes.numbers.count), Numbers(sizes.numbers.count)};
  Numbers places(sizes.places.count), begins(sizes.begins.count);
  kernels::find_cells({placement, DevicePointer(theta), DevicePointer(phi), count, keys[0].data()}, stream.get());
  std::size_t from = 0;
  for (int pass = 0; pass < kernels::sort_passes(end); ++pass, from = 1 - from)
    kernels::sort_by_digit(
        {.keys = std::as_const(keys[from]).data(),
         .numbers = pass == 0 ? DevicePointer<const std::uint32_t>() : std::as_const(numbers[from]).data(),
         .count = count,
         .shift = pass * kernels::kDigitBits,
         .sorted_keys = keys[1 - from].data(),
         .sorted_numbers = numbers[1 - from].data(),
         .places = places.data()},
        stream.get());
  kernels::find_key_begins({std::as_const(keys[from]).data(), count, end, begins.data()}, stream.get());
  SortedNumbers sorted{std::move(numbers[from]), std::vector<std::uint32_t>(static_cast<std::size_t>(begins.size()))};
  kernels::copy(sorted.begins.data(), begins.data(), begins.size(), stream);
  stream.wait();
  return sorted;
}

}  // namespace

template <class T>
PlacedPoints<T> place_on_device(const kernels::NufftPlacement& placement, const double* theta, const double* phi,
                                Index count, const kernels::Stream& stream) {
  const SortedNumbers sorted = sort_by_cells(placement, theta, phi, count, stream);
  PlacedPoints<T> placed;
  placed.cell_begin.assign(sorted.begins.begin(), sorted.begins.end() - 1);
  if (placed.cell_begin.back() < count) {
    std::uint32_t first = 0;
    kernels::copy(&first, sorted.numbers.data() + placed.cell_begin.back(), 1, stream);
    stream.wait();
    placed.outside = first;
  }
  const auto points = std::make_shared<kernels::DeviceBuffer<kernels::NufftPoint<T>>>(count);
  kernels::place_points<T>(
      {placement, DevicePointer(theta), DevicePointer(phi), sorted.numbers.data(), count, points->data()},
      stream.get());
  stream.wait();
  placed.points = {points, points->data().address()};
  return placed;
}

ARMILLA_INSTANTIATE(place_on_device);

}  // namespace armilla::backend
