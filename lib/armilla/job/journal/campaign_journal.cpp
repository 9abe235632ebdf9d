#include <armilla/comm/phase.hpp>
#include <armilla/core/absolute_path.hpp>
#include <armilla/core/build_info.hpp>
#include <armilla/core/host_name.hpp>
#include <armilla/core/read_file.hpp>
#include <armilla/core/stop_signals.hpp>
#include <armilla/core/timer.hpp>
#include <armilla/io/checksum.hpp>
#include <armilla/job/journal/campaign_journal.hpp>
#include <armilla/job/plan/output_locks.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <thread>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

namespace armilla::job {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr std::chrono::milliseconds kLookAgain{100};
// Another part of the campaign may hold the lock for hours, while it syncs, checks and publishes terabytes. Its signs
// of life may be late if its file system stalls.
constexpr double kWaitsForSigns = 2;  // relative to the patience with another run
constexpr double kLeastSignWait = 5;  // [s]

void make_folder(const std::string& folder, const std::string& output) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (std::error_code ignored; !fs::is_directory(folder, ignored))
    throw core::InputError(
        fmt::format("cannot create '{}', the journal folder of output '{}' ({}): check the permissions", folder, output,
                    error ? error.message() : "a file of that name exists"));
}

// First writer index of a part; non-zero, because other parts write the same files.
int first_writer(const CampaignPart& part) { return part.is_all() ? 0 : static_cast<int>(part.number << 16); }

std::string journal_file(const JournalPlace& place, const std::string& run) {
  return fmt::format("{}/{}.jsonl", place.folder(), run);
}

// Creates a name unique to this run of the campaign, for the holder of its lock.
std::string new_run(const JournalPlace& place) {
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  std::string name = fmt::format("{:%Y%m%dT%H%M%S}-{}-{}", now, core::host_name(), ::getpid());
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '.' && c != '-') c = '_';
  std::string run = name;
  std::error_code error;
  for (int others = 1; fs::exists(journal_file(place, run), error); ++others) run = fmt::format("{}.{}", name, others);
  return run;
}

json header(const JobPlan& plan, const JournalPlace& place, const std::string& run, int ranks, double now) {
  const CampaignPart& part = plan.spec.execution.part;
  const Index maps = plan.campaign->maps();
  return {{"line", "run"},
          {"format", 1},
          {"campaign", place.campaign},
          {"run", run},
          {"job", core::absolute_path(plan.spec.file)},
          {"host", core::host_name()},
          {"process", ::getpid()},
          {"start",
           fmt::format("{:%F %T} UTC", std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()))},
          {"time", now},
          {"version", core::kVersion},
          {"ranks", ranks},
          {"part", {part.number, part.of}},
          {"maps", maps},
          {"first", part.first(maps)},
          {"end", part.end(maps)},
          {"mark", plan.mark}};
}

std::string part_text(const CampaignPart& part) {
  return part.is_all() ? std::string() : fmt::format(" of part {}/{}", part.number, part.of);
}

/// Removes files that dead runs of other parts, or of the whole campaign, left next to the outputs.
void clean_up_after(const Journal& journal, const JobPlan& plan, const std::string& report_file) {
  for (const RunEntry& run : journal.runs) {
    if (run.is_live || run.mark.empty() || run.mark == plan.mark || !run.state.empty()) continue;
    for (const std::string& folder : output_folders(plan, report_file)) {
      const std::string path = fmt::format("{}/.armilla-{}.lock", folder, run.mark);
      if (std::error_code error; !fs::exists(path, error)) continue;
      try {
        const core::FileLock lock(path, "", 0);
        if (lock.is_held() && run.host == core::host_name()) core::remove_partial_files(folder, run.mark);
      } catch (const core::InputError&) {
        continue;  // another run of that part is active
      }
    }
  }
}

}  // namespace

JournalFile recorded(const comm::Communicator& comm, const JournalPlace& place, const std::string& file,
                     const std::string& path) {
  JournalFile result;
  comm::phase(comm, [&] { result.file = place.relative(file); });
  result.checksum = io::file_checksum(comm, path);
  if (comm.is_root()) result.stamp = stamp_of(path);
  return result;
}

CampaignJournal::CampaignJournal(const comm::Communicator& world, const JobPlan& plan, const std::string& report_file,
                                 double patience)
    : world_(world), is_kept_(!plan.outputs.empty()), patience_(std::max(kWaitsForSigns * patience, kLeastSignWait)) {
  if (!is_kept_) return;
  place_ = journal_place(plan.spec);
  comm::phase(world_, [&] {
    if (world_.is_root()) open(plan, report_file, patience);
  });
  run_ = world_.broadcast(run_);
}

