#pragma once

#include <armilla/io/table.hpp>
#include <armilla/io/text_lines.hpp>
#include <armilla/io/text_rows.hpp>

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace armilla::io {

/// A text table read row by row: comments and a line of names, then rows. The names are in the first line that is not a
/// comment. If that line is a row of numbers, they are in a comment, as written by numpy.savetxt and CAMB. A `#` starts
/// a comment, also at the end of a row. CLASS numbers its columns (`1:l 2:TT`).
class TextReader {
 public:
  /// Reads the header. See TableParts::header and TableParts::names. Throws InputError if the file cannot be read.
  TextReader(const std::string& path, const TableParts& parts);

  /// Empty if no line names columns.
  const std::vector<std::string>& names() const { return names_; }
  /// Values of comments `key: value`, by key in upper case.
  const std::map<std::string, std::string>& remarks() const { return remarks_; }
  /// The words of the next row, as views valid until the next call; null at the end. Throws InputError, naming file and
  /// line, unless the number of words equals the number of names.
  const std::vector<std::string_view>* next();
  Index line_number() const { return lines_.number(); }

 private:
  bool read_line();
  void take_comment(const std::string& comment);
  void choose_names(const TableParts& parts);

  std::string path_;
  TextLines lines_;
  std::string line_;     // without comment
  bool is_row_ = false;  // the line was read and is a row that next() has not returned yet
  bool is_header_ = true;
  Separator separator_ = Separator::kSpace;
  std::vector<std::string> comments_;  // the last ones that may name columns
  std::vector<std::string> names_;
  std::map<std::string, std::string> remarks_;
  std::vector<std::string_view> words_;
};

/// True for the name of a column of degrees l.
bool is_degree(std::string_view name);

bool is_text_file(const std::string& path);

/// See open_table(). Reads the whole file to count its rows.
Table open_text_table(const std::string& path, const TableParts& parts);

/// See TableFunctions. Reads the file from the start to the last requested row.
template <class T>
void read_text_table(const Table& table, std::span<const std::size_t> columns, Index first,
                     std::span<const std::span<T>> out, Index map);
/// Collective. Each rank writes its own rows with full precision. Fields are separated by commas if the file name ends
/// in .csv, otherwise by blanks.
template <class T>
void write_text_table(const comm::Communicator& comm, const AtomicFile& file, const TableWritten<T>& table);

}  // namespace armilla::io
