#pragma once

#include <armilla/legendre/batch_kernel.hpp>
#include <armilla/legendre/scalar_tables.hpp>
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

/// Delta of the local m with index k for these fields, from halves [panel][place][row]. North is the sum of the halves,
/// south the difference, each half times its factor.
template <class T>
void unpack_rows(const Task& task, Index k, const RowRange& range, const PanelFields& fields, const double* halves,
                 std::complex<T>* delta);
/// The transpose, to halves [panel][classes.place(place)][row]. Rows from `end` up to `room` rows in total are set to
/// zero. An absent ring counts as zero.
template <class T>
void pack_rows(const Task& task, Index k, const RowRange& range, Index room, const PairClasses& classes,
               const PanelFields& fields, const std::complex<T>* delta, double* halves);

/// Start of the coefficients of the maps of a panel, relative to degree 0, and of those of the next panel, which are
/// prefetched.
template <class T>
struct PanelMaps {
  T* own[kPanelFields];
  Index count;
  T* ahead[kPanelFields];
  Index ahead_count;
};

/// Kernel coefficients of one panel, rows [step][row], from c_l of up to kPanelFields scalar maps. Equals
/// ScalarTables::load for each map.
template <class T>
void load_panel(const StepFactors& factors, const PanelMaps<const T>& maps, double* rows);
/// The transpose, like ScalarTables::store; overwrites degrees m .. lmax of the maps.
template <class T>
void store_panel(const StepFactors& factors, const double* rows, const PanelMaps<T>& maps);

/// Copies the coefficients or sums of one field [step][even re, im, odd re, im] to and from the field's columns in the
/// rows of its panel.
void spread_field(const double* field, Index steps, double* rows);
void gather_field(const double* rows, Index steps, double* field);

}  // namespace armilla::legendre
