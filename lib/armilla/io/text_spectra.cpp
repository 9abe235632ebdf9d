#include <armilla/core/error.hpp>
#include <armilla/core/saturating.hpp>
#include <armilla/core/text.hpp>
#include <armilla/io/field_names.hpp>
#include <armilla/io/text_lines.hpp>
#include <armilla/io/text_rows.hpp>
#include <armilla/io/text_spectra.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace armilla::io {

namespace {

constexpr std::string_view kUnit = "unit:";

void take_header(const std::string& line, SpectraRows& rows) {
  const std::string content = trimmed(line.substr(1));
  if (content.starts_with(kUnit)) {
    rows.unit = trimmed(content.substr(kUnit.size()));
    return;
  }
  const std::vector<std::string> names = words_of(content);
  if (!names.empty() && (upper(names.front()) == "L" || upper(names.front()) == "ELL")) rows.names = names;
}

void take_numbers(const std::string& line, SpectraRows& rows, const std::string& path, Index line_number) {
  if (rows.names.empty())
    throw core::InputError(
        fmt::format("'{}': no line names the columns: insert one such as '# L TT EE BB TE' before the numbers of "
                    "spectra, or one with theta and phi, ra and dec, or lon and lat before those of points",
                    path));
  const std::vector<std::string> values = words_of(line);
  if (values.size() != rows.names.size())
    throw core::InputError(fmt::format("'{}', line {}: {} numbers, but the header names {} columns", path, line_number,
                                       values.size(), rows.names.size()));
  rows.columns.resize(values.size() - 1);
  rows.degrees.push_back(number_of(values.front(), path, line_number));
  for (std::size_t c = 1; c < values.size(); ++c)
    rows.columns[c - 1].push_back(number_of(values[c], path, line_number));
}

}  // namespace

SpectraRows read_text_spectra(const std::string& path) {
  TextLines lines(path);
  SpectraRows rows;
  std::string line;
  while (lines.next(line)) {
    line = trimmed(line);
    if (line.empty()) continue;
    if (line.front() == '#')
      take_header(line, rows);
    else
      take_numbers(line, rows, path, lines.number());
  }
  if (!rows.names.empty()) rows.names.erase(rows.names.begin());
  for (std::string& name : rows.names) name = spectrum_of_column(name);
  return rows;
}

std::string text_of_spectra(const alm::SpectraTable& spectra) {
  std::string text;
  if (!spectra.unit.empty()) text += fmt::format("# {} {}\n", kUnit, spectra.unit);
  text += fmt::format("# L {}\n", fmt::join(spectra.names, " "));
  for (Index l = 0; l <= spectra.lmax; ++l) {
    text += fmt::format("{}", l);
    for (const std::vector<double>& column : spectra.columns)
      text += fmt::format(" {:.17e}", column[static_cast<std::size_t>(l)]);
    text += '\n';
  }
  return text;
}

Index text_spectra_bytes(const std::vector<std::string>& names, Index lmax) {
  constexpr Index kNumber = 24;  // " 1.00000000000000000e+00"
  Index bytes = static_cast<Index>(fmt::format("# L {}\n", fmt::join(names, " ")).size());
  for (Index first = 0, digits = 1; first <= lmax; ++digits) {
    const Index next = first == 0 ? 10 : 10 * first;  // the first degree with more digits
    const Index rows = std::min(next, lmax + 1) - first;
    bytes = core::saturating_sum(
        bytes, core::saturating_product(rows, digits + 1 + kNumber * static_cast<Index>(names.size())));
    first = next;
  }
  return bytes;
}

}  // namespace armilla::io
