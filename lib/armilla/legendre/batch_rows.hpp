#pragma once

#include <armilla/legendre/batch_kernel.hpp>
#include <armilla/legendre/scalar_tables.hpp>
#include <armilla/legendre/task.hpp>

#include <complex>

namespace armilla::legendre {

/// Which fields of a batch stand in the panels, and where in Delta of a ring: `count` of them, of maps `first` to first
/// + maps - 1, component before map, and all_maps maps in the batch.
struct PanelFields {
  Index first;
  Index maps;
  Index all_maps;
  Index count;
  Index place(Index field) const { return field / maps * all_maps + first + field % maps; }
};

/// Panels that hold so many fields; fields that are not there have zeros.
constexpr Index panels_of(Index fields) { return (fields + kPanelFields - 1) / kPanelFields; }

/// Pairs begin .. end - 1 of a task whose rows stand from place number `first` on among `places` padded ones, with the
/// factors [pair] of their even and odd halves.
struct RowRange {
  Index begin, end;
  Index first, places;
  const double* even;
  const double* odd;
};

/// Delta of own m number k at these fields, from halves [panel][place][row]: north is the sum, south the
/// difference of the halves, each times its factor.
template <class T>
void unpack_rows(const Task& task, Index k, const RowRange& range, const PanelFields& fields, const double* halves,
                 std::complex<T>* delta);
/// The transpose, to halves [panel][classes.place(place)][row]; places of the range behind `end`, up to number `room`,
/// get zeros. A ring that is not there counts as zero.
template <class T>
void pack_rows(const Task& task, Index k, const RowRange& range, Index room, const PairClasses& classes,
               const PanelFields& fields, const std::complex<T>* delta, double* halves);

/// Where coefficients of the maps of a panel begin, as of degree 0, and those of the panel that comes next, whose lines
/// are fetched meanwhile.
template <class T>
struct PanelMaps {
  T* own[kPanelFields];
  Index count;
  T* ahead[kPanelFields];
  Index ahead_count;
};

/// Kernel coefficients of one panel, rows [step][row], from c_l of up to kPanelFields scalar maps: what
/// ScalarTables::load does for each.
template <class T>
void load_panel(const StepFactors& factors, const PanelMaps<const T>& maps, double* rows);
/// The transpose, as ScalarTables::store: overwrites degrees m .. lmax of the maps.
template <class T>
void store_panel(const StepFactors& factors, const double* rows, const PanelMaps<T>& maps);

/// Coefficients or sums of one field [step][even re, im, odd re, im] to and from its place in the rows of its panel.
void spread_field(const double* field, Index steps, double* rows);
void gather_field(const double* rows, Index steps, double* field);

}  // namespace armilla::legendre
