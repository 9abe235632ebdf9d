#include <armilla/io/field_names.hpp>
#include <armilla/io/fits_handle.hpp>
#include <armilla/io/fits_spectra.hpp>
#include <armilla/io/fits_table.hpp>

namespace armilla::io {

namespace {

bool is_degree(const FitsColumn& column) {
  const std::string name = upper(column.name);
  return name == "L" || name == "ELL";
}

std::vector<double> column_values(const FitsFile& file, const FitsColumn& column, Index rows) {
  std::vector<double> values(static_cast<std::size_t>(rows * column.repeat));
  read_fits_values(file, column, 0, rows * column.repeat, values.data());
  return values;
}

void undo_healpy_names(const FitsFile& file, std::vector<std::string>& names) {
  if (names.size() != 6 || upper(fits_text(file, "CREATOR").value_or("")) != "HEALPY") return;
  if (upper(fits_text(file, "TTYPE5").value_or("")) != "C-T" || upper(fits_text(file, "TTYPE6").value_or("")) != "C-G")
    return;
  std::swap(names[4], names[5]);
}

}  // namespace

SpectraRows read_fits_spectra(const std::string& path) {
  const FitsFile file = FitsFile::open(path);
  file.move_to_table();
  const Index rows = fits_rows(file);
  SpectraRows result;
  for (const FitsColumn& column : fits_columns(file)) {
    if (!column.is_number()) continue;
    std::vector<double> values = column_values(file, column, rows);
    if (is_degree(column)) {
      result.degrees = std::move(values);
      continue;
    }
    if (result.names.empty()) result.unit = column.unit;
    result.names.push_back(spectrum_of_column(column.name));
    result.columns.push_back(std::move(values));
  }
  undo_healpy_names(file, result.names);
  return result;
}

void write_fits_spectra(const AtomicFile& file, const alm::SpectraTable& spectra) {
  std::vector<FitsColumn> columns;
  for (const std::string& name : spectra.names)
    columns.push_back({.number = static_cast<int>(columns.size()) + 1,
                       .name = name,
                       .unit = spectra.unit,
                       .type = TDOUBLE,
                       .repeat = 1});
  file.check_space(fits_table_bytes(columns, spectra.lmax + 1));
  FitsFile out = FitsFile::create(file.partial_path(), file.path());
  create_fits_table(out, columns, spectra.lmax + 1, "POWER SPECTRUM");
  write_fits_index(out, "MAX-LPOL", spectra.lmax, "largest l");
  for (std::size_t i = 0; i < columns.size(); ++i)
    write_fits_values(out, columns[i], 0, spectra.lmax + 1, spectra.columns[i].data());
  out.close();
}

}  // namespace armilla::io
