#pragma once

#include <armilla/legendre/batch_kernel.hpp>
#include <armilla/legendre/scalar_tables.hpp>

namespace armilla::legendre {

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
