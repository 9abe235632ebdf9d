#include <armilla/core/error.hpp>
#include <armilla/core/read_file.hpp>
#include <armilla/core/text.hpp>
#include <armilla/io/checksum.hpp>
#include <armilla/io/file_probe.hpp>
#include <armilla/job/journal/status.hpp>
#include <armilla/job/journal/verify.hpp>
#include <armilla/job/parse/json_text.hpp>

#include <filesystem>
#include <map>

#include <fmt/format.h>

namespace armilla::job {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

/// Finds an output that was moved together with its report.
std::string found_near(const std::string& path, const std::string& report) {
  std::error_code error;
  if (fs::exists(path, error)) return path;
  const fs::path beside = fs::path(report).parent_path() / fs::path(path).filename();
  return fs::exists(beside, error) ? beside.string() : path;
}

std::vector<RecordedFile> files_of_report(const json& report, const std::string& name) {
  std::vector<RecordedFile> files;
  try {
    for (const json& file : report.value("checksums", json::array()))
      files.push_back(
          {found_near(file.value("file", ""), name), json_index(file, "bytes", 0), file.value("checksum", "")});
  } catch (const std::exception& error) {
    throw core::InputError(fmt::format("report '{}' is damaged ({}): use the report as the run wrote it", name,
                                       core::excerpt(error.what())));
  }
  return files;
}

}  // namespace

std::optional<json> read_report(const std::string& file) {
  constexpr Index kHead = 512;  // bytes; files with other contents may be large
  const std::string head = io::file_head(file, kHead);
  if (const auto begin = head.find_first_not_of(" \t\r\n"); begin == std::string::npos || head[begin] != '{')
    return std::nullopt;
  json report = json::parse(core::read_file_if_there(file, fmt::format("'{}'", file)), nullptr, false);
  if (!report.is_object() || report.value("program", json()) != "armilla") return std::nullopt;
  return report;
}

std::vector<RecordedFile> recorded_files(const Journal& journal, const JournalPlace& place) {
  std::map<std::string, RecordedFile> files;
  const auto add = [&](const JournalFile& file) {
    if (!file.checksum.empty()) files[file.file] = {place.resolved(file.file), file.stamp.size, file.checksum};
  };
  for (const auto& [label, entry] : journal.maps)
    for (const JournalFile& file : entry.outputs) add(file);
  for (const FileEntry& entry : journal.files)
    // It was recorded before the file got its final name, or while other maps were being written, so it is not
    // complete.
    if (entry.file.layout.empty() ||
        !stamp_of(unfinished_file(place, place.resolved(entry.file.file), entry.file.layout)).is_there())
      add(entry.file);
  std::vector<RecordedFile> all;
  for (auto& [name, file] : files) all.push_back(std::move(file));
  return all;
}

std::vector<RecordedFile> recorded_files(const std::string& what, const std::vector<std::string>& overrides,
                                         const std::string& output_dir) {
  std::vector<RecordedFile> files;
  std::error_code error;
  if (!fs::is_directory(what, error)) {
    if (const std::optional<json> report = what == "-" ? std::nullopt : read_report(what)) {
      const char* const failed = report->contains("dry_run") ? "a dry run" : "a failed run";
      if (!report->contains("files"))
        throw core::InputError(fmt::format(
            "report '{}' is from {}, which has no outputs to verify: use the report of a completed run", what, failed));
      files = files_of_report(*report, what);
      if (files.empty())
        throw core::InputError(fmt::format(
            "report '{}' has no checksums: it is from an older version, or from a job without outputs", what));
      return files;
    }
  }
  for (const JournalPlace& place : journal_places(what, overrides, output_dir)) {
    const std::vector<RecordedFile> own = recorded_files(read_journal(place.folder(), place.campaign), place);
    files.insert(files.end(), own.begin(), own.end());
  }
  if (files.empty())
    throw core::InputError(fmt::format(
        "'{}' has no journal that lists complete files: if the job has a single map, verify its report (--report FILE)",
        what));
  return files;
}

std::string difference_of(const RecordedFile& file) {
  const FileStamp stamp = stamp_of(file.path);
  if (!stamp.is_there()) return fmt::format("'{}' is missing", file.path);
  if (stamp.size != file.size)
    return fmt::format("'{}' has changed: its size is {} bytes, but {} bytes were recorded", file.path, stamp.size,
                       file.size);
  const std::string checksum = io::file_checksum(file.path);
  if (checksum == file.checksum) return {};
  return fmt::format("'{}' has changed: its checksum is {}, but {} was recorded", file.path, checksum, file.checksum);
}

}  // namespace armilla::job
