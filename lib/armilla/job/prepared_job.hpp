#pragma once

#include <armilla/backend/child_check.hpp>
#include <armilla/job/plan/memory_model.hpp>
#include <armilla/job/plan/plan.hpp>
#include <armilla/job/run/progress.hpp>
#include <armilla/job/run/run_record.hpp>
#include <armilla/job/value/value.hpp>
#include <armilla/transform/transform_cache.hpp>

#include <map>
#include <optional>
#include <string>
#include <variant>

namespace armilla::job {

/// Parameters of prepare(). Nothing is read from the environment.
struct PrepareOptions {
  std::optional<Index> memory_limit = {};  ///< total bytes available to the ranks of a node; unset: those of the system
  backend::CheckMethod device_check = {};  ///< how devices are checked
};

/// A job whose inputs and results are values: validated, with its backend, batches and use of devices chosen. It can be
/// executed any number of times.
struct PreparedJob {
  JobPlan plan;
  MemoryForecast forecast;  ///< of this rank
};

/// Collective. Validates a job, and decides how it runs, identically on all ranks. `sources`: the values of the caller
/// by name; other inputs are files. Results named in `spec.keep`, and those that nothing uses, are kept. Maps of a
/// campaign form a single group of ranks. Creates no file. Throws InputError, also for outputs of a campaign in files
/// and execution.map_groups above 1, and ResourceError if memory is insufficient; the same on all ranks.
PreparedJob prepare(const comm::Communicator& comm, JobSpec spec, const Sources& sources,
                    const PrepareOptions& options = {});

/// Not collective. Replaces the values of the caller by others of the same description. Throws InputError, which names
/// the input, if one is missing or differs.
void replace_sources(PreparedJob& job, const Sources& sources);

/// Values by name.
template <class T>
using ValuesByName = std::map<std::string, Value<T>>;

/// Result of execute().
struct ExecutedJob {
  std::variant<ValuesByName<double>, ValuesByName<float>> values;  ///< in the precision of the job
  RunRecord record;                                                ///< of this rank
};

/// Collective. Runs a prepared job. Values of the caller are read, and never written. Transforms are taken from
/// `cache`, which is for these ranks. `progress`: called on the root during the run; may be empty. Throws the same
/// error on all ranks.
ExecutedJob execute(const comm::Communicator& comm, const PreparedJob& job, transform::TransformCache& cache,
                    const Progress::Call& progress = {});

}  // namespace armilla::job
