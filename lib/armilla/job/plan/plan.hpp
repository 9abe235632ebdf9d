#pragma once

#include <armilla/backend/context.hpp>
#include <armilla/comm/communicator.hpp>
#include <armilla/core/input_file.hpp>
#include <armilla/core/partial_file.hpp>
#include <armilla/job/parse/job_spec.hpp>
#include <armilla/job/value/source.hpp>
#include <armilla/job/value/value_info.hpp>
#include <armilla/transform/backend_choice.hpp>
#include <armilla/transform/field_transform.hpp>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace armilla::job {

struct PlannedInput {
  std::shared_ptr<const Source> source;
  std::vector<Index> components;  ///< index of each component of the value in the source
  std::vector<bool> states_spin;  ///< for each component of the value; see InputValue
  std::size_t value = 0;
  std::optional<std::size_t> good_pixels = {};  ///< index of the value that holds the mask of its good pixels
};

/// What only the operation of a planned step knows (steps::Step::set_state).
class StepState {
 public:
  virtual ~StepState() = default;
};

struct PlannedStep {
  bool per_item = false;              ///< runs for each batch of a campaign, otherwise once
  std::vector<std::size_t> operands;  ///< indices of values
  std::vector<std::size_t> results;   ///< indices of values
  std::optional<transform::FieldTransformSpec> transform;
  std::size_t transforms = 0;              ///< number of transforms that it runs, for the progress bar
  std::shared_ptr<const StepState> state;  ///< private to its operation; null if it has none
  std::vector<std::string> warnings;       ///< warnings of its plan
};

/// One file, one file for each map of a campaign, or one file with a batch axis.
enum class OutputForm { kOne, kEach, kBatchAxis };

struct PlannedOutput {
  std::size_t value = 0;
  Index bytes = 0;  ///< of the file, or of all files; approximate for headers
  OutputForm form = OutputForm::kOne;
};

/// The next action of the runner.
enum class ActionKind { kRead, kBuildTransform, kStep, kDropTransform, kFree, kWrite, kKeep };
struct Action {
  ActionKind kind;
  std::size_t index;  ///< index of an input, step, step, step, value, output or value
  friend bool operator==(const Action&, const Action&) = default;
};

/// The batch part of a job with many maps; the schedule of the job runs once, this one for each batch.
struct CampaignPlan {
  std::vector<std::string> labels;  ///< of all maps
  std::vector<Index> items;         ///< indices of the maps that this run processes, ascending
  Index digits = 0;                 ///< digits of the map index in names of outputs (label_digits)
  Index batch = 1;                  ///< maximum number of maps transformed together
  int groups = 1;                   ///< number of groups of ranks
  std::vector<Action> schedule;

  /// Consecutive maps, at most `batch`.
  struct Run {
    Index first;
    Index maps;
  };
  std::vector<Run> runs;  ///< the batches, set by set_batch()

  Index maps() const { return static_cast<Index>(labels.size()); }
  Index taken() const { return static_cast<Index>(items.size()); }
  Index batches() const { return static_cast<Index>(runs.size()); }
  /// The largest number of consecutive maps that the run processes; 1 if there are none.
  Index longest_run() const;
};

/// How the transforms of a job use the devices of a backend (choose_device_work).
struct DevicePlan {
  Index work_bytes = 0;             ///< available as workspace to each part of a stage
  Index room = backend::kNoDevice;  ///< bytes per rank; kNoDevice if this machine has no device
  Index needed = 0;                 ///< minimum bytes for the rank with the largest demand
};

/// The inputs and files that a plan has opened, shared by the plans of a job for other numbers of ranks.
struct OpenedInputs {
  std::vector<std::shared_ptr<const Source>> sources;                  ///< [input]
  std::map<std::string, std::shared_ptr<const grid::RingGrid>> rings;  ///< of files, by path
  std::vector<core::SeenFile> files;                                   ///< that were read, at least their headers
  std::string seen;                                                    ///< description of what was read
};

/// A validated job: all names resolved, all shapes known, all work ordered. inputs, steps and outputs are in the order
/// of `spec`.
struct JobPlan {
  JobSpec spec;
  int ranks = 1;
  std::vector<ValueInfo> values;
  std::vector<PlannedInput> inputs;
  std::vector<PlannedStep> steps;
  std::vector<PlannedOutput> outputs;
  std::vector<std::size_t> kept;  ///< values that stay in memory, for the caller
  std::vector<Action> schedule;
  std::vector<std::string> warnings;
  std::shared_ptr<OpenedInputs> opened = std::make_shared<OpenedInputs>();
  std::optional<CampaignPlan> campaign;
  transform::BackendChoice backend = {};  ///< result of execution.backend
  std::optional<DevicePlan> device = {};
  std::string mark = {};  ///< outputs_mark()
};

/// Calls `work.operator()<T>()` for the precision of the job and returns its result.
template <class Work>
auto in_precision_of(const JobPlan& plan, Work&& work) {
  return plan.spec.execution.precision == core::Precision::kSingle ? work.template operator()<float>()
                                                                   : work.template operator()<double>();
}

/// Collective. Opens the headers of all inputs, and checks every step against its fields and grids and every output
/// against its value. Accesses no output folder (check_output_places). Allocates no field. Throws the same error on all
/// ranks. A campaign is planned for batches of one map. For execution.backend = auto, chooses the backend
/// (choose_backend), which tests candidate devices. `sources`: of inputs that are not in files.
JobPlan plan_job(const comm::Communicator& comm, JobSpec spec, const Sources& sources = {});

/// Not collective. Plans the job of `plan`, whose backend is chosen, for another number of ranks. Reads no file. Throws
/// InputError.
JobPlan plan_for(const JobPlan& plan, int ranks);

/// Not collective. plan_job() for forecasts, for a number of ranks: the spec names its backend, and its inputs are
/// expanded.
JobPlan plan_alone(JobSpec spec, int ranks, const Sources& sources = {});

/// Divides a campaign into batches of at most `maps` consecutive maps.
void set_batch(JobPlan& plan, Index maps);
/// Sets the number of maps that steps process at once, and leaves the batches as they are.
void set_maps_at_once(JobPlan& plan, Index maps);

/// The file of an output; `item` is used if each map has its own file.
std::string output_file(const JobPlan& plan, std::size_t output, Index item);

/// `file` as an output that is written through partial files with the mark of the job.
core::OutputPath marked(const JobPlan& plan, const std::string& file);

/// Number of maps that a step processes at once: 1 if it runs once.
Index maps_at_once(const JobPlan& plan, const PlannedStep& step);

/// Whether `value` is written to a file.
bool is_output(const JobPlan& plan, std::size_t value);
/// Whether `value` stays in memory for the caller.
bool is_kept_for_caller(const JobPlan& plan, std::size_t value);

/// True if no later step uses `value`. Later steps are those in the same part as `step`, which runs once or per batch,
/// and those of all later batches.
bool is_last_use(const JobPlan& plan, std::size_t step, std::size_t value);

/// True for a step that reuses the memory of its first operand, which is no longer needed.
bool is_in_place(const JobPlan& plan, std::size_t step);

/// The first step whose StepRun::keep() object also serves this step, in a campaign.
std::size_t keeper_of(const JobPlan& plan, std::size_t step);

}  // namespace armilla::job
