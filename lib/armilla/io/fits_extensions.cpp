#include <armilla/core/error.hpp>
#include <armilla/core/text.hpp>
#include <armilla/io/field_names.hpp>
#include <armilla/io/fits_extensions.hpp>

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::io {

namespace {

bool is_table(const FitsFile& file, int hdu) {
  file.move_to(hdu);
  int type = IMAGE_HDU, status = 0;
  fits_get_hdu_type(file.get(), &type, &status);
  file.check(status, fmt::format("the type of HDU {} cannot be read", hdu - 1));
  return type != IMAGE_HDU;
}

std::string extension_name(const FitsFile& file) { return fits_text(file, "EXTNAME").value_or(""); }

std::vector<std::string> names_of(const FitsFile& file) {
  std::vector<std::string> names;
  const int count = file.hdu_count();
  for (int hdu = 2; hdu <= count; ++hdu) {
    file.move_to(hdu);
    names.push_back(extension_name(file));
  }
  return names;
}

/// NSIDE of a primary header that describes a HEALPix map.
std::optional<Index> nside_of_primary(const FitsFile& file) {
  file.move_to(1);
  return is_map_header(file) ? fits_index(file, "NSIDE") : std::nullopt;
}

/// Whether a column of the current table has one value per pixel.
bool has_full_column(const FitsFile& file, Index nside) {
  const Index rows = fits_rows(file);
  return std::ranges::any_of(fits_columns(file), [&](const FitsColumn& column) {
    return column.has_values() && column.repeat * rows == 12 * nside * nside;
  });
}

}  // namespace

int move_to_hdu(const FitsFile& file, const std::string& hdu) {
  const int count = file.hdu_count();
  int number = 0;
  const auto [end, error] = std::from_chars(hdu.data(), hdu.data() + hdu.size(), number);
  const bool is_number = error == std::errc() && end == hdu.data() + hdu.size();
  std::vector<int> found;
  for (int one = 1; one <= count; ++one) {
    if (is_number ? one - 1 != number : (file.move_to(one), upper(extension_name(file)) != upper(hdu))) continue;
    found.push_back(one);
  }
  if (found.empty())
    throw core::InputError(fmt::format("'{}' has no HDU '{}': its extensions are {}", file.name(), core::excerpt(hdu),
                                       extension_list(file)));
  if (found.size() > 1)
    throw core::InputError(fmt::format("'{}' has {} extensions with the name '{}': use the number of one of them, {}",
                                       file.name(), found.size(), core::excerpt(hdu), extension_list(file)));
  if (!is_table(file, found.front()))
    throw core::InputError(fmt::format("'{}': HDU '{}' is not a table: the extensions of the file are {}", file.name(),
                                       core::excerpt(hdu), extension_list(file)));
  return found.front();
}

std::optional<int> find_map(const FitsFile& file) {
  const int first = file.move_to_table();
  if (is_map_header(file)) return first;
  const int count = file.hdu_count();
  for (int hdu = first + 1; hdu <= count; ++hdu)
    if (is_table(file, hdu) && is_map_header(file)) return hdu;
  if (const std::optional<Index> nside = nside_of_primary(file); nside && *nside > 0 && *nside <= (Index{1} << 29))
    for (int hdu = first; hdu <= count; ++hdu)
      if (is_table(file, hdu) && has_full_column(file, *nside)) return hdu;
  file.move_to(first);
  return std::nullopt;
}

bool is_map_header(const FitsFile& file) {
  return upper(fits_text(file, "PIXTYPE").value_or("")) == "HEALPIX" || fits_text(file, "ORDERING") ||
         fits_text(file, "INDXSCHM");
}

std::vector<std::string> fits_extension_names(const std::string& path) { return names_of(FitsFile::open(path)); }

std::string extension_list(const FitsFile& file) {
  std::vector<std::string> list;
  for (const std::string& name : names_of(file)) {
    const std::size_t number = list.size() + 1;
    list.push_back(name.empty() ? fmt::format("{}", number) : fmt::format("{} ({})", number, core::excerpt(name)));
  }
  return list.empty() ? "none" : fmt::format("{}", fmt::join(list, ", "));
}

}  // namespace armilla::io
