#include <armilla/io/field_names.hpp>
#include <armilla/io/file_kinds.hpp>
#include <armilla/io/fits_handle.hpp>
#include <armilla/io/healpix_table.hpp>

#include <algorithm>

namespace armilla::io {

std::optional<HealpixTable> find_healpix_table(const std::string& path) {
  if (!is_fits(path)) return std::nullopt;
  const FitsFile file = FitsFile::open(path);
  if (file.hdu_count() < 2) return std::nullopt;
  file.move_to_table();
  if (fits_text(file, "ORDERING")) return std::nullopt;
  HealpixTable table;
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
