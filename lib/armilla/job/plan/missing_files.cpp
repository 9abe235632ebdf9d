#include <armilla/core/text.hpp>
#include <armilla/job/parse/refuse.hpp>
#include <armilla/job/plan/missing_files.hpp>

#include <filesystem>
#include <set>
#include <system_error>

#include <fmt/format.h>

namespace armilla::job {

std::string missing_files_text(const JobSpec& spec) {
  constexpr Index kNamed = 10;
  const Place* place = nullptr;
  std::set<Index> maps;
  std::string names;
  Index files = 0, of = 0;
  for (const InputSpec& input : spec.inputs) {
    if (input.items.files.empty() || input.expect) continue;
    of = static_cast<Index>(input.items.labels.size());
    for (Index item = spec.execution.part.first(of); item < spec.execution.part.end(of); ++item)
      for (const std::string& file : input.files_of(item)) {
        std::error_code error;
        if (std::filesystem::exists(file, error)) continue;
        if (place == nullptr) place = &input.place;
        maps.insert(item);
        if (++files <= kNamed) names += (files == 1 ? "" : ", ") + core::excerpt(file);
      }
  }
  if (files == 0) return {};
  std::string text = fmt::format("{} {} missing, for {} of {} maps: {}", files, files == 1 ? "file is" : "files are",
                                 maps.size(), of, names);
  if (files > kNamed) text += fmt::format(" and {} more", files - kNamed);
  const ExecutionSpec& execution = spec.execution;
  if (execution.on_bad_map == BadMapPolicy::kStop)
    complain(*place, {},
             fmt::format("{}. Create them, correct the pattern, or set {} to leave out such maps", text,
                         core::mention("execution", "on_bad_map", "skip")));
  const auto& limit = execution.bad_map_limit;
  if (limit && limit->is_exceeded(static_cast<Index>(maps.size()), of))
    complain(*place, {},
             fmt::format("{}. This exceeds {} = {}: create the files, correct the pattern, or raise the limit", text,
                         mention(limit->place), limit->text));
  return spec.word(error_at(*place, {}, text));
}

}  // namespace armilla::job
