#include <armilla/comm/phase.hpp>
#include <armilla/core/absolute_path.hpp>
#include <armilla/core/error.hpp>
#include <armilla/io/checksum.hpp>
#include <armilla/job/journal/campaign_key.hpp>
#include <armilla/job/journal/journal.hpp>
#include <armilla/job/operation/operation.hpp>
#include <armilla/job/parse/json_text.hpp>
#include <armilla/job/report/report.hpp>

#include <optional>
#include <set>

#include <nlohmann/json.hpp>

namespace armilla::job {

namespace {

/// Like io::file_checksum(); empty if the file cannot be read, for example because it was removed or truncated after
/// the run had read it.
template <class... Arguments>
std::string checksum_if_there(const Arguments&... arguments) {
  try {
    return io::file_checksum(arguments...);
  } catch (const core::Error& error) {
    if (error.kind() != core::ErrorKind::kInput && error.kind() != core::ErrorKind::kResource) throw;
    return {};
  }
}

/// Collective. False if the file has changed since the plan read it: its checksum would be that of other values.
bool is_as_read(const comm::Communicator& comm, const JobPlan& plan, const std::string& path) {
  bool as_read = true;
  comm::phase(comm, [&] {
    for (const core::SeenFile& file : plan.opened->files)
      if (comm.is_root() && core::absolute_path(file.path) == path)
        as_read = as_read && stamp_of(path) == file.state.stamp;
  });
  comm.broadcast(&as_read, sizeof as_read);
  return as_read;
}

/// On the root. The input files of maps that have changed since they were read for the journal.
std::set<std::string> changed_inputs_of_maps(const JobPlan& plan) {
  std::set<std::string> changed;
  if (!plan.campaign || plan.outputs.empty()) return changed;
  const JournalPlace place = journal_place(plan.spec);
  const Journal journal = read_journal(place.folder(), place.campaign);
  for (const Index item : plan.campaign->items) {
    const auto entry = journal.maps.find(plan.campaign->labels[static_cast<std::size_t>(item)]);
    if (entry == journal.maps.end() || entry->second.inputs == map_inputs(plan, item)) continue;
    for (const InputSpec& input : plan.spec.inputs)
      if (!input.items.files.empty())
        for (const std::string& file : input.files_of(item)) changed.insert(core::absolute_path(file));
  }
  return changed;
}

/// Files shared by all maps, and those of the maps that the run processes.
struct InputFiles {
  std::set<std::string> common, of_maps;

  explicit InputFiles(const JobPlan& plan) {
    for (const InputSpec& input : plan.spec.inputs) {
      if (input.items.files.empty()) {
        for (const std::string& file : input.entries()) common.insert(core::absolute_path(file));
        continue;
      }
      for (const Index item : plan.campaign->items)
        for (const std::string& file : input.files_of(item)) of_maps.insert(core::absolute_path(file));
    }
    for (const StepSpec& step : plan.spec.steps)
      for (const FileSpec& file : step.operation->files()) common.insert(core::absolute_path(file.path));
    for (const std::string& file : common) of_maps.erase(file);
  }
};

}  // namespace

std::vector<RecordedFile> output_checksums(const comm::Communicator& comm, const JobPlan& plan) {
  std::vector<RecordedFile> files;
  if (plan.outputs.empty()) return files;
  if (!plan.campaign) {
    for (const OutputSpec& output : plan.spec.outputs)
      files.push_back({output.file, stamp_of(output.file).size, io::file_checksum(comm, output.file)});
  } else {
    comm::phase(comm, [&] {
      if (!comm.is_root()) return;
      const JournalPlace place = journal_place(plan.spec);
      files = recorded_files(read_journal(place.folder(), place.campaign), place);
    });
  }
  for (RecordedFile& file : files) file.path = core::absolute_path(file.path);
  return files;
}

std::vector<RecordedFile> input_checksums(const comm::Communicator& comm, const JobPlan& plan) {
  std::optional<InputFiles> inputs;
  comm::phase(comm, [&] { inputs.emplace(plan); });
  std::vector<RecordedFile> files;
  for (const std::string& file : inputs->common)
    files.push_back({file, stamp_of(file).size, is_as_read(comm, plan, file) ? checksum_if_there(comm, file) : ""});
  // Whole files are assigned to ranks round-robin, because most are smaller than the blocks that ranks could share.
  std::string mine;
  comm::phase(comm, [&] {
    nlohmann::json own = nlohmann::json::array();
    Index number = 0;
    for (const std::string& file : inputs->of_maps)
      if (number++ % comm.size() == comm.rank()) own.push_back({file, stamp_of(file).size, checksum_if_there(file)});
    mine = json_text(own);
  });
  const std::vector<std::string> all = comm.gather(mine);
  comm::phase(comm, [&] {
    if (!comm.is_root()) return;
    const std::set<std::string> changed = changed_inputs_of_maps(plan);
    for (const std::string& text : all)
      for (const auto& file : nlohmann::json::parse(text))
        files.push_back(
            {file[0], file[1], changed.contains(file[0].get<std::string>()) ? "" : file[2].get<std::string>()});
  });
  return files;
}

}  // namespace armilla::job
