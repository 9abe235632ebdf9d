#pragma once

#include <armilla/job/journal/journal_place.hpp>

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace armilla::job {

// Checkpoints of the iterations of single-map jobs, in the journal folder (SolverCheckpoint). None of these calls is
// collective.

/// The checkpoint file of one step of a job.
std::string checkpoint_file(const JournalPlace& place, std::size_t step);

/// Removes the checkpoints of all steps, and partial files with the mark of the job (core::OutputPath).
void remove_checkpoints(const JournalPlace& place, const std::string& mark);

/// Contents of `about` in a checkpoint.
struct CheckpointEntry {
  std::string file;
  std::string job;
  std::string step;            ///< path, as "steps[1].analysis"
  std::string solver;          ///< "cg", "lsmr" or "corrections"
  core::Index iterations = 0;  ///< completed iterations
  core::Index checksum = 0;    ///< checksum of the values and coefficients
  nlohmann::json key = {};     ///< what_results_depend_on() for the job
  std::string problem = {};    ///< why it cannot be read; the members above are then empty
};

/// Encodes and decodes the text stored in a checkpoint. Decoding throws InputError for other texts.
std::string about_text(const CheckpointEntry& entry);
CheckpointEntry checkpoint_of(const std::string& about, const std::string& file);

/// The checkpoints of the jobs at these places, sorted by name. A place without a campaign selects all checkpoints in
/// its folder.
std::vector<CheckpointEntry> checkpoints_at(const std::vector<JournalPlace>& places);
nlohmann::json checkpoints_json(const std::vector<CheckpointEntry>& all);
std::string checkpoints_text(const std::vector<CheckpointEntry>& all);

}  // namespace armilla::job
