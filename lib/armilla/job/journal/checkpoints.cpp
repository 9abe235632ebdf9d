#include <armilla/core/error.hpp>
#include <armilla/core/partial_file.hpp>
#include <armilla/core/read_file.hpp>
#include <armilla/io/solver_state.hpp>
#include <armilla/job/journal/checkpoints.hpp>

#include <filesystem>
#include <set>

#include <fmt/format.h>

namespace armilla::job {

using nlohmann::json;

namespace {

namespace fs = std::filesystem;

constexpr int kCheckpointFormat = 1;
constexpr const char* kEnding = ".checkpoint";

/// Those of a place, out of the files of its folder.
std::set<std::string> own_checkpoints(const JournalPlace& place, const std::vector<std::string>& paths) {
  std::set<std::string> files;
  for (const std::string& path : paths)
    if (place.campaign.empty() || fs::path(path).filename().string().starts_with(place.campaign + "-"))
      files.insert(path);
  return files;
}

}  // namespace

std::string checkpoint_file(const JournalPlace& place, std::size_t step) {
  return fmt::format("{}/{}-{}{}", place.folder(), place.campaign, step, kEnding);
}

void remove_checkpoints(const JournalPlace& place, const std::string& mark) {
  std::error_code ignored;
  if (!fs::is_directory(place.folder(), ignored)) return;
  core::remove_partial_files(place.folder(), mark);
  for (const std::string& file : own_checkpoints(place, core::files_in(place.folder(), kEnding).paths))
    fs::remove(file, ignored);
  fs::remove(place.folder(), ignored);  // only if empty
}

std::string about_text(const CheckpointEntry& entry) {
  return json{
      {"format", kCheckpointFormat},    {"job", entry.job},           {"step", entry.step}, {"solver", entry.solver},
      {"iterations", entry.iterations}, {"checksum", entry.checksum}, {"key", entry.key}}
      .dump();
}

CheckpointEntry checkpoint_of(const std::string& about, const std::string& file) {
  try {
    const json text = json::parse(about);
    if (text.at("format") != kCheckpointFormat)
      throw core::InputError(fmt::format("'{}' has checkpoint format {}, but this version of Armilla reads format {}",
                                         file, text.at("format").dump(), kCheckpointFormat));
    return {.file = file,
            .job = text.at("job"),
            .step = text.at("step"),
            .solver = text.at("solver"),
            .iterations = text.at("iterations"),
            .checksum = text.at("checksum"),
            .key = text.at("key")};
  } catch (const json::exception& error) {
    throw core::InputError(fmt::format("'{}': dataset 'about' is damaged: {}", file, error.what()));
  }
}

std::vector<CheckpointEntry> checkpoints_at(const std::vector<JournalPlace>& places) {
  std::set<std::string> files;
  for (const JournalPlace& place : places)
    files.merge(own_checkpoints(place, core::readable_files_in(place.folder(), kEnding)));
  std::vector<CheckpointEntry> all;
  for (const std::string& file : files) {
    try {
      all.push_back(checkpoint_of(io::open_solver_state(file).about, file));
    } catch (const core::Error& error) {
      all.push_back({.file = file, .job = {}, .step = {}, .solver = {}, .problem = error.what()});
    }
  }
  return all;
}

json checkpoints_json(const std::vector<CheckpointEntry>& all) {
  json list = json::array();
  for (const CheckpointEntry& entry : all) {
    list.push_back({{"file", entry.file}});
    if (entry.problem.empty())
      list.back().update(
          {{"job", entry.job}, {"step", entry.step}, {"solver", entry.solver}, {"iterations", entry.iterations}});
    else
      list.back()["problem"] = entry.problem;
  }
  return list;
}

std::string checkpoints_text(const std::vector<CheckpointEntry>& all) {
  std::string text;
  for (const CheckpointEntry& entry : all)
    text +=
        entry.problem.empty()
            ? fmt::format("{}: {} ({}) has completed {} iterations; run the same command again to continue from '{}'\n",
                          entry.job, entry.step, entry.solver, entry.iterations, entry.file)
            : fmt::format("cannot read a checkpoint: {}\n", entry.problem);
  return text;
}

}  // namespace armilla::job
