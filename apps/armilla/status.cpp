#include <armilla/core/error.hpp>
#include <armilla/job/journal/checkpoints.hpp>
#include <armilla/job/journal/status.hpp>

#include <memory>
#include <string>
#include <vector>

#include "standard_streams.hpp"
#include "verbs.hpp"
#include <nlohmann/json.hpp>

namespace armilla::app {

namespace {

struct StatusArguments {
  std::string what;
  std::vector<std::string> overrides;
  std::string output_dir;
  bool json = false;
  bool token = false;
};

int status(const StatusArguments& arguments) {
  const std::vector<job::JournalPlace> places =
      job::journal_places(arguments.what, arguments.overrides, arguments.output_dir);
  if (arguments.token) {
    print("{}\n", job::status_token(places));
    return core::kExitDone;
  }
  std::vector<job::CampaignStatus> all;
  for (const job::JournalPlace& place : places) all.push_back(job::campaign_status(place));
  const std::vector<job::CheckpointEntry> checkpoints = job::checkpoints_at(places);
  if (arguments.json) {
    nlohmann::json whole = job::status_json(all);
    whole["checkpoints"] = job::checkpoints_json(checkpoints);
    print_json(whole.dump(2) + "\n");
    return core::kExitDone;
  }
  // A single-map job has no journal.
  if (!checkpoints.empty()) std::erase_if(all, [](const job::CampaignStatus& one) { return !one.last; });
  print_lines(job::status_text(all) + job::checkpoints_text(checkpoints));
  return core::kExitDone;
}

}  // namespace

void add_status(CLI::App& app, Action& chosen) {
  auto arguments = std::make_shared<StatusArguments>();
  CLI::App* verb = app.add_subcommand("status", "Show the progress of a job, even while it runs");
  verb->add_option("what", arguments->what, "The job file, or the folder of its outputs")
      ->required()
      ->type_name("JOB.yaml|FOLDER");
  add_job_options(*verb, arguments->overrides, arguments->output_dir);
  CLI::Option* json = verb->add_flag("--json", arguments->json, "Print JSON");
  verb->add_flag("--token", arguments->token, "Print a progress token, which changes only when work was completed")
      ->excludes(json);
  verb->footer(
      "Example: armilla status job.yaml\n"
      "Needs no MPI. A run is reported as running while it holds the lock on its journal.");
  verb->callback([arguments, &chosen] { chosen = [arguments] { return status(*arguments); }; });
}

}  // namespace armilla::app
