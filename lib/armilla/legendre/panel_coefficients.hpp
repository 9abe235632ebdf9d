#pragma once

#include <armilla/legendre/batch_kernel.hpp>
#include <armilla/legendre/scalar_tables.hpp>

namespace armilla::legendre {

/// Coefficients of the maps of a panel and of the next one, as pointers to degree 0.
template <class T>
struct PanelMaps {
  T* own[kPanelFields];  ///< [count] of this panel
  Index count;
  T* ahead[kPanelFields];  ///< [ahead_count] of the next panel, which are prefetched
  Index ahead_count;
};

/// Kernel coefficients of one panel, rows [step][row], from c_l of up to kPanelFields scalar maps. Equals
/// ScalarTables::load for each map.
template <class T>
void load_panel(const StepFactors& factors, const PanelMaps<const T>& maps, double* rows);
/// The transpose, like ScalarTables::store; overwrites degrees m .. lmax of the maps.
template <class T>
void store_panel(const StepFactors& factors, const double* rows, const PanelMaps<T>& maps);

/// Copies the coefficients of one field [step][even re, im, odd re, im] to the field's columns in the rows of its
/// panel.
void spread_field(const double* field, Index steps, double* rows);
/// Copies the sums of one field from its columns in the rows of its panel to [step][even re, im, odd re, im].
void gather_field(const double* rows, Index steps, double* field);

}  // namespace armilla::legendre
