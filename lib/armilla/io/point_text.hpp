#pragma once

#include <armilla/io/metadata.hpp>
#include <armilla/io/text_rows.hpp>

#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace armilla::io {

/// A table of text that is read row by row: a line of names, before which there may be comments, then rows. Names are
/// those of the first line that is no comment or, where that is a row of numbers, of the last comment, as
/// numpy.savetxt writes them. A `#` begins a comment, also at the end of a row.
class PointText {
 public:
  /// Reads the line of names. `wanted` are names of coordinates that tell it from others; empty: the usual ones. Throws
  /// InputError where the file cannot be read.
  explicit PointText(const std::string& path, const std::vector<std::string>& wanted = {});

  /// Empty if no line names columns.
  const std::vector<std::string>& names() const { return names_; }
  /// Of comments `key: value`, by key in upper case.
  const std::map<std::string, std::string>& remarks() const { return remarks_; }
  /// The words of the next row, as views that last until the next call; nothing at the end. Throws InputError, naming
  /// file and line, unless it has as many words as there are names.
  const std::vector<std::string_view>* next();
  Index line_number() const { return line_number_; }

 private:
  bool read_line();
  void take_comment(const std::string& comment);
  void choose_names(const std::vector<std::string>& wanted);

  std::string path_;
  std::ifstream file_;
  std::string line_;  // without comment
  Index line_number_ = 0;
  bool is_row_ = false;  // the line was read, and is a row that next() has not given
  Separator separator_ = Separator::kSpace;
  std::string comment_;  // the last one that may name columns
  std::vector<std::string> names_;
  std::map<std::string, std::string> remarks_;
  std::vector<std::string_view> words_;
};

}  // namespace armilla::io
