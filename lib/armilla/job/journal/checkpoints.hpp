#pragma once

#include <armilla/job/journal/journal_place.hpp>

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace armilla::job {

// Checkpoints of the iterations of jobs of one map, in the folder of journals (SolverCheckpoint). None of these calls
// is collective.

/// The file of the checkpoint of one step of the job at that place.
std::string checkpoint_file(const JournalPlace& place, std::size_t step);

/// Removes those of all steps, and partial files with the mark of the job (core::OutputPath).
void remove_checkpoints(const JournalPlace& place, const std::string& mark);

/// What `about` of a checkpoint says.
struct CheckpointEntry {
  std::string file;
  std::string job;
  std::string step;            ///< path, as "steps[1].analysis"
  std::string solver;          ///< "cg", "lsmr" or "corrections"
  core::Index iterations = 0;  ///< that are done
  core::Index checksum = 0;    ///< of the numbers and coefficients
  nlohmann::json key = {};     ///< what_results_depend_on() the job
  std::string problem = {};    ///< why it cannot be read; the members above are empty then
};

/// The text that a checkpoint carries, and the reverse, which throws InputError for other texts.
std::string about_text(const CheckpointEntry& entry);
CheckpointEntry checkpoint_of(const std::string& about, const std::string& file);

/// The checkpoints of the jobs at these places: of a place without a campaign all in its folder; in the order of their
/// names.
std::vector<CheckpointEntry> checkpoints_at(const std::vector<JournalPlace>& places);
nlohmann::json checkpoints_json(const std::vector<CheckpointEntry>& all);
std::string checkpoints_text(const std::vector<CheckpointEntry>& all);

}  // namespace armilla::job
