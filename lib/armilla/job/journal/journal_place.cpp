#include <armilla/core/absolute_path.hpp>
#include <armilla/core/cache.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/partial_file.hpp>
#include <armilla/job/journal/journal_place.hpp>
#include <armilla/job/parse/refuse.hpp>
#include <armilla/job/value/patterns.hpp>

#include <filesystem>

#include <fmt/format.h>

namespace armilla::job {

namespace fs = std::filesystem;

namespace {
std::string digits_of(const std::string& text) {
  return fmt::format("{:016x}", core::fnv1a(text.c_str(), text.size()));
}
}  // namespace

std::string JournalPlace::relative(const std::string& file) const {
  const fs::path whole = core::absolute_path(file);
  const fs::path inside = whole.lexically_relative(core::absolute_path(base));
  return inside.empty() || *inside.begin() == ".." ? whole.string() : inside.string();
}

std::string JournalPlace::resolved(const std::string& file) const {
  return fs::path(file).is_absolute() || base == "." ? file : (fs::path(base) / file).string();
}

JournalPlace journal_place(const JobSpec& spec) {
  const auto is_of_each_map = [&](const fs::path& part) {
    try {
      return has_placeholder(part.string());
    } catch (const core::InputError& error) {
      refuse(spec.outputs.front().place, "file", spec.outputs.front().file, error.what());
    }
  };
  const fs::path first = spec.outputs.front().file;
  fs::path base, rest;
  bool is_own = false;  // whether the rest of the path is specific to each map
  for (const fs::path& part : first) {
    is_own = is_own || part == first.filename() || is_of_each_map(part);
    (is_own ? rest : base) /= part;
  }
  return {base.empty() ? "." : base.string(), digits_of(rest.string())};
}

std::string unfinished_file(const JournalPlace& place, const std::string& output, const std::string& layout) {
  const fs::path target = core::output_target(output);
  return (fs::path(core::folder_of(target.string())) / kJournalFolder /
          fmt::format("{}-{}-{}.unfinished", place.campaign, digits_of(target.filename().string()), layout))
      .string();
}

std::string spectra_file(const JournalPlace& place, std::size_t value, const std::string& layout) {
  return fmt::format("{}/{}-{}-{}.spectra", place.folder(), place.campaign, value, layout);
}

}  // namespace armilla::job
