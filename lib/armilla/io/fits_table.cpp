#include <armilla/io/field_names.hpp>
#include <armilla/io/fits_table.hpp>

#include <cerrno>

#include <fmt/format.h>

namespace armilla::io {

namespace {

constexpr Index kBlockBytes = 2880;
constexpr Index kHeaderBlocks = 8;

char type_letter(const FitsColumn& column) {
  switch (column.type) {
    case TFLOAT:
      return 'E';
    case TDOUBLE:
      return 'D';
    case TLONG:
      return 'J';
    default:
      return 'K';
  }
}

Index value_bytes(const FitsColumn& column) { return column.type == TFLOAT || column.type == TLONG ? 4 : 8; }

}  // namespace

void create_fits_table(const FitsFile& file, const std::vector<FitsColumn>& columns, Index values,
                       const std::string& extension_name) {
  std::vector<std::string> names, forms, units;
  for (const FitsColumn& column : columns) {
    names.push_back(column.name);
    forms.push_back(fmt::format("{}{}", column.repeat, type_letter(column)));
    units.push_back(column.unit);
  }
  const auto pointers = [](std::vector<std::string>& texts) {
    std::vector<char*> result;
    for (std::string& text : texts) result.push_back(text.data());
    return result;
  };
  int status = 0;
  errno = 0;
  fits_create_tbl(file.get(), BINARY_TBL, values / columns.front().repeat, static_cast<int>(columns.size()),
                  pointers(names).data(), pointers(forms).data(), pointers(units).data(), extension_name.c_str(),
                  &status);
  file.check(status, "its table cannot be created: check the disk");
  file.reserve_cards();
}

Index fits_table_bytes(const std::vector<FitsColumn>& columns, Index values) {
  Index bytes = kHeaderBlocks * kBlockBytes;
  for (const FitsColumn& column : columns) bytes += values * value_bytes(column);
  return bytes + kBlockBytes;
}

void read_fits_conventions(const FitsFile& file, FieldMetadata& metadata) {
  metadata.coordsys = coordsys_of(fits_text(file, "COORDSYS").value_or(""));
  metadata.polcconv = polcconv_of(fits_text(file, "POLCCONV").value_or(""), file.name());
}

void write_fits_conventions(const FitsFile& file, const FieldMetadata& metadata) {
  if (!metadata.coordsys.empty())
    write_fits_text(file, "COORDSYS", metadata.coordsys, "G galactic, E ecliptic, C equatorial");
  if (is_polarised(metadata.fields)) write_fits_text(file, "POLCCONV", "COSMO", "sign convention of polarisation");
}

}  // namespace armilla::io
