#pragma once

#include <armilla/alm/spectra_table.hpp>
#include <armilla/backend/context.hpp>
#include <armilla/comm/communicator.hpp>
#include <armilla/core/partial_file.hpp>
#include <armilla/job/parse/job_spec.hpp>
#include <armilla/ops/radial_convolution.hpp>
#include <armilla/transform/backend_choice.hpp>
#include <armilla/transform/field_transform.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace armilla::job {

/// The points that values stand at. Values that a job makes share those of the catalogue that they are made at.
struct Catalogue {
  std::string file;  ///< of a pattern the first
  Index points = 0;  ///< dealt to ranks by points::first_point
};

/// A named value of a job: what it will be, before it is there.
struct ValueInfo {
  std::string name;
  ValueSort sort = ValueSort::kMap;
  transform::FieldKind kind;                              ///< of a field, or of those that spectra are of
  std::shared_ptr<const dist::AlmDistribution> alm;       ///< of an alm
  std::shared_ptr<const dist::PixelDistribution> pixels;  ///< of a map
  std::shared_ptr<const Catalogue> catalogue;             ///< of points and values
  std::vector<std::string> spectra;                       ///< names of the columns of spectra
  Index spectra_lmax = 0;
  std::vector<std::string> units;  ///< per component of a field; one for spectra
  std::string coordsys;
  bool per_item = false;  ///< each map of a campaign has its own
};

struct PlannedInput {
  std::variant<io::MapInfo, io::AlmInfo, io::PointsInfo> info;
  std::vector<Index> components;  ///< number within the file of each component of the value
  std::size_t value = 0;
  std::optional<std::size_t> good_pixels = {};  ///< the value that is the mask of its good pixels
};

struct PlannedStep {
  bool per_item = false;              ///< runs for each batch of a campaign, else once
  std::vector<std::size_t> operands;  ///< values
  std::vector<std::size_t> results;   ///< values
  std::optional<transform::FieldTransformSpec> transform;
  std::size_t transforms = 0;                 ///< how many transforms it runs, for the progress bar
  std::vector<ops::RadialPlan> convolutions;  ///< convolve: one for each result
  std::vector<std::string> warnings;          ///< of its plan
  std::optional<alm::SpectraTable> table;     ///< what its file of functions of l holds: random_alm, multiply
};

/// One file, one for each map of a campaign, or one with a batch axis.
enum class OutputForm { kOne, kEach, kBatchAxis };

struct PlannedOutput {
  std::size_t value = 0;
  Index bytes = 0;  ///< of the file, or of all, to within headers
  OutputForm form = OutputForm::kOne;
};

/// What the runner does next.
enum class ActionKind { kRead, kBuildTransform, kStep, kDropTransform, kFree, kWrite };
struct Action {
  ActionKind kind;
  std::size_t index;  ///< input, step, step, step, value, output
  friend bool operator==(const Action&, const Action&) = default;
};

/// What a job does that has many maps: its schedule runs once, this one for each batch.
struct CampaignPlan {
  std::vector<std::string> labels;  ///< of all maps
  std::vector<Index> items;         ///< numbers of those that this run takes, ascending
  Index digits = 0;                 ///< of the number of a map in names of outputs (label_digits)
  Index batch = 1;                  ///< maps that are transformed together, at most
  int groups = 1;                   ///< of ranks
  std::vector<Action> schedule;

  /// Consecutive maps, at most `batch`.
  struct Run {
    Index first;
    Index maps;
  };
  std::vector<Run> runs;  ///< by set_batch(): the batches

  Index maps() const { return static_cast<Index>(labels.size()); }
  Index taken() const { return static_cast<Index>(items.size()); }
  Index batches() const { return static_cast<Index>(runs.size()); }
  /// The first map of batch number `number`, and how many it has.
  Index first_of(Index number) const { return runs[static_cast<std::size_t>(number)].first; }
  Index maps_of(Index number) const { return runs[static_cast<std::size_t>(number)].maps; }
  /// The most consecutive maps that the run takes; 1 if it takes none.
  Index longest_run() const;
};

/// How the transforms of a job use the devices of a backend that has some (choose_device_work).
struct DevicePlan {
  Index work_bytes = 0;             ///< that each part of a stage may take for working space
  Index room = backend::kNoDevice;  ///< bytes for each rank; kNoDevice where no device is here
  Index needed = 0;                 ///< bytes, the least with which the rank that needs most can work
};

/// A job that was found to be possible: all names resolved, all shapes known, all work in order. inputs, steps and
/// outputs stand in the order of those of `spec`.
struct JobPlan {
  JobSpec spec;
  int ranks = 1;
  std::vector<ValueInfo> values;
  std::vector<PlannedInput> inputs;
  std::vector<PlannedStep> steps;
  std::vector<PlannedOutput> outputs;
  std::vector<Action> schedule;
  std::vector<std::string> warnings;
  std::optional<CampaignPlan> campaign;
  transform::BackendChoice backend = {};  ///< what execution.backend came to
  std::optional<DevicePlan> device = {};
  std::string mark = {};  ///< outputs_mark()
};

/// What `work.operator()<T>()` returns for the precision of the job.
template <class Work>
auto in_precision_of(const JobPlan& plan, Work&& work) {
  return plan.spec.execution.precision == core::Precision::kSingle ? work.template operator()<float>()
                                                                   : work.template operator()<double>();
}

/// Collective. Opens the headers of all inputs, checks every step against the fields and grids that it gets, and every
/// output for a place where it can be written. Allocates no field. Throws the same error on all ranks. A
/// campaign is planned for batches of one map. Where the job leaves it to Armilla, the backend is chosen here, which
/// tries devices that could be it (choose_backend), by `method`.
JobPlan plan_job(const comm::Communicator& comm, JobSpec spec, const backend::CheckMethod& method = {});

/// Not collective: the spec of a plan, whose backend is chosen, for another number of ranks. Throws InputError.
JobPlan plan_for(const JobSpec& spec, int ranks);

/// A campaign for batches of `maps`, of consecutive maps each.
void set_batch(JobPlan& plan, Index maps);

/// The file of an output; `item` counts where each map has its own.
std::string output_file(const JobPlan& plan, std::size_t output, Index item);

/// `file`, to be written by way of partial files that carry the mark of the job.
core::OutputPath marked(const JobPlan& plan, const std::string& file);

/// How many maps a step takes at once: 1 if it runs once.
Index maps_at_once(const JobPlan& plan, const PlannedStep& step);

/// Whether `value` is written to a file.
bool is_output(const JobPlan& plan, std::size_t value);

/// True if no later step than `step`, of those that run once or of those of a batch as `step` does, uses `value`,
/// and no batch does that comes.
bool is_last_use(const JobPlan& plan, std::size_t step, std::size_t value);

/// True for a step that takes over the memory of its first operand, which nobody needs any more.
bool is_in_place(const JobPlan& plan, std::size_t step);

/// True if both build the same transform.
bool same_transform(const transform::FieldTransformSpec& a, const transform::FieldTransformSpec& b);

/// The first step whose StepRun::keep() serves this one, in a campaign.
std::size_t keeper_of(const JobPlan& plan, std::size_t step);

}  // namespace armilla::job
