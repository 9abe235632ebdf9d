#pragma once

#include <armilla/alm/alm_layout.hpp>
#include <armilla/transform/field_kind.hpp>

#include <functional>
#include <string>

namespace armilla::ops {

using core::Index;

/// Number of unknowns of a fit of one spin field: the real numbers of its coefficients, l at least the spin.
Index fit_unknowns(const alm::AlmLayout& layout, const transform::SpinField& field);

/// Where the data of a fit come from; affects messages only.
enum class FitData { kPixels, kPoints };

/// For a fit without regularisation: the reason why it is refused if a spin field has fewer data than unknowns,
/// otherwise an empty text. `data_of(spin field)`: number of values with nonzero weight, of all its components.
std::string count_fault(FitData from, const alm::AlmLayout& layout, const transform::FieldKind& kind,
                        const std::function<Index(std::size_t)>& data_of);

}  // namespace armilla::ops
