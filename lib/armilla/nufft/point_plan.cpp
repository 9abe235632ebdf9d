#include <armilla/core/error.hpp>
#include <armilla/core/exception_collector.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/nufft/cell_writer.hpp>
#include <armilla/nufft/place_points.hpp>
#include <armilla/nufft/point_plan.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <omp.h>

namespace armilla::nufft {

using core::at;

namespace {

constexpr Index kMostPoints = std::numeric_limits<std::uint32_t>::max();

// Number of parts of the points that are counted and placed separately, each by one thread. Each part uses memory for
// every cell. If there are several, it is at most as much as for their points. The order of the points does not depend
// on it.
constexpr Index kPartCellBytes = static_cast<Index>(sizeof(std::uint32_t)) + CellWriter::kCellBytes;
Index part_count(Index points, Index cells) {
  const Index least = std::max(cells * kPartCellBytes / static_cast<Index>(sizeof(PlacedPoint)), kPlaceBlock);
  return std::clamp<Index>(points / least, 1, omp_get_max_threads());
}

// Replaces the counts [part][cell] by the index of the first point of each; returns [cell] the start of each cell,
// followed by the end.
std::vector<Index> counts_to_places(Index parts, Index cells, std::uint32_t* places) {
  std::vector<Index> cell_begin{0};
  cell_begin.reserve(at(cells + 1));
  std::uint32_t next = 0;
  for (Index cell = 0; cell < cells; ++cell) {
    for (Index part = 0; part < parts; ++part) {
      const std::uint32_t count = places[part * cells + cell];
      places[part * cells + cell] = next;
      next += count;
    }
    cell_begin.push_back(next);
  }
  return cell_begin;
}

// phi for a block of points; large angles are reduced by sine and cosine. Throws InputError for invalid angles.
struct ReducedPhi {
  double phi[kPlaceBlock];

