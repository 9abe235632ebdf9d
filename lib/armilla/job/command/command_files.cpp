#include <armilla/core/error.hpp>
#include <armilla/io/fits_contents.hpp>
#include <armilla/io/read.hpp>
#include <armilla/job/command/command_files.hpp>
#include <armilla/job/parse/expand_path.hpp>
#include <armilla/job/value/patterns.hpp>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace armilla::job {

std::string sample_file(const std::string& file) {
  if (!is_pattern(file)) return file;
  const std::vector<std::string> files = expand_pattern(file).files;
  const auto there = std::ranges::find_if(files, [](const std::string& one) {
    std::error_code ignored;
    return std::filesystem::exists(one, ignored);
  });
  return there == files.end() ? files.front() : *there;
}

std::string without_tilde(const std::string& file) {
  if (!file.starts_with("~/")) return file;
  try {
    return expand_path("~", environment_variable) + file.substr(1);
  } catch (const core::InputError& error) {
    throw core::InputError(fmt::format("'{}' {}", file, error.what()));
  }
}

std::string path_text(const std::string& file) {
  std::string text = file.starts_with('~') ? "./" : "";
  for (const char c : file) text += c == '$' ? "$$" : std::string(1, c);
  return text;
}

void HeldContents::hold(const std::string& file) {
  if (auto contents = io::inflated_contents(file, memory_limit)) files.push_back(std::move(contents));
}

ValueSort sort_in(const std::string& file, HeldContents& held) {
  held.hold(file);
  switch (io::file_kind(file)) {
    case io::FileKind::kMap:
      return ValueSort::kMap;
    case io::FileKind::kAlm:
      return ValueSort::kAlm;
    case io::FileKind::kPoints:
      return ValueSort::kValues;
    case io::FileKind::kSpectra:
      throw core::InputError(
          fmt::format("{} contains spectra or windows, which cannot be used as an input: pass a map or coefficients; "
                      "'armilla multiply ALM --by-window FILE' applies windows B_l",
                      file));
    case io::FileKind::kRings:
      break;
  }
  throw core::InputError(fmt::format("{} contains only a grid: pass a map or coefficients", file));
}

}  // namespace armilla::job
