#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>
#include <armilla/io/read.hpp>
#include <armilla/io/write.hpp>
#include <armilla/job/operation.hpp>
#include <armilla/job/runner.hpp>
#include <armilla/job/step_run.hpp>
#include <armilla/ops/monopole.hpp>

#include <array>
#include <cmath>
#include <memory>
#include <variant>

#include <fmt/format.h>

namespace armilla::job {

namespace {

/// Runs a plan in one precision. The values of the job are here, each from the action that makes it to the one that
/// frees it.
template <class T>
class Runner {
  using Alm = transform::AlmField<T>;
  using Map = transform::MapField<T>;
  using Transform = transform::FieldTransform<T>;

 public:
  Runner(const comm::Communicator& comm, const JobPlan& plan, Progress& progress, RunRecord& record)
      : comm_(comm), plan_(plan), progress_(progress), record_(record), values_(plan.values.size()) {}

  void run() {
    for (const auto& action : plan_.schedule) {
      switch (action.kind) {
        case ActionKind::kRead:
          read(action.index);
          break;
        case ActionKind::kBuildTransform:
          build_transform(action.index);
          break;
        case ActionKind::kStep:
          step(action.index);
          break;
        case ActionKind::kDropTransform:
          transform_.reset();
          break;
        case ActionKind::kFree:
          values_[action.index] = std::monostate();
          break;
        case ActionKind::kWrite:
          write(action.index);
          break;
      }
    }
  }

 private:
  /// Runs local work on every rank, its time booked under `name`, and agrees on failure.
  template <class Work>
  void local(const std::string& name, Work&& work) {
    comm::phase(comm_, [&] {
      const core::ScopedPhase timer(record_.timers, name);
      work();
    });
  }

  Alm make_alm(const ValueInfo& info) const { return Alm(info.kind, info.alm, comm_.rank(), 1); }
  Map make_map(const ValueInfo& info) const { return Map(info.kind, info.pixels, comm_.rank(), 1); }

  void read(std::size_t index) {
    const InputSpec& input = plan_.spec.inputs[index];
    const PlannedInput& planned = plan_.inputs[index];
    progress_.note("reading " + input.file);
    const ValueInfo& info = plan_.values[planned.value];
    if (input.sort == ValueSort::kMap)
      read_map(input, planned, info);
    else
      local("read", [&] {
        auto& alm = values_[planned.value].template emplace<Alm>(make_alm(info));
        for (Index c = 0; c < info.kind.components(); ++c)
          io::read_alm<T>(std::get<io::AlmInfo>(planned.info), planned.components[static_cast<std::size_t>(c)],
                          *info.alm, comm_.rank(), alm.component(0, c));
      });
  }

  void read_map(const InputSpec& input, const PlannedInput& planned, const ValueInfo& info) {
    std::array<Index, 2> bad{0, 0};
    local("read", [&] {
      auto& map = values_[planned.value].template emplace<Map>(make_map(info));
      const auto ranges = info.pixels->pixel_ranges(comm_.rank());
      for (Index c = 0; c < info.kind.components(); ++c) {
        const io::BadPixels found =
            io::read_map<T>(std::get<io::MapInfo>(planned.info), planned.components[static_cast<std::size_t>(c)],
                            ranges, map.component(0, c), io::BadDataPolicy::kMark);
        bad[0] += found.nan;
        bad[1] += found.bad_data;
      }
    });
    // The policy is applied to the counts of all ranks, so that the message does not depend on their number.
    comm_.sum(bad);
    if (bad[0] + bad[1] > 0 && input.bad_data == io::BadDataPolicy::kError)
      throw core::InputError(fmt::format(
          "{}: {}: map file {} has {} NaN or infinite and {} bad or missing pixels (BAD_DATA) in the fields {}: repair "
          "it, or "
          "set bad_data: zero",
          input.place.where, input.place.path, input.file, bad[0], bad[1], fmt::join(info.kind.map_names(), ", ")));
    Map& map = std::get<Map>(values_[planned.value]);
    if (input.monopole == Monopole::kRemove) ops::remove_monopole(comm_, map);
    if (bad[0] + bad[1] == 0) return;
    for (T& value : map.data())
      if (!std::isfinite(value)) value = 0;
    record_.zeroed.push_back({input.name, input.file, {bad[0], bad[1]}});
  }

  void build_transform(std::size_t index) {
    progress_.note("preparing " + plan_.spec.steps[index].place.path);
    transform::Monitor monitor{&record_.timers, &record_.bytes_sent, {}};
    if (comm_.is_root()) monitor.progress = [this](double fraction) { progress_.update(fraction); };
    const core::ScopedPhase timer(record_.timers, "prepare");
    transform_ = std::make_unique<Transform>(comm_, *plan_.steps[index].transform, std::move(monitor));
    record_.backend = transform_->backend();
  }

  void step(std::size_t index) {
    const StepSpec& spec = plan_.spec.steps[index];
    progress_.begin(index, spec.place.path, plan_.steps[index].transforms);
    const double start = core::now_seconds();
    StepRun<T> run(comm_, plan_, index, values_, transform_.get(), record_);
    spec.operation->run(run);
    record_.steps.push_back({spec.place.path, core::now_seconds() - start});
  }

  void write(std::size_t index) {
    const OutputSpec& output = plan_.spec.outputs[index];
    const std::size_t number = plan_.outputs[index].value;
    const ValueInfo& info = plan_.values[number];
    progress_.note("writing " + output.file);
    const core::ScopedPhase timer(record_.timers, "write");
    const io::WriteOptions options{output.precision, output.ordering, output.convention.or_default()};
    io::FieldMetadata metadata{{}, info.units, info.coordsys, {}};
    if (info.sort != ValueSort::kSpectra) metadata.spins = info.kind.spins();
    if (info.sort != ValueSort::kSpectra && info.kind.max_spin() > 0) metadata.polcconv = "COSMO";
    if (const auto* map = std::get_if<Map>(&values_[number])) {
      metadata.fields = info.kind.map_names();
      io::write_map<T>(comm_, output.file, metadata, *info.pixels, map->data(), options);
    } else if (const auto* alm = std::get_if<Alm>(&values_[number])) {
      metadata.fields = info.kind.alm_names();
      io::write_alm<T>(comm_, output.file, metadata, *info.alm, alm->data(), options);
    } else {
      io::write_spectra(comm_, output.file, std::get<std::vector<alm::SpectraTable>>(values_[number]).front());
    }
  }

  const comm::Communicator& comm_;
  const JobPlan& plan_;
  Progress& progress_;
  RunRecord& record_;
  std::vector<Value<T>> values_;  ///< of plan_.values
  std::unique_ptr<Transform> transform_;
};

}  // namespace

void run_plan(const comm::Communicator& comm, const JobPlan& plan, Progress& progress, RunRecord& record) {
  if (plan.spec.execution.precision == core::Precision::kSingle)
    Runner<float>(comm, plan, progress, record).run();
  else
    Runner<double>(comm, plan, progress, record).run();
}

}  // namespace armilla::job
