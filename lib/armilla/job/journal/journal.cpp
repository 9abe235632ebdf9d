#include <armilla/core/error.hpp>
#include <armilla/core/read_file.hpp>
#include <armilla/core/text.hpp>
#include <armilla/job/journal/journal.hpp>
#include <armilla/job/journal/journal_writer.hpp>
#include <armilla/job/parse/json_text.hpp>

#include <algorithm>
#include <chrono>
#include <limits>
#include <set>

#include <fmt/format.h>

namespace armilla::job {

using nlohmann::json;

namespace {

/// A line, with the data that its file gives for all lines.
struct Line {
  std::string run;
  json content;
  double time() const { return content.value("time", 0.0); }
  std::string kind() const { return content.value("line", ""); }
};

std::vector<std::string> journal_files(const std::string& folder) {
  return core::readable_files_in(folder, kJournalEnding);
}

RunEntry run_of(const json& line, const std::string& file) {
  RunEntry run;
  run.id = line.value("run", "");
  run.job = line.value("job", "");
  run.host = line.value("host", "");
  run.start = line.value("start", "");
  run.version = line.value("version", "");
  run.mark = line.value("mark", "");
  run.process = json_index(line, "process", 0);
  run.ranks = static_cast<int>(std::clamp<Index>(json_index(line, "ranks", 1), 0, std::numeric_limits<int>::max()));
  run.maps = json_index(line, "maps", 0);
  run.first = json_index(line, "first", 0);
  run.end = json_index(line, "end", 0);
  run.time = run.last_time = line.value("time", 0.0);
  if (const json part = line.value("part", json()); part.is_array() && part.size() == 2)
    run.part = {json_index({{"part", part[0]}}, "part", 1), json_index({{"part", part[1]}}, "part", 1)};
  run.file = file;
  run.is_live = is_locked(file);
  return run;
}

MapEntry map_of(const Line& line) {
  MapEntry entry;
  entry.run = line.run;
  entry.time = line.time();
  entry.left_out = line.kind() == "left_out";
  entry.reason = line.content.value("reason", "");
  entry.inputs = line.content.value("inputs", json());
  for (const json& file : line.content.value("outputs", json::array())) entry.outputs.push_back(journal_file_of(file));
  return entry;
}

void add_line(const Line& line, Journal& journal, RunEntry& run) {
  run.last_time = std::max(run.last_time, line.time());
  const std::string kind = line.kind();
  const std::string label = line.content.value("map", "");
  if (kind == "key") {
    run.key = line.content.value("content", json());
    run.digest = line.content.value("digest", "");
    run.to_do = json_index(line.content, "to_do", 0);
  } else if (kind == "done" || kind == "left_out") {
    ++run.done;
    journal.failed.erase(label);
    journal.maps[label] = map_of(line);
  } else if (kind == "failed") {
    journal.failed[label] = map_of(line);
  } else if (kind == "file") {
    journal.files.push_back({line.run, line.time(), line.content.value("output", ""),
                             journal_file_of(line.content.value("file", json::object())),
                             line.content.value("states", "")});
  } else if (kind == "forget") {
    if (!line.content.contains("maps")) journal.maps.clear();
    for (const json& name : line.content.value("maps", json::array())) journal.maps.erase(name.get<std::string>());
    std::erase_if(journal.files, [](const FileEntry& entry) { return !entry.states.empty(); });  // of these maps
  } else if (kind == "end") {
    run.state = line.content.value("state", "");
    run.reason = line.content.value("reason", "");
  }
}

}  // namespace

std::vector<json> journal_lines(const std::string& file, std::size_t& ignored) {
  // A file that has been removed in the meantime has no lines.
  const std::string text = core::read_file_if_there(file, fmt::format("journal '{}'", file));
  std::vector<json> lines;
  for (std::size_t begin = 0, end = text.find('\n'); end != std::string::npos;
       begin = end + 1, end = text.find('\n', begin)) {
    json line = json::parse(text.begin() + static_cast<std::ptrdiff_t>(begin),
                            text.begin() + static_cast<std::ptrdiff_t>(end), nullptr, false);
    if (line.is_object())
      lines.push_back(std::move(line));
    else
      ++ignored;
  }
  return lines;
}

double clock_seconds() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

const RunEntry* Journal::run(const std::string& id) const {
  const auto found = std::ranges::find(runs, id, &RunEntry::id);
  return found == runs.end() ? nullptr : &*found;
}

std::string Journal::digest_of(const std::string& run_id) const {
  const RunEntry* entry = run(run_id);
  return entry == nullptr ? std::string() : entry->digest;
}

namespace {

Journal merged_journal(const std::string& folder, const std::string& campaign) {
  Journal journal;
  std::vector<Line> lines;
  for (const std::string& file : journal_files(folder)) {
    std::size_t ignored = 0;
    std::vector<json> own = journal_lines(file, ignored);
    if (own.empty() || own.front().value("campaign", "") != campaign) continue;
    journal.ignored_lines += ignored;
    const std::string run = own.front().value("run", "");
    if (own.front().value("line", "") == "run") journal.runs.push_back(run_of(own.front(), file));
    for (std::size_t i = 1; i < own.size(); ++i) lines.push_back({run, std::move(own[i])});
  }
  std::ranges::sort(journal.runs, {}, [](const RunEntry& run) { return std::pair(run.time, run.id); });
  // The sort is stable, so lines of one file stay in order.
  std::ranges::stable_sort(lines, {}, &Line::time);
  for (const Line& line : lines)
    if (const auto run = std::ranges::find(journal.runs, line.run, &RunEntry::id); run != journal.runs.end())
      add_line(line, journal, *run);
  return journal;
}

/// Returns read(). A line that is JSON, but not that of a journal, causes an exception of the JSON library.
template <class Read>
auto read_lines(const std::string& folder, const Read& read) {
  const auto refusal = [&](const char* why) {
    return core::InputError(
        fmt::format("a journal in '{}' is damaged ({}): move the folder elsewhere, and run the job with --restart",
                    folder, core::excerpt(why)));
  };
  try {
    return read();
  } catch (const json::exception& error) {
    throw refusal(error.what());
  } catch (const core::InputError& error) {
    throw refusal(error.what());
  }
}

}  // namespace

Journal read_journal(const std::string& folder, const std::string& campaign) {
  return read_lines(folder, [&] { return merged_journal(folder, campaign); });
}

std::vector<std::string> campaigns_in(const std::string& folder) {
  return read_lines(folder, [&] {
    std::set<std::string> campaigns;
    for (const std::string& file : journal_files(folder)) {
      std::size_t ignored = 0;
      if (const std::vector<json> lines = journal_lines(file, ignored); !lines.empty())
        if (const std::string campaign = lines.front().value("campaign", ""); !campaign.empty())
          campaigns.insert(campaign);
    }
    return std::vector<std::string>(campaigns.begin(), campaigns.end());
  });
}

json to_json(const JournalFile& file) {
  json result{{"file", file.file}};
  if (file.stamp.is_there()) {
    result["size"] = file.stamp.size;
    result["mtime"] = file.stamp.mtime;
  }
  if (!file.checksum.empty()) result["checksum"] = file.checksum;
  if (!file.layout.empty()) result["layout"] = file.layout;
  return result;
}

JournalFile journal_file_of(const json& value) {
  return {value.value("file", ""), FileStamp{json_index(value, "size", -1), json_index(value, "mtime", 0)},
          value.value("checksum", ""), value.value("layout", "")};
}

}  // namespace armilla::job
