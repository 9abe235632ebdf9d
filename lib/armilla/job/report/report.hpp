#pragma once

#include <armilla/job/journal/verify.hpp>
#include <armilla/job/plan/memory_model.hpp>
#include <armilla/job/report/run_start.hpp>
#include <armilla/job/run/runner.hpp>

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace armilla::job {

/// Statistics of a quantity over all ranks.
struct OverRanks {
  double min = 0;
  double mean = 0;
  double max = 0;
  /// Ratio of maximum to mean; 1 if the mean is 0.
  double imbalance() const { return mean > 0 ? max / mean : 1; }
};

struct PhaseReport {
  std::string name;
  OverRanks seconds;
};

struct WrittenFile {
  std::string name;  ///< name of the value
  std::string path;
  Index bytes;
};

/// A step whose Delta_m was resampled in theta.
struct ResampledStep {
  std::string step;
  Index grid_pairs;      ///< pairs of rings of the grid
  Index legendre_pairs;  ///< pairs of rings used by the Legendre stage
};

/// Report of a job with many maps.
struct CampaignReport {
  Index maps = 0;  ///< processed maps, including skipped ones
  Index batch = 1;
  int groups = 1;
  double seconds = 0;
  Index done_before = 0;            ///< maps done by earlier runs
  Index left = 0;                   ///< maps still to be done by other parts
  std::vector<SkippedMap> skipped;  ///< in the order of groups
  double maps_per_second() const { return seconds > 0 ? static_cast<double>(maps) / seconds : 0; }
};

/// Memory of the devices of a run.
struct DeviceReport {
  OverRanks peak;       ///< measured, bytes
  OverRanks announced;  ///< predicted, bytes
};

/// Report of a completed run. Complete on the root only.
struct RunReport {
  RunStart start;
  std::string backend;
  core::Precision precision = core::Precision::kDouble;
  int ranks = 1;
  int threads = 1;                   ///< per rank, of the root
  std::vector<std::string> binding;  ///< distinct values
  double seconds = 0;                ///< wall-clock time, including validation
  std::vector<PhaseReport> phases;   ///< in order of first use
  std::vector<PhaseReport> steps;
  OverRanks exchange_bytes;
  OverRanks peak_memory;                               ///< measured, bytes
  OverRanks announced_memory;                          ///< predicted, bytes
  std::optional<transform::DeviceTrial> device_check;  ///< if devices were tested before the run
  std::optional<DeviceReport> device;
  std::vector<ResampledStep> resampled;
  std::vector<Finding> findings;
  std::vector<std::string> labels;  ///< of the maps of a campaign
  std::vector<ZeroedPixels> zeroed;
  std::vector<ResumedStep> resumed;
  std::vector<WrittenFile> files;
  std::vector<RecordedFile> checksums;  ///< of all output files, if requested
  /// Checksums of all files that the run read; empty for files that could not be read.
  std::vector<RecordedFile> input_checksums;
  nlohmann::json input_fields = nlohmann::json::array();  ///< see input_fields_json()
  std::vector<std::string> notes;                         ///< information that is not a warning
  std::vector<std::string> warnings;
  std::optional<CampaignReport> campaign;
};

/// Not collective. The outputs of a job, with their sizes on disk; without files of all maps unless these are complete
/// (`is_complete`).
std::vector<WrittenFile> written_files(const JobPlan& plan, bool is_complete);

/// Collective. The checksums of all complete output files: from the journal for a campaign, otherwise of the files
/// themselves. On the root; empty on other ranks.
std::vector<RecordedFile> output_checksums(const comm::Communicator& comm, const JobPlan& plan);

/// Collective. The checksums of all files that a run of this plan reads; for a campaign, those of the maps that it
/// takes. Empty for a file that can no longer be read, or has changed since. On the root; unspecified on other ranks.
std::vector<RecordedFile> input_checksums(const comm::Communicator& comm, const JobPlan& plan);

/// Collective. Gathers the records of all ranks on the root. `speaks` is set on one rank of each group, whose record of
/// results for maps is used.
RunReport collect_report(const comm::Communicator& comm, const RunStart& start, const JobPlan& plan,
                         const RunRecord& record, const MemoryForecast& forecast, bool speaks);

/// Machine-readable: one key per member of the report, in seconds and bytes.
nlohmann::json report_json(const RunReport& report);

/// Human-readable: tables of phases, memory, findings and files.
std::string report_text(const RunReport& report);

}  // namespace armilla::job
