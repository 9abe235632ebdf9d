// Compiled once per instruction set by Highway's foreach_target; the best one is chosen at run time.
#include <armilla/core/highway_targets.hpp>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "armilla/nufft/cell_writer.cpp"

#include <armilla/nufft/cell_writer.hpp>

#include <algorithm>

#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace armilla::nufft::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Words = hn::CappedTag<std::uint64_t, 8>;
constexpr auto kLanes = static_cast<Index>(hn::MaxLanes(Words()));
constexpr Index kLineWords = 2 * kPointsPerLine;

// Writes words 0 .. old - 1 of `line` and the following ones of `from`, which need not be aligned, to the line `to`.
// Merges in registers, because a load of a line shortly after a store of a part of it waits for the store.
template <bool kStream>
HWY_INLINE void write_line(const std::uint64_t* line, const std::uint64_t* from, Index old, std::uint64_t* to) {
  const Words d;
  const hn::RebindToSigned<Words> di;
  for (Index i = 0; i < kLineWords; i += kLanes) {
    const auto is_old = hn::RebindMask(d, hn::Lt(hn::Iota(di, i), hn::Set(di, old)));
    const auto words = hn::IfThenElse(is_old, hn::Load(d, line + i), hn::LoadU(d, from + i));
    if constexpr (kStream)
      hn::Stream(words, d, to + i);
    else
      hn::Store(words, d, to + i);
  }
}

void put_points(const PlacedBlock& block, const std::uint32_t* first, std::uint32_t* next, PlacedPoint* lines,
                PlacedPoint* points) {
  constexpr auto kLine = static_cast<std::uint32_t>(kPointsPerLine);
  for (Index run = 0, begin = 0; run < block.runs; ++run) {
    const std::int32_t cell = block.cell[begin];
    const std::uint32_t place = next[cell], old = place % kLine;
    const std::uint32_t end = place + static_cast<std::uint32_t>(block.run_end[run] - begin);
    next[cell] = end;
    PlacedPoint* line = lines + cell * kPointsPerLine;
    const PlacedPoint* from = block.points() + begin - old;
    begin = block.run_end[run];
    // Writes full lines to the points, and the last one, which may be empty, to `line`.
    std::uint32_t to = place - old;
    Index old_words = 2 * old;
    if (to < first[cell] && end - to >= kLine) {
      // Only this first line, as other threads write the points before it.
      for (std::uint32_t i = first[cell] - to; i < kLine; ++i) points[to + i] = i < old ? line[i] : from[i];
      to += kLine, from += kLine, old_words = 0;
    }
    for (; end - to >= kLine; to += kLine, from += kLine, old_words = 0)
      write_line<true>(&line->theta_word, &from->theta_word, old_words, &points[to].theta_word);
    write_line<false>(&line->theta_word, &from->theta_word, old_words, &line->theta_word);
  }
}

}  // namespace armilla::nufft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace armilla::nufft {

HWY_EXPORT(put_points);

static_assert(kPointsPerLine * sizeof(PlacedPoint) == 64);

CellWriter::CellWriter(Index cells, const std::uint32_t* first, PlacedPoint* points)
    : first_(first), points_(points), next_(cells), lines_(cells * kPointsPerLine) {
  std::copy_n(first, cells, next_.data());
}

void CellWriter::put(const PlacedBlock& block) {
  HWY_DYNAMIC_DISPATCH(put_points)(block, first_, next_.data(), lines_.data(), points_);
}

void CellWriter::finish() {
  for (Index cell = 0; cell < next_.size(); ++cell) {
    const Index end = next_.data()[cell], line = end / kPointsPerLine * kPointsPerLine;
    const Index begin = std::max<Index>(first_[cell], line);
    std::copy_n(lines_.data() + cell * kPointsPerLine + (begin - line), end - begin, points_ + begin);
  }
  hwy::FlushStream();
}

}  // namespace armilla::nufft

#endif
