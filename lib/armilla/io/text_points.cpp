#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/core/saturating.hpp>
#include <armilla/core/text.hpp>
#include <armilla/io/field_names.hpp>
#include <armilla/io/file_probe.hpp>
#include <armilla/io/placed_writer.hpp>
#include <armilla/io/point_columns.hpp>
#include <armilla/io/point_text.hpp>
#include <armilla/io/text_points.hpp>

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace armilla::io {

namespace {

constexpr Index kPointsFormatted = Index{1} << 16;  // formatted in memory at once
// Mean length of a number and a separator: theta and phi, such as "1.2345678901234567,", and values, some of which have
// a sign, or leading zeros or an exponent.
constexpr Index kPlaceBytes = 19;
constexpr Index kValueBytes = 21;

// Columns that are not coordinates and whose word in the first row is a number.
std::vector<std::size_t> number_columns(const std::vector<std::string_view>& row, const PlaceColumns& places) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < row.size(); ++i)
    if (std::ranges::find(places.at, i) == places.at.end() && is_number(row[i])) found.push_back(i);
  return found;
}

void read_remarks(const PointText& text, PointsInfo& info) {
  const auto remark = [&](const char* key) {
    const auto found = text.remarks().find(key);
    return found == text.remarks().end() ? std::string() : found->second;
  };
  const auto components = static_cast<std::size_t>(info.components);
  FieldMetadata& metadata = info.metadata;
  if (const std::string unit = remark("UNIT"); !unit.empty()) metadata.units = per_component({unit}, components);
  metadata.units.resize(components);
  std::ranges::transform(metadata.units, metadata.units.begin(), unit_of);
  metadata.spins = spins_of(remark("SPINS"), info.components, info.path);
  metadata.coordsys = coordsys_of(remark("COORDSYS"));
  metadata.polcconv = polcconv_of(remark("POLCCONV"), info.path);
}

void check_names(const PointText& text, const std::string& path) {
  if (text.names().empty())
    throw core::InputError(
        fmt::format("'{}': no line names the columns: insert one such as 'theta,phi,T' before the numbers", path));
}

// Enough digits to recover any double exactly.
void append(fmt::memory_buffer& text, double number, char separator) {
  fmt::format_to(std::back_inserter(text), "{}{}", number, separator);
}

void check_field_names(const std::string& path, const std::vector<std::string>& fields) {
  for (const std::string& field : fields)
    if (field.empty() || field.find_first_of(" \t,#\"") != std::string::npos)
      throw core::InputError(fmt::format("'{}': the field name '{}' cannot be a column name in a text file: write .h5",
                                         path, core::excerpt(field)));
}

}  // namespace

/// Formats the points of one rank.
template <class T>
class TextOfPoints {
 public:
  TextOfPoints(const PointsWritten<T>& points, char separator) : points_(points), separator_(separator) {}

  /// Comments and the header line.
  std::string head() const {
    const FieldMetadata& metadata = points_.metadata;
    std::string text;
    const auto remark = [&](std::string_view key, const std::string& value) {
      if (!value.empty()) text += fmt::format("# {}: {}\n", key, value);
    };
    if (std::ranges::any_of(metadata.units, [](const std::string& unit) { return !unit.empty(); }))
      remark("unit", join_list(metadata.units));
    remark("spins", list_of_spins(metadata.spins));
    remark("coordsys", metadata.coordsys);
    if (is_polarised(metadata.fields)) remark("polcconv", "COSMO");
    const bool is_csv = separator_ == ',';
    text += is_csv ? "theta,phi" : "# theta phi";
    for (const std::string& field : metadata.fields) {
      text += separator_;
      text += field;
    }
    return text + '\n';
  }

  /// Passes the rows of all own points to `take`, part by part.
  template <class Take>
  void for_all_rows(const Take& take) {
    const auto own = static_cast<Index>(points_.theta.size());
    for (Index first = 0; first < own; first += kPointsFormatted)
      take(rows(first, std::min(kPointsFormatted, own - first)));
  }

 private:
  const fmt::memory_buffer& rows(Index first, Index count) {
    text_.clear();
    for (Index i = first; i < first + count; ++i) {
      const auto at = static_cast<std::size_t>(i);
      append(text_, points_.theta[at], separator_);
      append(text_, points_.phi[at], points_.components() > 0 ? separator_ : '\n');
      for (Index c = 0; c < points_.components(); ++c)
        append(text_, stored(points_.component(c)[at]), c + 1 < points_.components() ? separator_ : '\n');
    }
    return text_;
  }

