#pragma once

#include <string>
#include <vector>

namespace armilla::io {

/// A file format, human-readable.
struct FormatSummary {
  std::string name;
  std::vector<std::string> endings;  ///< the first one is the default
  std::string holds;                 ///< its possible contents, in words
};

/// All supported data formats, from the tables formats() and point_formats().
std::vector<FormatSummary> format_list();

}  // namespace armilla::io
