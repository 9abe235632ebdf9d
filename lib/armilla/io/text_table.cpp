#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/core/text.hpp>
#include <armilla/io/field_names.hpp>
#include <armilla/io/file_probe.hpp>
#include <armilla/io/foreign_files.hpp>
#include <armilla/io/placed_writer.hpp>
#include <armilla/io/point_columns.hpp>
#include <armilla/io/polarisation.hpp>
#include <armilla/io/text_table.hpp>

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace armilla::io {

namespace {

constexpr Index kTextHead = 4096;                 // bytes, sufficient to distinguish text from binary
constexpr Index kRowsFormatted = Index{1} << 16;  // formatted in memory at once

void check_field_names(const std::string& path, const std::vector<std::string>& fields) {
  for (const std::string& field : fields)
    if (field.empty() || field.find_first_of(" \t,#\"") != std::string::npos)
      throw core::InputError(fmt::format("'{}': the field name '{}' cannot be a column name in a text file: write .h5",
                                         path, core::excerpt(field)));
}

/// Formats the rows of one rank.
template <class T>
class RowsAsText {
 public:
  RowsAsText(const TableWritten<T>& table, char separator) : table_(table), separator_(separator) {}

  /// Comments and the line of names.
  std::string head() const {
    const FieldMetadata& metadata = table_.metadata;
    std::string text;
    const auto remark = [&](std::string_view key, const std::string& value) {
      if (!value.empty()) text += fmt::format("# {}: {}\n", key, value);
    };
    if (std::ranges::any_of(metadata.units, [](const std::string& unit) { return !unit.empty(); }))
      remark("unit", join_list(metadata.units));
    remark("spins", list_of_spins(metadata.spins));
    remark("coordsys", metadata.coordsys);
    remark("polcconv", polcconv_to_write(metadata));
    std::vector<std::string> names;
    for (const TableColumn& column : table_.leading) names.push_back(column.name);
    names.insert(names.end(), metadata.fields.begin(), metadata.fields.end());
    return text + (separator_ == ',' ? "" : "# ") + fmt::format("{}\n", fmt::join(names, std::string(1, separator_)));
  }

  /// Passes all own rows to `take`, part by part.
  template <class Take>
  void for_all_rows(const Take& take) {
    const auto own = static_cast<Index>(table_.leading_values.front().size());
    for (Index first = 0; first < own; first += kRowsFormatted)
      take(rows(first, std::min(kRowsFormatted, own - first)));
  }

 private:
  const fmt::memory_buffer& rows(Index first, Index count) {
    text_.clear();
    const std::size_t leading = table_.leading.size(), columns = leading + table_.values.size();
    for (Index i = first; i < first + count; ++i) {
      const auto at = static_cast<std::size_t>(i);
      for (std::size_t c = 0; c < columns; ++c) {
        if (c < leading)
          append(table_.leading_values[c][at], false);
        else
          append(stored(table_.values[c - leading][at]), table_.full_digits);
        text_.push_back(c + 1 < columns ? separator_ : '\n');
      }
    }
    return text_;
  }

  // Both forms have enough digits to recover any double exactly.
  void append(double number, bool full_digits) {
    if (full_digits)
      fmt::format_to(std::back_inserter(text_), "{:.17e}", number);
    else
      fmt::format_to(std::back_inserter(text_), "{}", number);
  }

  double stored(T value) const {
    return table_.precision == Precision::kSingle ? static_cast<double>(static_cast<float>(value))
                                                  : static_cast<double>(value);
  }

  const TableWritten<T>& table_;
  char separator_;
  fmt::memory_buffer text_;
};

}  // namespace

bool is_text_file(const std::string& path) {
  const std::string head = file_head(path, kTextHead);
  return !head.empty() && is_text(head);
}

Table open_text_table(const std::string& path, const TableParts& parts) {
  refuse_foreign(path);
  TextReader text(path, parts);
  if (text.names().empty())
    throw core::InputError(core::ErrorContext{
        .text = fmt::format("'{}': no line names the columns: insert one before the numbers, such as '# L TT EE BB TE' "
                            "for spectra, or 'theta,phi,T' for points; or name those of spectra with {}",
                            path, core::mention("", "columns", "[L, TT, EE]"))});
  Table table{.path = path, .format = TableFormat::kText, .keywords = text.remarks()};
  for (const std::string& name : text.names())
    table.columns.push_back({.name = name, .place = static_cast<Index>(table.columns.size())});
  for (; const auto* row = text.next(); ++table.rows)
    if (table.rows == 0)
      for (std::size_t i = 0; i < row->size(); ++i)
        table.columns[i].has_values = table.columns[i].is_number = is_number((*row)[i]);
  return table;
}

template <class T>
void read_text_table(const Table& table, std::span<const std::size_t> columns, Index first,
                     std::span<const std::span<T>> out, Index) {
  TextReader text(table.path, table.parts);
  const auto count = out.empty() ? 0 : out.front().size();
  for (Index i = 0; i < first; ++i)
    if (text.next() == nullptr) throw_changed(table.path);
  for (std::size_t i = 0; i < count; ++i) {
    const auto* row = text.next();
    if (row == nullptr || row->size() != table.columns.size()) throw_changed(table.path);
    for (std::size_t c = 0; c < columns.size(); ++c)
      out[c][i] = static_cast<T>(
          number_of((*row)[static_cast<std::size_t>(table.columns[columns[c]].place)], table.path, text.line_number()));
  }
}

template <class T>
void write_text_table(const comm::Communicator& comm, const AtomicFile& file, const TableWritten<T>& table) {
  RowsAsText<T> text(table, name_ending(file.path()) == ".csv" ? ',' : ' ');
  const std::string head = text.head();
  // Determines the length of each rank's text first, and then formats the text again to write it.
  std::vector<Index> bytes(static_cast<std::size_t>(comm.size()), 0);
  comm::phase(comm, [&] {
    check_field_names(file.path(), table.metadata.fields);
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

ARMILLA_INSTANTIATE(read_text_table);
ARMILLA_INSTANTIATE(write_text_table);

}  // namespace armilla::io
