#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/io/bad_data.hpp>
#include <armilla/io/field_names.hpp>
#include <armilla/io/fits_table.hpp>
#include <armilla/io/multi_order.hpp>
#include <armilla/io/pixel_order.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>

#include <fmt/format.h>

namespace armilla::io {

namespace {

constexpr int kFinestOrder = 29;

// A cell, as a range of the NESTED pixels of nside 2^29.
struct Cell {
  Index begin, count;
};

Index number_of(const Cell& cell) {
  const Index pixels = (Index{1} << (2 * kFinestOrder)) / cell.count;  // of a base pixel
  return 4 * pixels + cell.begin / cell.count;
}

std::optional<Cell> cell_of(Index number) {
  if (number < 4) return std::nullopt;
  const int order = (static_cast<int>(std::bit_width(static_cast<std::uint64_t>(number))) - 3) / 2;
  if (order > kFinestOrder) return std::nullopt;
  const Index first = Index{4} << (2 * order), pixel = number - first;
  if (pixel >= 3 * first) return std::nullopt;
  const int shift = 2 * (kFinestOrder - order);
  return Cell{pixel << shift, Index{1} << shift};
}

Index nside_of(const Cell& cell) {
  return Index{1} << (kFinestOrder - std::countr_zero(static_cast<std::uint64_t>(cell.count)) / 2);
}

// visit(row value, cell) for all rows.
template <class Visit>
void visit_cells(const FitsFile& file, const FitsColumn& cells, Index count, Visit visit) {
  const Index slice = fits_buffered_rows(file) * cells.repeat;
  std::vector<Index> numbers(static_cast<std::size_t>(slice));
  for (Index first = 0; first < count; first += slice) {
    const Index part = std::min(slice, count - first);
    read_fits_values(file, cells, first, part, numbers.data());
    for (Index i = 0; i < part; ++i) {
      const Index number = numbers[static_cast<std::size_t>(i)];
      const std::optional<Cell> cell = cell_of(number);
      if (!cell)
        throw core::InputError(
            fmt::format("'{}': column '{}' contains {}, which is not the number 4 nside^2 + pixel of a cell",
                        file.name(), cells.name, number));
      visit(first + i, *cell);
    }
  }
}

struct Sample {
  Cell cell;
  double value;
};

// Whether a cell may overlap a pixel of the ranges; `pixel`: the size of pixels of this nside, as that of cells.
bool may_meet(const PixelLookup& lookup, const Cell& cell, Index nside, Index pixel) {
  const Index first = cell.begin / pixel;
  if (cell.count <= pixel) return lookup.position(ring_of_nested(nside, first)) >= 0;
  const dist::PixelRange bounds = nested_block_bounds(nside, first, cell.count / pixel);
  return lookup.meets(bounds.first, bounds.first + bounds.count - 1);
}

// The cells for which is_own(cell), in order. Cells that overlap are in the same pixel, so that the rank of this pixel
// has both.
template <class T, class IsOwn>
std::vector<Sample> read_samples(const FitsFile& file, const FitsColumn& cells, const FitsColumn& column, Index count,
                                 IsOwn is_own) {
  std::vector<Sample> samples;
  const Index slice = fits_buffered_rows(file) * cells.repeat;
  std::vector<T> values(static_cast<std::size_t>(slice));
  visit_cells(file, cells, count, [&](Index at, const Cell& cell) {
    if (at % slice == 0) read_fits_values(file, column, at, std::min(slice, count - at), values.data());
    if (is_own(cell)) samples.push_back({cell, static_cast<double>(values[static_cast<std::size_t>(at % slice)])});
  });
  std::ranges::sort(samples, {}, [](const Sample& sample) { return sample.cell.begin; });
  for (std::size_t i = 1; i < samples.size(); ++i)
    if (const Cell& before = samples[i - 1].cell, &cell = samples[i].cell; cell.begin < before.begin + before.count)
      throw core::InputError(fmt::format(
          "'{}': column '{}' has cells that overlap, {} and {}, so values are ambiguous: remove one of them",
          file.name(), cells.name, number_of(before), number_of(cell)));
  return samples;
}

}  // namespace

bool is_multi_order(const FitsFile& file) {
  const std::optional<std::string> ordering = fits_text_or_primary(file, "ORDERING");
  if (ordering) return upper(*ordering) == "NUNIQ";
  return std::ranges::any_of(fits_columns(file), [](const FitsColumn& c) { return upper(c.name) == "UNIQ"; });
}

FitsColumn cell_column(const FitsFile& file, const std::vector<FitsColumn>& columns) {
  const auto named = std::ranges::find_if(columns, [](const FitsColumn& c) { return upper(c.name) == "UNIQ"; });
  if (named == columns.end() && columns.empty())
    throw core::InputError(fmt::format("'{}': ORDERING is NUNIQ, but the table has no columns", file.name()));
  const FitsColumn& cells = named != columns.end() ? *named : columns.front();
  if (!cells.is_integer())
    throw core::InputError(
        fmt::format("'{}': ORDERING is NUNIQ, but column '{}' does not contain integers: name the column with the "
                    "numbers of the cells UNIQ",
                    file.name(), cells.name));
  return cells;
}

CellSizes cell_sizes(const FitsFile& file, const FitsColumn& cells, Index count) {
  CellSizes sizes{Index{1} << kFinestOrder, 1};
  visit_cells(file, cells, count, [&](Index, const Cell& cell) {
    sizes.coarsest = std::min(sizes.coarsest, nside_of(cell));
    sizes.finest = std::max(sizes.finest, nside_of(cell));
  });
  sizes.coarsest = std::min(sizes.coarsest, sizes.finest);
  return sizes;
}

template <class T>
void read_multi_order(const FitsFile& file, const FitsColumn& cells, const FitsColumn& column, Index count, Index nside,
                      double bad_value, std::span<const dist::PixelRange> ranges, std::span<T> out) {
  const PixelLookup lookup(ranges);
  const Index finest = Index{1} << kFinestOrder, pixel = (finest / nside) * (finest / nside);
  const std::vector<Sample> samples = read_samples<T>(
      file, cells, column, count, [&](const Cell& cell) { return may_meet(lookup, cell, nside, pixel); });
  std::ranges::fill(out, static_cast<T>(kBadPixel));
  const auto set = [&](Index nested, double value) {
    const Index position = lookup.position(ring_of_nested(nside, nested));
    if (position >= 0) out[static_cast<std::size_t>(position)] = static_cast<T>(value);
  };
  for (auto sample = samples.begin(); sample != samples.end();) {
    const Index first = sample->cell.begin / pixel;
    if (sample->cell.count >= pixel) {
      for (Index i = 0; i < sample->cell.count / pixel; ++i) set(first + i, sample->value);
      ++sample;
      continue;
    }
    double sum = 0, area = 0;
    for (; sample != samples.end() && sample->cell.begin / pixel == first; ++sample) {
      if (is_bad_value(sample->value, bad_value)) continue;
      const auto part = static_cast<double>(sample->cell.count) / static_cast<double>(pixel);
      sum += part * sample->value;
      area += part;
    }
    if (area > 0) set(first, sum / area);
  }
}

ARMILLA_INSTANTIATE(read_multi_order);

}  // namespace armilla::io
