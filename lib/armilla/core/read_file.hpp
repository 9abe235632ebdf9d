#pragma once

#include <string>
#include <vector>

namespace armilla::core {

/// The content of a file, or why it is not known.
struct FileText {
  std::string text;
  int error = 0;  ///< errno of the call that failed; 0 if `text` is the whole file

  /// Whether there is no such file.
  bool is_missing() const;
};

/// Reads a whole file, for small ones such as journals and reports. Does not throw for files that cannot be opened or
/// read: a stream of the standard library would take some read errors for the end of the file, and throw others without
/// the name of the file.
FileText read_file(const std::string& path);

/// Like read_file(), but throws ResourceError, which names the file as `what`, if it cannot be read. A missing file has
/// an empty text.
std::string read_file_if_there(const std::string& path, const std::string& what);

/// The files of a folder.
struct FolderFiles {
  std::vector<std::string> paths;  ///< sorted
  int error = 0;                   ///< errno if the folder could not be read to its end; 0 for a missing folder
};

/// Lists the regular files of a folder whose names end in `ending`. Does not throw for folders that cannot be read.
FolderFiles files_in(const std::string& folder, const std::string& ending);

/// Like files_in(), but throws ResourceError, which names the folder, if it cannot be read.
std::vector<std::string> readable_files_in(const std::string& folder, const std::string& ending);

/// The message for a file that cannot be read; `what` names it.
std::string read_error_text(const std::string& what, int error_number);

}  // namespace armilla::core
