#include <armilla/core/error.hpp>
#include <armilla/core/types.hpp>
#include <armilla/io/spectra_rows.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace armilla::io {

namespace {

// No transform reaches this degree; a larger l belongs to a column of another kind.
constexpr double kLargestDegree = 1e7;

// Zeros that a table may contain for degrees below its first row, over all columns.
constexpr Index kMostZeros = Index{1} << 26;

// Factor from C_l to D_l.
double dl_factor(const std::string& name, double l) {
  const auto potentials = name.size() == 2 ? std::ranges::count(name, 'P') : 0;
  return std::pow(l * (l + 1), 1.0 + 0.5 * static_cast<double>(potentials)) / (2 * core::kPi);
}

Index first_degree(const SpectraRows& rows, const std::string& path) {
  const std::vector<double>& l = rows.degrees;
  for (std::size_t i = 0; i < l.size(); ++i)
    if (!(l[i] >= 0 && l[i] < kLargestDegree) || l[i] != std::floor(l[i]) || l[i] != l[0] + static_cast<double>(i))
      throw core::InputError(fmt::format("'{}': row {} has l = {}: l must be an integer that increases by one per row",
                                         path, i + 1, l[i]));
  return l.empty() ? 0 : static_cast<Index>(l[0]);
}

}  // namespace

alm::SpectraTable table_of_rows(const SpectraRows& rows, bool is_dl, const std::string& path) {
  if (rows.columns.empty() || rows.columns.front().empty())
    throw core::InputError(fmt::format("'{}' contains no spectra: write columns TT, EE, ... with one row per l", path));
  const Index first = first_degree(rows, path);
  const std::size_t count = rows.columns.front().size();
  if (first > kMostZeros / static_cast<Index>(rows.columns.size()))
    throw core::InputError(
        fmt::format("'{}': {} columns begin at l = {}: write rows for lower l, or correct the column of l", path,
                    rows.columns.size(), first));
  alm::SpectraTable table;
  table.lmax = first + static_cast<Index>(count) - 1;
  table.unit = rows.unit;
  for (std::size_t c = 0; c < rows.columns.size(); ++c) {
    const std::string& name = rows.names[c];
    if (rows.columns[c].size() != count || (!rows.degrees.empty() && rows.degrees.size() != count))
      throw core::InputError(
          fmt::format("'{}': column {} has {} values, but others have {}", path, name, rows.columns[c].size(), count));
    if (std::ranges::count(rows.names, name) > 1)
      throw core::InputError(fmt::format("'{}': two columns are named {}: rename one", path, name));
    std::vector<double> values(static_cast<std::size_t>(table.lmax) + 1, 0.0);
    for (std::size_t i = 0; i < count; ++i) {
      const Index l = first + static_cast<Index>(i);
      const double value = rows.columns[c][i];
      if (!std::isfinite(value))
        throw core::InputError(fmt::format("'{}': {} is not finite at l = {}: correct the file", path, name, l));
      if (!is_dl)
        values[static_cast<std::size_t>(l)] = value;
      else if (l > 0)
        values[static_cast<std::size_t>(l)] = value / dl_factor(name, static_cast<double>(l));
    }
    table.names.push_back(name);
    table.columns.push_back(std::move(values));
  }
  return table;
}

}  // namespace armilla::io
