#include <armilla/core/cache.hpp>
#include <armilla/core/error.hpp>
#include <armilla/job/journal/checkpoints.hpp>
#include <armilla/job/journal/status.hpp>
#include <armilla/job/parse/parse_job.hpp>

#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/format.h>

namespace armilla::job {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr std::size_t kFailuresShown = 10;

std::string time_text(double seconds) {
  const auto whole = static_cast<Index>(seconds + 0.5);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

std::string run_text(const RunEntry& run) {
  return fmt::format("{} on host {}, process {}, {} rank{}{}, since {}", run.job, run.host, run.process, run.ranks,
                     run.ranks == 1 ? "" : "s",
                     run.part.is_all() ? "" : fmt::format(", part {}/{}", run.part.number, run.part.of), run.start);
}

double rate_of(const RunEntry& run, double until) {
  return run.done > 0 && until > run.time ? static_cast<double>(run.done) / (until - run.time) : 0;
}

/// Text that describes the end of the latest run.
std::string end_text(const RunEntry& run) {
  if (run.state == "done") return "finished normally";
  if (!run.state.empty()) return fmt::format("{}: {}", run.state, run.reason);
  return "ended without a final record: it was killed, or its lock is not visible on this host";
}

json run_json(const RunEntry& run) {
  return {{"job", run.job},
          {"host", run.host},
          {"process", run.process},
          {"ranks", run.ranks},
          {"part", {run.part.number, run.part.of}},
          {"start", run.start},
          {"version", run.version},
          {"to_do", run.to_do},
          {"done", run.done},
          {"state", run.is_live ? "live" : run.state},
          {"reason", run.reason}};
}

}  // namespace

std::vector<JournalPlace> journal_places(const std::string& what, const std::vector<std::string>& overrides,
                                         const std::string& output_dir) {
  std::error_code error;
  if (!fs::is_directory(what, error)) {
    const JobSpec spec = read_job(comm::Communicator::self(), what, overrides, output_dir);
    if (spec.outputs.empty())
      throw core::InputError(fmt::format("{}: the job has no outputs and therefore no journal", what));
    return {journal_place(spec)};
  }
  fs::path base = fs::path(what).lexically_normal();
  if (!base.has_filename() && base.has_parent_path()) base = base.parent_path();
  if (base.filename() == kJournalFolder) base = base.parent_path();
  JournalPlace place{base.empty() ? "." : base.string(), ""};
  if (!fs::is_directory(place.folder(), error))
    throw core::InputError(
        fmt::format("'{}' has no folder {}: pass a job file, or the folder of the first output of a campaign", what,
                    kJournalFolder));
  std::vector<JournalPlace> places;
  for (const std::string& campaign : campaigns_in(place.folder())) places.push_back({place.base, campaign});
  if (places.empty()) places.push_back(place);  // it may have checkpoints
  return places;
}

CampaignStatus campaign_status(const JournalPlace& place) {
  const Journal journal = read_journal(place.folder(), place.campaign);
  CampaignStatus status;
  status.folder = place.folder();
  status.campaign = place.campaign;
  std::string digest;
  for (const RunEntry& run : journal.runs) {
    status.last = run;
    status.maps = run.maps;
    status.job = run.job;
    if (!run.digest.empty()) digest = run.digest;
    if (run.is_live) status.live.push_back(run);
  }
  for (const auto& [label, entry] : journal.maps) {
    if (journal.digest_of(entry.run) != digest) continue;
    ++(entry.left_out ? status.left_out : status.done);
    if (entry.left_out) status.failures.emplace_back(label, entry.reason);
  }
  for (const auto& [label, entry] : journal.failed) {
    ++status.failed;
    status.failures.emplace_back(label, entry.reason);
  }
  const double now = clock_seconds();
  for (const RunEntry& run : status.live) status.maps_per_second += rate_of(run, now);
  if (status.live.empty() && status.last) status.maps_per_second = rate_of(*status.last, status.last->last_time);
  if (!status.live.empty() && status.maps_per_second > 0)
    status.seconds_left = static_cast<double>(status.left()) / status.maps_per_second;
  return status;
}

json status_json(const std::vector<CampaignStatus>& all) {
  json list = json::array();
  for (const CampaignStatus& status : all) {
    json live = json::array(), failures = json::array();
    for (const RunEntry& run : status.live) live.push_back(run_json(run));
    for (const auto& [label, reason] : status.failures) failures.push_back({{"map", label}, {"reason", reason}});
    list.push_back({{"folder", status.folder},
                    {"campaign", status.campaign},
                    {"job", status.job},
                    {"maps", status.maps},
                    {"done", status.done},
                    {"left_out", status.left_out},
                    {"failed", status.failed},
                    {"left", status.left()},
                    {"maps_per_second", status.maps_per_second},
                    {"seconds_left", status.seconds_left ? json(*status.seconds_left) : json()},
                    {"live", live},
                    {"last_run", status.last ? run_json(*status.last) : json()},
                    {"failures", failures}});
  }
  return {{"campaigns", list}};
}

std::string status_text(const std::vector<CampaignStatus>& all) {
  std::string text;
  for (const CampaignStatus& status : all) {
    if (!status.last) {
      text += fmt::format("{}: no run has started\n", status.folder);
      continue;
    }
    text += fmt::format("{}: {} maps: {} done, {} left out, {} failed, {} remaining\n", status.job, status.maps,
                        status.done, status.left_out, status.failed, status.left());
    if (status.maps_per_second > 0) text += fmt::format("  {:.3g} maps/s", status.maps_per_second);
    if (status.seconds_left) text += fmt::format(", about {} remaining", time_text(*status.seconds_left));
    if (status.maps_per_second > 0) text += "\n";
    for (const RunEntry& run : status.live)
      text += fmt::format("  running: {}; {} of {} maps\n", run_text(run), run.done, run.to_do);
    if (status.live.empty())
      text += fmt::format("  not running; the last run {} ({})\n", end_text(*status.last), run_text(*status.last));
    for (std::size_t i = 0; i < std::min(kFailuresShown, status.failures.size()); ++i)
      text += fmt::format("  map {}: {}\n", status.failures[i].first, status.failures[i].second);
    if (status.failures.size() > kFailuresShown)
      text += fmt::format("  and {} more: see --json\n", status.failures.size() - kFailuresShown);
  }
  return text;
}

std::string status_token(const std::vector<JournalPlace>& places) {
  std::set<std::string> facts;
  for (const JournalPlace& place : places) {
    const Journal journal = read_journal(place.folder(), place.campaign);
    for (const auto& [label, entry] : journal.maps)
      facts.insert(digest_of({place.campaign, label, journal.digest_of(entry.run), entry.inputs, entry.left_out}));
    for (const FileEntry& file : journal.files)
      facts.insert(digest_of({place.campaign, file.file.file, file.file.checksum, file.states}));
  }
  for (const CheckpointEntry& entry : checkpoints_at(places))
    facts.insert(digest_of({fs::path(entry.file).filename().string(), entry.step, entry.iterations, entry.checksum}));
  std::uint64_t hash = core::fnv1a(nullptr, 0);
  for (const std::string& fact : facts) hash = core::fnv1a(fact.data(), fact.size(), hash);
  return fmt::format("{:016x}", hash);
}

}  // namespace armilla::job