  ReducedPhi(const double* theta, const double* given, Index count, Index first) {
    for (Index i = 0; i < count; ++i) {
      if (!(theta[i] >= 0 && theta[i] <= core::kPi))
        throw core::InputError(
            fmt::format("point {}: theta = {} is outside [0, pi]: use colatitudes in radians", first + i, theta[i]));
      if (!std::isfinite(given[i]))
        throw core::InputError(fmt::format("point {}: phi = {} is not a finite number", first + i, given[i]));
      phi[i] = std::abs(given[i]) <= kLargestAngle ? given[i] : std::atan2(std::sin(given[i]), std::cos(given[i]));
    }
  }
};

// Throws for the first point whose window is not within the band, which must exist.
[[noreturn]] void throw_outside(const KernelChoice& choice, const Band& band, const double* theta, Index first) {
  for (Index i = 0;; ++i) {
    const Index row = window_row(choice, theta[i]);
    if (row >= band.first_row && row + choice.width <= band.end_row()) continue;
    throw core::InputError(
        fmt::format("point {}: theta = {} needs rows {} to {} of the fine grid, but the band has {} to {}", first + i,
                    theta[i], row, row + choice.width - 1, band.first_row, band.end_row() - 1));
  }
}

}  // namespace

Band sphere_band(const KernelChoice& choice) {
  // Windows begin at ceil(-(width + 1) / 2) at the north pole, and fine_length / 2 rows after that at the south pole.
  return {-((choice.width + 1) / 2), choice.fine_length / 2 + choice.width};
}

Index window_row(const KernelChoice& choice, double theta) {
  const Band all = sphere_band(choice);
  const CellGrid grid(choice.fine_length, choice.width, all);
  PlacedBlock block;
  const double phi = 0;
  if (!place_points(Placement(grid, all), &theta, &phi, 1, 0, block))
    throw core::InputError(fmt::format("theta = {} is outside [0, pi]: use colatitudes in radians", theta));
  return grid.first_row(block.cell[0]) + block.points()[0].row();
}

std::vector<PointChunk> make_chunks(std::span<const Index> cell_begin) {
  std::vector<PointChunk> chunks;
  for (std::size_t cell = 0; cell + 1 < cell_begin.size(); ++cell)
    for (Index begin = cell_begin[cell], end = cell_begin[cell + 1]; begin < end; begin += kChunk)
      chunks.push_back({static_cast<Index>(cell), begin, std::min(begin + kChunk, end)});
  return chunks;
}

void check_point_count(Index points) {
  if (points > kMostPoints)
    throw core::InputError(
        fmt::format("points: {} exceed the limit of {} per rank: use more ranks", points, kMostPoints));
}

template <class T>
PointPlan<T>::PointPlan(const KernelChoice& choice, const Band& band, std::span<const double> theta,
                        std::span<const double> phi)
    : choice_(choice), band_(band), grid_(choice.fine_length, choice.width, band), table_(choice.kernel()) {
  if (theta.size() != phi.size())
    throw core::InputError(fmt::format("points: {} values of theta but {} of phi", theta.size(), phi.size()));
  check_point_count(static_cast<Index>(theta.size()));
  points_ = core::AlignedBuffer<PlacedPoint>(static_cast<Index>(theta.size()));
  sort(theta, phi);
}

template <class T>
void PointPlan<T>::count(std::span<const double> theta, std::span<const double> phi, Index begin, Index end,
                         std::uint32_t* counts) const {
  const Placement placement(grid_, band_);
  PlacedBlock block;
  for (Index i = begin; i < end; i += kPlaceBlock) {
    const Index some = std::min(kPlaceBlock, end - i);
    if (!find_cells(placement, theta.data() + i, phi.data() + i, some, block)) {
      const ReducedPhi reduced(theta.data() + i, phi.data() + i, some, i);
      if (!find_cells(placement, theta.data() + i, reduced.phi, some, block))
        throw_outside(choice_, band_, theta.data() + i, i);
    }
    for (Index run = 0, first = 0; run < block.runs; ++run) {
      counts[block.cell[first]] += static_cast<std::uint32_t>(block.run_end[run] - first);
      first = block.run_end[run];
    }
  }
}

template <class T>
void PointPlan<T>::place(std::span<const double> theta, std::span<const double> phi, Index begin, Index end,
                         const std::uint32_t* first) {
  const Placement placement(grid_, band_);
  CellWriter writer(grid_.cells(), first, points_.data());
  PlacedBlock block;
  for (Index i = begin; i < end; i += kPlaceBlock) {
    const Index some = std::min(kPlaceBlock, end - i);
    const auto number = static_cast<std::uint32_t>(i);
    if (!place_points(placement, theta.data() + i, phi.data() + i, some, number, block))
      place_points(placement, theta.data() + i, ReducedPhi(theta.data() + i, phi.data() + i, some, i).phi, some, number,
                   block);
    writer.put(block);
  }
  writer.finish();
}

template <class T>
void PointPlan<T>::sort(std::span<const double> theta, std::span<const double> phi) {
  const Index cells = grid_.cells(), parts = part_count(size(), cells);
  const auto part_begin = [&](Index part) { return size() * part / parts; };
  // [part][cell] number of points, later the index of the next one.
  core::AlignedBuffer<std::uint32_t> places(parts * cells);
  core::ExceptionCollector collect;
#pragma omp parallel for schedule(static, 1)
  for (Index part = 0; part < parts; ++part)
    collect([&] {
      std::uint32_t* counts = places.data() + part * cells;
      std::fill_n(counts, cells, 0);
      count(theta, phi, part_begin(part), part_begin(part + 1), counts);
    });
  collect.rethrow();
  const std::vector<Index> cell_begin = counts_to_places(parts, cells, places.data());
#pragma omp parallel for schedule(static, 1)
  for (Index part = 0; part < parts; ++part)
    collect([&] { place(theta, phi, part_begin(part), part_begin(part + 1), places.data() + part * cells); });
  collect.rethrow();
  chunks_ = make_chunks(cell_begin);
  chunk_begin_.reserve(cell_begin.size());
  Index next = 0;
  for (Index cell = 0; cell < cells; ++cell) {
    chunk_begin_.push_back(next);
    while (next < static_cast<Index>(chunks_.size()) && chunks_[at(next)].cell == cell) ++next;
  }
  chunk_begin_.push_back(next);
}

template <class T>
core::MemoryEstimate PointPlan<T>::memory(const KernelChoice& choice, const Band& band, Index points) {
  const Index cells = CellGrid(choice.fine_length, choice.width, band).cells();
  const Index chunks = std::min(points, cells) + points / kChunk;
  return {.tables = points * static_cast<Index>(sizeof(PlacedPoint)) + chunks * static_cast<Index>(sizeof(PointChunk)) +
                    cells * static_cast<Index>(sizeof(Index)),
          .workspace = cells * (part_count(points, cells) * kPartCellBytes + static_cast<Index>(sizeof(Index)))};
}

ARMILLA_INSTANTIATE_CLASS(PointPlan);

}  // namespace armilla::nufft