CampaignJournal::~CampaignJournal() {
  exclusive_.reset();
  if (writer_ && !did_something_ && !is_finished_) writer_->remove();
  std::error_code in_use;
  for (const std::string& folder : folders_) fs::remove(folder, in_use);  // only if empty
}

core::FileLock CampaignJournal::lock() const {
  return {fmt::format("{}/{}.lock", place_.folder(), place_.campaign),
          fmt::format("process {} on host {}", ::getpid(), core::host_name()), patience_,
          core::FileLock::Patience::kFromSign};
}

void CampaignJournal::open(const JobPlan& plan, const std::string& report_file, double patience) {
  const auto add = [&](const std::string& folder, const std::string& output) {
    make_folder(folder, output);
    folders_.insert(folder);
  };
  add(place_.folder(), plan.spec.outputs.front().file);
  for (std::size_t i = 0; i < plan.outputs.size(); ++i)
    if (plan.outputs[i].form == OutputForm::kBatchAxis)
      add(core::folder_of(unfinished_file(place_, plan.spec.outputs[i].file, "")), plan.spec.outputs[i].file);
  const CampaignPart& part = plan.spec.execution.part;
  const Index maps = plan.campaign->maps();
  const double start = core::now_seconds();
  for (;;) {
    {
      const core::FileLock one_at_a_time = lock();
      const Journal journal = read_journal(place_.folder(), place_.campaign);
      const auto other = std::ranges::find_if(journal.runs, [&](const RunEntry& run) {
        return run.is_live && run.first < part.end(maps) && part.first(maps) < run.end;
      });
      if (other == journal.runs.end()) {
        clean_up_after(journal, plan, report_file);
        for (const RunEntry& run : journal.runs) ahead_ = std::max(ahead_, run.last_time - clock_seconds());
        run_ = new_run(place_);
        writer_ = std::make_unique<JournalWriter>(journal_file(place_, run_),
                                                  header(plan, place_, run_, world_.size(), now()));
        return;
      }
      if (core::now_seconds() - start >= patience)
        throw core::InputError(
            fmt::format("maps of this campaign are being computed by the run{} of {} on host {} (process {}), started "
                        "{}: wait for it to finish, or cancel it",
                        part_text(other->part), other->job, other->host, other->process, other->start));
    }
    if (const auto stop = core::stop_at_boundary()) core::throw_error(*stop);
    std::this_thread::sleep_for(kLookAgain);
  }
}

void CampaignJournal::begin(const JobPlan& plan, const Selection& selection, bool restart) {
  if (!is_kept_) return;
  complete_.assign(plan.outputs.size(), 0);
  comm::phase(world_, [&] {
    key_ = CampaignKey{};
    if (!world_.is_root()) return;
    key_ = campaign_key(plan);
    std::vector<json> lines{{{"line", "key"},
                             {"time", now()},
                             {"digest", key_.digest},
                             {"to_do", selection.items.size()},
                             {"content", key_.content}}};
    exclusive_.emplace(lock());
    prepare_files(plan, selection, restart, lines);
    const CampaignView view(plan, key_);
    for (std::size_t i = 0; selection.items.empty() && i < plan.outputs.size(); ++i)
      complete_[i] = plan.outputs[i].form == OutputForm::kBatchAxis && view.is_published(i) ? 1 : 0;
    did_something_ = lines.size() > 1;
    writer_->append(lines);
  });
  world_.broadcast(&ahead_, static_cast<Index>(sizeof(ahead_)));
  key_.digest = world_.broadcast(key_.digest);
  key_.layout = world_.broadcast(key_.layout);
  world_.broadcast(complete_.data(), static_cast<Index>(complete_.size() * sizeof(Index)));
}

double CampaignJournal::now() const { return clock_seconds() + ahead_; }

void CampaignJournal::open_group(int group, bool is_group_root) {
  if (is_kept_ && is_group_root && !world_.is_root())
    group_path_ = fmt::format("{}/{}-{}.jsonl", place_.folder(), run_, group);
}

core::OutputPath CampaignJournal::unfinished(const JobPlan& plan, std::size_t output) const {
  core::OutputPath path = marked(plan, plan.spec.outputs[output].file);
  path.kept = unfinished_file(place_, path.path, key_.layout);
  path.first_writer = first_writer(plan.spec.execution.part);
  return path;
}

