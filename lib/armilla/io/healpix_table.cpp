#include <armilla/io/field_names.hpp>
#include <armilla/io/file_kinds.hpp>
#include <armilla/io/fits_handle.hpp>
#include <armilla/io/healpix_table.hpp>
#include <armilla/io/multi_order.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace armilla::io {

std::optional<HealpixTable> find_healpix_table(const std::string& path) {
  if (!is_fits(path)) return std::nullopt;
  const FitsFile file = FitsFile::open(path);
  if (file.hdu_count() < 2) return std::nullopt;
  file.move_to_table();
  HealpixTable table;
  if (is_multi_order(file)) {
    const std::vector<FitsColumn> columns = fits_columns(file);
    if (columns.size() < 2) return std::nullopt;
    table.rows = fits_rows(file);
    for (const FitsColumn& column : columns) table.columns.push_back(column.name);
    const FitsColumn cells = cell_column(file, columns);
    const auto [coarsest, finest] = cell_sizes(file, cells, table.rows * cells.repeat);
    table.what = fmt::format("multi-order map, with cells of nside {} to {}", coarsest, finest);
    table.use = fmt::format("usable as a map that is flattened to the nside of its input, such as 'nside: {}'", finest);
    return table;
  }
  if (fits_text(file, "ORDERING")) return std::nullopt;
  for (const FitsColumn& column : fits_columns(file)) table.columns.push_back(column.name);
  const auto any_column_has = [&](const char* part) {
    return std::ranges::any_of(table.columns,
                               [&](const std::string& name) { return upper(name).find(part) != std::string::npos; });
  };
  if (any_column_has("WEIGHTS")) {
    table.what = any_column_has("PIXEL WEIGHTS") ? "pixel weights" : "ring weights";
    table.is_weights = true;
    table.use = "not a job input, as Armilla computes the weights it needs";
  } else if (upper(fits_text(file, "EXTNAME").value_or("")).find("PIXEL WINDOW") != std::string::npos) {
    table.what = "pixel window";
    table.use = "usable as 'by: {window: FILE}' in the multiply step";
  } else {
    return std::nullopt;
  }
  table.nside = fits_index(file, "NSIDE").value_or(0);
  table.rows = fits_rows(file);
  return table;
}

}  // namespace armilla::io
