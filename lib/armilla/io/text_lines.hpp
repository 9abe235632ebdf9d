#pragma once

#include <armilla/core/input_file.hpp>

#include <string>
#include <vector>

namespace armilla::io {

using core::Index;

/// The lines of a text file, read one after another. All text tables are read through this class.
class TextLines {
 public:
  /// Throws InputError like core::InputFile.
  explicit TextLines(const std::string& path);

  /// Reads the next line, without its end (LF or CR LF) and without a byte order mark; false at the end of the file.
  /// Throws ResourceError for a failed read, and InputError, naming file and line, for a line of more than 16 MiB.
  bool next(std::string& line);
  /// Number of the last line that next() read, from 1.
  Index number() const { return number_; }

 private:
  bool fill();

  core::InputFile file_;
  Index position_ = 0;  // of the bytes behind the buffer
  std::vector<char> buffer_;
  std::size_t begin_ = 0;  // of the bytes in the buffer that no line has used
  std::size_t end_ = 0;
  Index number_ = 0;
};

}  // namespace armilla::io
