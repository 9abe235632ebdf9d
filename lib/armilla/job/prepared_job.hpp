#pragma once

#include <armilla/comm/node_memory.hpp>
#include <armilla/job/journal/selection.hpp>
#include <armilla/job/plan/map_groups.hpp>
#include <armilla/job/plan/memory_model.hpp>
#include <armilla/job/plan/plan.hpp>
#include <armilla/job/run/progress.hpp>
#include <armilla/job/run/run_record.hpp>
#include <armilla/job/value/value.hpp>
#include <armilla/transform/transform_cache.hpp>

#include <optional>

namespace armilla::job {

enum class RunMode { kRun, kDryRun };

/// Parameters of prepare(). Nothing is read from the environment.
struct PrepareOptions {
  std::optional<Index> memory_limit = {};  ///< total bytes available to the ranks of a node; unset: those of the system
  RunMode mode = RunMode::kRun;            ///< for a dry run, no device is required
};

/// A validated job, with its backend, groups, batches and use of devices chosen. If its inputs and results are in
/// memory, it can be executed any number of times.
struct PreparedJob {
  JobPlan plan;              ///< of the ranks of the own group
  MapGroups groups = {};     ///< into which the ranks are divided
  Selection selection = {};  ///< of a campaign: the maps to do. If it is complete, the members below are not set.
  std::optional<comm::Communicator> part = {};  ///< the ranks of the own group, if they are not all ranks
  bool lacked_device_memory = false;            ///< CPUs are used because the devices chosen by "auto" are too small
  Index process_bytes = 0;                      ///< resident memory of this process
  MemoryForecast forecast = {};                 ///< of this rank
  comm::NodeMemory memory = {};  ///< of the node with the least memory relative to its needs; on the root

  const comm::Communicator& group(const comm::Communicator& comm) const { return part ? *part : comm; }
  bool is_complete() const { return plan.campaign && selection.is_complete(); }
};

/// Collective. The first part of prepare(): plans the job, for all ranks.
JobPlan plan_to_run(const comm::Communicator& comm, JobSpec spec, const PrepareOptions& options,
                    const Sources& sources = {});

/// Collective. The second part of prepare(): chooses the maps to do, groups of ranks, batches and the use of devices,
/// and forecasts memory. Uses the backend of the plan, or CPUs if the devices chosen by "auto" are too small for the
/// job.
PreparedJob lay_out(const comm::Communicator& comm, JobPlan plan);

/// Collective. Validates a job whose inputs and results are values, and decides how it runs, identically on all ranks.
/// `sources`: the values of the caller by name; other inputs are files. Results named in `spec.keep`, and those that
/// nothing uses, are kept. Maps of a campaign form a single group of ranks. Creates no file. Throws InputError, also
/// for outputs that cannot be written, outputs of a campaign in files and execution.map_groups above 1, and
/// ResourceError if memory is insufficient; the same on all ranks.
PreparedJob prepare(const comm::Communicator& comm, JobSpec spec, const Sources& sources,
                    const PrepareOptions& options = {});

/// Not collective. Replaces the values of the caller by others of the same description. Throws InputError, which names
/// the input, if one is missing or differs.
void replace_sources(PreparedJob& job, const Sources& sources);

/// Result of execute().
struct ExecutedJob {
  AnyValues values;
  RunRecord record;  ///< of this rank
};

/// Collective. Runs a job from prepare(). Values of the caller are read, and never written. Transforms are taken from
/// `cache`, which is for these ranks. `progress`: called on the root during the run; may be empty. Its errors end the
/// run of a single rank at once, that of several ranks when it is complete. Throws the same error on all ranks.
ExecutedJob execute(const comm::Communicator& comm, const PreparedJob& job, transform::TransformCache& cache,
                    const Progress::Call& progress = {});

}  // namespace armilla::job
