#include <armilla/nufft/cell_writer.hpp>

#include <algorithm>
#include <random>
#include <vector>

#include "support/instruction_sets.hpp"
#include <gtest/gtest.h>

namespace armilla::nufft {
namespace {

using core::at;

// Cells of points in runs of up to `longest` points; some cells stay empty.
std::vector<std::int32_t> random_cells(Index count, std::int32_t cells, int longest, std::mt19937& generator) {
  std::vector<std::int32_t> all;
  while (static_cast<Index>(all.size()) < count) {
    const auto cell = static_cast<std::int32_t>(generator() % static_cast<unsigned>(cells));
    const auto run = 1 + generator() % static_cast<unsigned>(longest);
    if (cell % 5 != 3) all.insert(all.end(), run, cell);
  }
  all.resize(at(count));
  return all;
}

PlacedPoint point(Index number) {
  return {0x1000 + static_cast<std::uint64_t>(number), 0x2000000 + static_cast<std::uint64_t>(number)};
}

PlacedBlock block_of(std::span<const std::int32_t> cells, Index number) {
  PlacedBlock block;
  block.runs = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    block.points()[i] = point(number + static_cast<Index>(i));
    block.cell[i] = cells[i];
    if (i + 1 == cells.size() || cells[i + 1] != cells[i])
      block.run_end[block.runs++] = static_cast<std::int32_t>(i + 1);
  }
  return block;
}

// The parts of the points are put block by block in turn, as several threads would.
void check(const std::vector<std::int32_t>& cell, Index cells, Index parts) {
  const auto count = static_cast<Index>(cell.size());
  const auto begin = [&](Index part) { return count * part / parts; };
  std::vector<std::vector<std::uint32_t>> first(at(parts), std::vector<std::uint32_t>(at(cells)));
  std::vector<Index> expected;
  for (Index c = 0; c < cells; ++c)
    for (Index part = 0; part < parts; ++part) {
      first[at(part)][at(c)] = static_cast<std::uint32_t>(expected.size());
      for (Index i = begin(part); i < begin(part + 1); ++i)
        if (cell[at(i)] == c) expected.push_back(i);
    }

  // The last points are in no part.
  core::AlignedBuffer<PlacedPoint> points(count + kPointsPerLine);
  std::fill_n(points.data(), points.size(), PlacedPoint{7, 7});
  std::vector<CellWriter> writers;
  for (Index part = 0; part < parts; ++part) writers.emplace_back(cells, first[at(part)].data(), points.data());
  for (Index block = 0; begin(0) + block * kPlaceBlock < count; ++block)
    for (Index part = 0; part < parts; ++part) {
      const Index from = begin(part) + block * kPlaceBlock, end = std::min(from + kPlaceBlock, begin(part + 1));
      if (from < end)
        writers[at(part)].put(block_of(std::span(cell).subspan(at(from), static_cast<std::size_t>(end - from)), from));
    }
  for (CellWriter& writer : writers) writer.finish();
  for (Index i = 0; i < count; ++i) {
    ASSERT_EQ(points.data()[i].theta_word, point(expected[at(i)]).theta_word) << i;
    ASSERT_EQ(points.data()[i].phi_word, point(expected[at(i)]).phi_word) << i;
  }
  for (Index i = count; i < points.size(); ++i) ASSERT_EQ(points.data()[i].theta_word, 7) << i;
}

TEST(CellWriter, SortsStablyByCell) {
  test::on_each_instruction_set([](const char*) {
    std::mt19937 generator(7);
    for (const int longest : {1, 2, 4, 9, 40, 700})
      for (const Index count : {1, 3, 5, 511, 512, 513, 5000})
        for (const Index parts : {1, 2, 3, 7}) {
          const std::int32_t cells = longest > 9 ? 6 : 300;
          SCOPED_TRACE(testing::Message()
                       << "runs up to " << longest << ", " << count << " points, " << parts << " parts");
          check(random_cells(count, cells, longest, generator), cells, parts);
        }
  });
}

}  // namespace
}  // namespace armilla::nufft
