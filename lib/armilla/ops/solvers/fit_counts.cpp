#include <armilla/core/error.hpp>
#include <armilla/ops/solvers/fit_counts.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::ops {

Index fit_unknowns(const alm::AlmLayout& layout, const transform::SpinField& field) {
  Index numbers = 0;
  for (Index m = 0; m <= layout.mmax(); ++m)
    numbers += (m == 0 ? 1 : 2) * std::max<Index>(layout.lmax() + 1 - std::max(m, field.spin), 0);
  return field.components * numbers;
}

std::string count_fault(FitData from, const alm::AlmLayout& layout, const transform::FieldKind& kind,
                        const std::function<Index(std::size_t)>& data_of) {
  const auto fields = kind.spin_fields();
  for (std::size_t s = 0; s < fields.size(); ++s) {
    const Index data = data_of(s), unknowns = fit_unknowns(layout, fields[s]);
    if (data >= unknowns) continue;
    const auto first = kind.alm_names().begin() + fields[s].first;
    const std::vector<std::string> names(first, first + fields[s].components);
    return fmt::format(
        "{} data (values of {} with nonzero weight) do not determine the {} unknowns (real and imaginary parts of {} "
        "up to lmax = {}): lower lmax, use more data, or regularise the fit, for example {}",
        data, from == FitData::kPixels ? "pixels" : "points", unknowns, fmt::join(names, ", "), layout.lmax(),
        core::mention({}, "method", "{cg: {regularise: 0.01}}"));
  }
  return {};
}

}  // namespace armilla::ops
