#include <armilla/alm/spectra_table.hpp>
#include <armilla/core/error.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace armilla::alm {

const std::vector<double>* SpectraTable::find(const std::string& name) const {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return &columns[i];
    if (name.size() == 2 && names[i].size() == 2 && names[i][0] == name[1] && names[i][1] == name[0])
      return &columns[i];
  }
  return nullptr;
}

void SpectraTable::check() const {
  if (columns.size() != names.size())
    throw core::InputError(fmt::format("the spectra table has {} columns for {} names: provide one per name",
                                       columns.size(), names.size()));
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::vector<double>& column = columns[i];
    if (static_cast<Index>(column.size()) != lmax + 1)
      throw core::InputError(fmt::format("the spectrum {} has {} values, but the table has lmax = {}: provide lmax + 1",
                                         names[i], column.size(), lmax));
    const auto bad = std::ranges::find_if_not(column, [](double value) { return std::isfinite(value); });
    if (bad != column.end())
      throw core::InputError(fmt::format("the spectrum {} is {} at l = {}", names[i], *bad, bad - column.begin()));
  }
}

std::string spectrum_name(const std::string& a, const std::string& b) {
  return a.size() == 1 && b.size() == 1 ? a + b : a + "x" + b;
}

}  // namespace armilla::alm
