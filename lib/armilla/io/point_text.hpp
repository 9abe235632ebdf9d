#pragma once

#include <armilla/io/metadata.hpp>
#include <armilla/io/text_lines.hpp>
#include <armilla/io/text_rows.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace armilla::io {

/// A text table read row by row: a header line of names, optionally preceded by comments, then rows. The names are in
/// the first line that is not a comment. If that line is a row of numbers, they are in the last comment, as written by
/// numpy.savetxt. A `#` starts a comment, also at the end of a row.
class PointText {
 public:
  /// Reads the header line. `wanted` are coordinate names that identify it; empty: the usual names. Throws InputError
  /// if the file cannot be read.
  explicit PointText(const std::string& path, const std::vector<std::string>& wanted = {});

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
  void choose_names(const std::vector<std::string>& wanted);

  std::string path_;
  TextLines lines_;
  std::string line_;     // without comment
  bool is_row_ = false;  // the line was read and is a row that next() has not returned yet
  Separator separator_ = Separator::kSpace;
  std::string comment_;  // the last comment that may name columns
  std::vector<std::string> names_;
  std::map<std::string, std::string> remarks_;
  std::vector<std::string_view> words_;
};

}  // namespace armilla::io
