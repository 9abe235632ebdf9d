#pragma once

#include <armilla/legendre/batch_kernel.hpp>
#include <armilla/legendre/task.hpp>

#include <complex>

namespace armilla::legendre {

/// The fields of a batch in the panels, and their position in Delta of a ring. There are `count` fields, of maps
/// `first` to first + maps - 1, component before map, with all_maps maps in the batch.
struct PanelFields {
  Index first;
  Index maps;
  Index all_maps;
  Index count;
  Index place(Index field) const { return field / maps * all_maps + first + field % maps; }
};

/// Number of panels for this number of fields; unused fields are zero.
constexpr Index panels_of(Index fields) { return (fields + kPanelFields - 1) / kPanelFields; }

/// Pairs begin .. end - 1 of a task. Their rows start at index `first` of `places` rows, padding included. [pair] gives
/// the factors of their even and odd halves.
struct RowRange {
  Index begin, end;
  Index first, places;
  const double* even;
  const double* odd;
};

/// Where Delta of one m at the rings of a pair begins, -1 for an absent ring, and the factors of the halves.
struct PairRings {
  Index north, south;
  double even, odd;
};

/// Delta at `count` pairs for the fields of a panel, from their halves [pair][row]. North is the sum of the halves,
/// south the difference, each half times its factor. `streamed` writes whole cache lines with non-temporal stores.
template <class T>
void unpack_panel(const PairRings* pairs, Index count, const PanelFields& fields, Index panel, bool streamed,
                  const double* halves, std::complex<T>* delta);
/// Call after the last unpack_panel() of an m with `streamed`, before another thread reads Delta.
void finish_streams();

/// The transpose, for the local m with index k, to halves [panel][classes.place(place)][row]. Rows from `end` up to
/// `room` rows in total are set to zero. An absent ring counts as zero.
template <class T>
void pack_rows(const Task& task, Index k, const RowRange& range, Index room, const PairClasses& classes,
               const PanelFields& fields, const std::complex<T>* delta, double* halves);

}  // namespace armilla::legendre
