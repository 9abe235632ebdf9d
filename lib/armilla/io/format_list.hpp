#pragma once

#include <string>
#include <vector>

namespace armilla::io {

/// A file format, for people.
struct FormatSummary {
  std::string name;
  std::vector<std::string> endings;  ///< the first one is the usual one
  std::string holds;                 ///< what it can hold, in words
};

/// All formats of data that are read and written, from the tables formats() and point_formats().
std::vector<FormatSummary> format_list();

}  // namespace armilla::io