  double stored(T value) const {
    return points_.precision == Precision::kSingle ? static_cast<double>(static_cast<float>(value))
                                                   : static_cast<double>(value);
  }

  const PointsWritten<T>& points_;
  char separator_;
  fmt::memory_buffer text_;
};

bool is_text_points(const std::string& path) { return has_places(PointText(path).names()); }

PointsInfo open_text_points(const std::string& path, const PointColumns& columns) {
  PointText text(path, columns.places);
  check_names(text, path);
  const PlaceColumns places = find_places(path, text.names(), columns, "columns");
  PointsInfo info{.path = path, .format = PointFormat::kText, .coordinates = places.coordinates};
  for (const std::size_t at : places.at) {
    info.places.push_back(text.names()[at]);
    info.columns.push_back(static_cast<Index>(at));
  }
  info.in_degrees = are_degrees(path, places, text.names(), {});
  std::vector<std::size_t> values = find_values(path, text.names(), places, columns.values);
  while (const auto* row = text.next()) {
    if (info.points == 0 && columns.values.empty()) values = number_columns(*row, places);
    ++info.points;
  }
  check_points(path, info.points);
  info.components = static_cast<Index>(values.size());
  std::vector<std::string> names;
  for (const std::size_t i : values) {
    info.columns.push_back(static_cast<Index>(i));
    names.push_back(text.names()[i]);
  }
  info.metadata.fields = fields_of_columns(path, names);
  read_remarks(text, info);
  complete_metadata(info);
  return info;
}

template <class T>
void read_text_points(const PointsInfo& info, std::span<const Index> columns, Index first,
                      std::span<const std::span<T>> out) {
  PointText text(info.path, info.places);
  const auto count = out.empty() ? 0 : out.front().size();
  const auto changed = [&] { return fmt::format("'{}' has changed since its header was read: run again", info.path); };
  for (Index i = 0; i < first; ++i)
    if (text.next() == nullptr) throw core::InputError(changed());
  for (std::size_t i = 0; i < count; ++i) {
    const auto* row = text.next();
    if (row == nullptr) throw core::InputError(changed());
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const auto at = static_cast<std::size_t>(info.columns[static_cast<std::size_t>(columns[c])]);
      if (at >= row->size()) throw core::InputError(changed());
      out[c][i] = static_cast<T>(number_of((*row)[at], info.path, text.line_number()));
    }
  }
}

template <class T>
void write_text_points(const comm::Communicator& comm, const AtomicFile& file, const PointsWritten<T>& points) {
  TextOfPoints<T> text(points, name_ending(file.path()) == ".csv" ? ',' : ' ');
  const std::string head = text.head();
  // Determines the length of each rank's text first, and then formats the text again to write it.
  std::vector<Index> bytes(static_cast<std::size_t>(comm.size()), 0);
  comm::phase(comm, [&] {
    check_field_names(file.path(), points.metadata.fields);
    Index& mine = bytes[static_cast<std::size_t>(comm.rank())];
    if (comm.is_root()) mine += static_cast<Index>(head.size());
    text.for_all_rows([&](const fmt::memory_buffer& rows) { mine += static_cast<Index>(rows.size()); });
  });
  comm.sum(std::span<Index>(bytes));
  PlacedWriter out;
  comm::phase(comm, [&] {
    Index total = 0;
    for (const Index part : bytes) total += part;
    if (comm.is_root()) file.check_space(total);
  });
  comm::phase(comm, [&] {
    out.open(file, comm.size());
    Index position = 0;
    for (int rank = 0; rank < comm.rank(); ++rank) position += bytes[static_cast<std::size_t>(rank)];
    const auto write = [&](const auto& part) {
      out.write(position, part.data(), static_cast<Index>(part.size()));
      position += static_cast<Index>(part.size());
    };
    if (comm.is_root()) write(head);
    text.for_all_rows(write);
    out.finish();
  });
}

Index text_points_bytes(Index points, Index components, Precision) {
  constexpr Index kHeaders = 128;
  return core::saturating_sum(kHeaders, core::saturating_product(points, 2 * kPlaceBytes + components * kValueBytes));
}

ARMILLA_INSTANTIATE(read_text_points);
ARMILLA_INSTANTIATE(write_text_points);

}  // namespace armilla::io