core::OutputPath CampaignJournal::spectra(const JobPlan& plan, std::size_t output) const {
  core::OutputPath path = marked(plan, plan.spec.outputs[output].file);
  path.kept = spectra_file(place_, plan.outputs[output].value, key_.layout);
  path.first_writer = first_writer(plan.spec.execution.part);
  return path;
}

void CampaignJournal::add(const std::vector<DoneMap>& maps) {
  std::vector<json> lines;
  for (const DoneMap& map : maps) {
    json line{{"line", map.left_out ? "left_out" : "done"},
              {"time", now()},
              {"map", map.label},
              {"key", digest_of({key_.digest, map.inputs})},
              {"inputs", map.inputs}};
    if (map.left_out) line["reason"] = map.reason;
    for (const JournalFile& file : map.outputs) line["outputs"].push_back(to_json(file));
    lines.push_back(std::move(line));
  }
  append(lines);
}

void CampaignJournal::append(const std::vector<json>& lines) {
  if (!is_kept_ || lines.empty()) return;
  if (!writer_ && !group_)
    group_ = std::make_unique<JournalWriter>(group_path_,
                                             json{{"line", "group"}, {"campaign", place_.campaign}, {"run", run_}});
  (writer_ ? writer_ : group_)->append(lines);
  did_something_ = true;
}

void CampaignJournal::add_failed(const std::string& label, const std::string& reason) {
  append({{{"line", "failed"}, {"time", now()}, {"map", label}, {"reason", reason}}});
}

bool CampaignJournal::Published::is_complete() const {
  return std::ranges::none_of(states, [](Index state) { return state < 0; });
}

CampaignJournal::Published CampaignJournal::gather(const JobPlan& plan, std::span<const Index> items,
                                                   std::span<const Index> there) {
  Published result;
  result.states.assign(plan.campaign->labels.size(), -1);
  result.published.assign(plan.outputs.size(), 0);
  comm::phase(world_, [&] {
    if (!world_.is_root()) return;
    if (is_kept_) {
      exclusive_.emplace(lock());
      const CampaignView view(plan, key_);
      result.states = view.states();
      for (std::size_t i = 0; i < plan.outputs.size(); ++i) result.published[i] = view.is_published(i) ? 1 : 0;
    }
    for (const Index item : items)
      result.states[static_cast<std::size_t>(item)] = there[static_cast<std::size_t>(item)];
  });
  const auto bytes = [](const std::vector<Index>& values) { return static_cast<Index>(values.size() * sizeof(Index)); };
  world_.broadcast(result.states.data(), bytes(result.states));
  world_.broadcast(result.published.data(), bytes(result.published));
  return result;
}

void CampaignJournal::release() { exclusive_.reset(); }

void CampaignJournal::add_file(const JobPlan& plan, std::size_t output, const std::string& path,
                               const std::vector<Index>& states) {
  JournalFile file = recorded(world_, place_, plan.spec.outputs[output].file, path);
  if (!states.empty()) file.layout = key_.layout;
  comm::phase(world_, [&] {
    if (!world_.is_root()) return;
    json line{{"line", "file"}, {"time", now()}, {"output", plan.spec.outputs[output].name}, {"file", to_json(file)}};
    if (!states.empty()) line["states"] = CampaignView(plan, key_).states_digest();
    writer_->append(line);
    did_something_ = true;
  });
}

void CampaignJournal::take_group_files() {
  const std::string prefix = run_ + "-";
  for (const std::string& file : core::readable_files_in(place_.folder(), kJournalEnding)) {
    if (!fs::path(file).filename().string().starts_with(prefix)) continue;
    std::size_t torn = 0;
    std::vector<json> lines = journal_lines(file, torn);
    if (!lines.empty()) lines.erase(lines.begin());
    if (!lines.empty()) writer_->append(lines);
    did_something_ = did_something_ || !lines.empty();
    std::error_code ignored;
    fs::remove(file, ignored);
  }
}

void CampaignJournal::finish(const std::string& state, const std::string& reason) {
  if (!writer_) return;
  is_finished_ = true;
  take_group_files();
  if (!did_something_) return writer_->remove();
  json line{{"line", "end"}, {"time", now()}, {"state", state}};
  if (!reason.empty()) line["reason"] = reason;
  writer_->append(line);
}

}  // namespace armilla::job
