#pragma once

#include <armilla/core/types.hpp>

#include <functional>
#include <memory>
#include <string>

namespace armilla::core {

/// A file in memory that processes of the same user on a node share, such as the contents of a compressed file. It
/// exists as long as one of them holds it, also if others are killed.
class NodeFile {
 public:
  /// Writes the contents to a file that is open for writing and empty.
  using Fill = std::function<void(int descriptor)>;

  /// Not collective. The contents called `key`: those of another holder on this node if there is one, otherwise new
  /// ones, written by `fill`. While one process fills a file, others that want it wait. Where processes cannot see each
  /// other, as in separate containers, each has its own contents. Throws the errors of `fill`, and ResourceError.
  static std::shared_ptr<const NodeFile> acquire(const std::string& key, const Fill& fill);
  ~NodeFile();
  NodeFile(const NodeFile&) = delete;
  NodeFile& operator=(const NodeFile&) = delete;

  /// The path by which this process opens the file.
  const std::string& path() const { return path_; }
  /// Its size.
  Index bytes() const { return bytes_; }

 private:
  NodeFile(int descriptor, std::string meeting_point);

  int descriptor_;
  std::string path_;
  std::string meeting_point_;  ///< of a file that this process has filled; otherwise empty
  Index bytes_ = 0;
};

}  // namespace armilla::core
