#include <armilla/comm/mailbox.hpp>
#include <armilla/comm/phase.hpp>
#include <armilla/core/log.hpp>
#include <armilla/core/stop_signals.hpp>
#include <armilla/job/campaign/batch_reader.hpp>
#include <armilla/job/campaign/batch_sizes.hpp>
#include <armilla/job/campaign/batch_writer.hpp>
#include <armilla/job/campaign/campaign.hpp>
#include <armilla/job/campaign/campaign_statistics.hpp>
#include <armilla/job/campaign/left_out_maps.hpp>
#include <armilla/job/operation/operation.hpp>
#include <armilla/job/parse/refuse.hpp>
#include <armilla/job/run/left_out.hpp>
#include <armilla/job/run/plan_runner.hpp>

#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace armilla::job {

namespace {

constexpr Index kStop = -1;  // otherwise a message holds the number of finished maps, or a left-out map (LeftOutMaps)

/// With several ranks in a group, calling MPI from the file thread requires support by the library.
FileThread::Mode mode_of(const comm::Communicator& group) {
  return group.size() == 1 || comm::calls_from_any_thread() ? FileThread::Mode::kBehind : FileThread::Mode::kAtOnce;
}

comm::Communicator writers_of(const comm::Communicator& group) {
  return group.size() == 1 ? comm::Communicator::self() : group.duplicate();
}

template <class T>
class Campaign {
 public:
  Campaign(const comm::Communicator& world, const comm::Communicator& group, const MapGroups& groups,
           const JobPlan& plan, const Selection& selection, transform::TransformCache& cache, CampaignJournal& journal,
           Progress& progress, RunRecord& record)
      : world_(world),
        group_(group),
        groups_(groups),
        plan_(plan),
        selection_(selection),
        cache_(cache),
        journal_(journal),
        progress_(progress),
        record_(record),
        own_(groups.group_of(world.rank())),
        queue_(*plan.campaign, own_),
        sizes_(plan.campaign->batch,
               plan.spec.execution.batch ? BatchSizes::Choice::kFixed : BatchSizes::Choice::kFitsTime),
        mail_(world),
        left_out_(plan),
        writers_(writers_of(group)),
        statistics_(world, plan, journal),
        there_(static_cast<std::size_t>(plan.campaign->maps()), Index{0}) {}

  void run() {
    const double start = core::now_seconds();
    journal_.open_group(own_, group_.is_root());
    statistics_.open();
    std::optional<FileThread> files;
    comm::phase(world_, [&] { files.emplace(mode_of(group_)); });
    BatchWriter<T> writer(world_, group_, writers_, plan_, *files, journal_);
    journal_.release();
    if (groups_.groups > 1) prepare_steps();
    writer.sync_others = [this] { statistics_.sync(); };
    const std::optional<core::CaughtError> error = run_group(*files, writer);
    for (const auto& entry : files->finish().entries()) record_.timers.add(entry.name, entry.seconds);
    count(mail_.finish());
    tell_left_out(world_, record_, own_ != 0 && group_.is_root());
    comm::agree_of_groups(world_, error ? error : left_out_.error());
    refuse_part();
    world_.max(std::span<Index>(there_));
    publish(writer);
    record_.campaign_seconds = core::now_seconds() - start;
  }

 private:
  /// Computes on all ranks what groups would otherwise compute simultaneously, each with fewer ranks.
  void prepare_steps() {
    const core::ScopedPhase timer(record_.timers, "prepare");
    for (std::size_t i = 0; i < plan_.steps.size(); ++i) plan_.spec.steps[i].operation->prepare(world_, plan_.steps[i]);
  }

  /// Collective. Completes the files of all maps, unless other parts of the campaign still have maps to do.
  void publish(BatchWriter<T>& writer) {
    const CampaignJournal::Published all = journal_.gather(plan_, plan_.campaign->items, there_);
    record_.maps_left = std::ranges::count(all.states, Index{-1});
    record_written(all);
    check_left_out(plan_, all.states);
    if (all.is_complete()) {
      refuse_nothing(all.states);
      writer.commit(all);
      statistics_.write(all, progress_, record_);
    }
    journal_.release();
  }

  /// Collective. Records files that belong to no single map.
  void record_written(const CampaignJournal::Published& all) {
    for (std::size_t i = 0; i < plan_.outputs.size(); ++i)
      if (plan_.outputs[i].form == OutputForm::kOne && all.published[i] == 0 &&
          plan_.values[plan_.outputs[i].value].sort != ValueSort::kStatistics)
        journal_.add_file(plan_, i, plan_.spec.outputs[i].file, {});
  }

  /// Collective over the group. Runs the work of the group; returns its error, if any.
  std::optional<core::CaughtError> run_group(FileThread& files, BatchWriter<T>& writer) {
    std::optional<core::CaughtError> error;
    try {
      prepared_ = sizes_.first(core::seconds_to_stop());
      set_maps_at_once(plan_, prepared_);
      PlanRunner<T> runner(group_, plan_, cache_, progress_, record_);
      runner.writes = own_ == 0;
      for (const auto& [value, store] : statistics_.stores()) runner.stores[value] = store.get();
      runner.run(plan_.schedule);
      if (own_ != 0) record_.forget_found();  // all groups have the same results
      run_batches(runner, files, writer);
    } catch (...) {
      error = core::describe_current_exception();
    }
    try {
      writer.settle_all();
    } catch (...) {
      if (!error) error = core::describe_current_exception();
    }
    // The file thread, which also writes to the journal, is idle now.
    if (error && record_.failed && group_.is_root()) note_failed(*record_.failed);
    if ((error || asked_to_stop_) && group_.is_root())
      for (int group = 0; group < groups_.groups; ++group)
        if (group != own_) mail_.send(groups_.first_rank(group), kStop);
    return error;
  }

  void note_failed(const SkippedMap& map) {
    try {
      journal_.add_failed(map.label, map.text());
    } catch (const core::Error& error) {
      core::log().warn("{}", error.what());  // the original error is more important
    }
  }

  void run_batches(PlanRunner<T>& runner, FileThread& files, BatchWriter<T>& writer) {
    BatchReader<T> reader(group_, plan_, files, record_);
    runner.write_batch = [&](std::size_t output) {
      auto& value = written_[plan_.outputs[output].value];
      if (!value) value = std::make_shared<Value<T>>(std::move(runner.values()[plan_.outputs[output].value]));
      writer.write(output, value, runner.batch());
    };
    while (!begun_.empty() || !queue_.empty()) {
      const Index next = next_batch(writer.seconds_per_map());
      if (stopped_ || asked_to_stop_) return;
      if (begun_.empty()) {
        begin(reader, next);
        continue;
      }
      const double start = core::now_seconds() - record_.preparation_seconds;
      writer.settle();
      if (!queue_.empty() && next > 0) begin(reader, next);
      run_batch(runner, reader, writer);
      sizes_.add(prepared_, core::now_seconds() - record_.preparation_seconds - start);
      sizes_.set_preparation(std::exchange(record_.preparation_seconds, 0));
    }
  }

  /// Collective over the group. Starts to read the next batch, of at most `maps` maps.
  void begin(BatchReader<T>& reader, Index maps) {
    const CampaignPlan::Run run = queue_.take(maps);
    // Before the maps are read, so that a file changed later counts as another map.
    comm::phase(group_, [&] {
      std::vector<nlohmann::json> inputs;
      for (Index item = run.first; group_.is_root() && item < run.first + run.maps; ++item)
        inputs.push_back(map_inputs(plan_, item));
      begun_.push_back({maps, std::move(inputs)});
    });
    reader.begin(run, maps);
  }

  /// Collective over the group. Runs the oldest batch that was begun.
  void run_batch(PlanRunner<T>& runner, BatchReader<T>& reader, BatchWriter<T>& writer) {
    Begun begun = std::move(begun_.front());
    begun_.pop_front();
    if (begun.maps != prepared_) {
      prepared_ = begun.maps;
      set_maps_at_once(plan_, prepared_);
      runner.prepare_batches();
    }
    runner.run_batch(reader.take(runner.values()));
    written_.clear();
    std::vector<CampaignJournal::DoneMap> done;
    comm::phase(group_, [&] { done = done_maps(runner.batch(), std::move(begun.inputs)); });
    writer.finish(runner.batch(), std::move(done));
    note_done(runner.batch());
  }

  /// For the journal, on the root of the group.
  std::vector<CampaignJournal::DoneMap> done_maps(const Batch& batch, std::vector<nlohmann::json> inputs) {
    std::vector<CampaignJournal::DoneMap> maps;
    if (!group_.is_root()) return maps;
    for (Index place = 0; place < batch.taken; ++place) {
      CampaignJournal::DoneMap& map = maps.emplace_back();
      map.label = plan_.campaign->labels[static_cast<std::size_t>(batch.first + place)];
      map.inputs = std::move(inputs[static_cast<std::size_t>(place)]);
      map.left_out = !batch.is_there(place);
      for (const SkippedMap& skipped : record_.skipped)
        if (map.left_out && skipped.label == map.label) map.reason = skipped.text();
    }
    return maps;
  }

  /// Collective over the group. The number of maps of the batch after the one that has begun; 0 if it may not fit into
  /// the remaining time. Finds out whether another group has stopped, a signal has requested it, or time has run out.
  Index next_batch(double write_seconds) {
    count(mail_.receive());
    if (left_out_.has_limit()) comm::agree(group_, left_out_.error());
    sizes_.set_write(write_seconds);
    const Index begun = begun_.empty() ? 0 : begun_.front().maps;
    const double write = write_seconds * static_cast<double>(begun), work = sizes_.expected(begun, prepared_);
    core::set_time_to_write(write);
    const double left = core::seconds_to_stop();
    const Index next = sizes_.next(left + write - work, begun > 0 ? begun : prepared_);
    // A batch that cannot finish in time is not started.
    const bool has_no_time = begun > 0 ? left < work : next == 0;
    std::array<Index, 3> most{stopped_ ? 1 : 0, core::stop_at_boundary() || has_no_time ? 1 : 0, -next};
    group_.max(most);
    stopped_ = most[0] > 0;
    asked_to_stop_ = most[1] > 0;
    return -most[2];
  }

  void note_done(const Batch& batch) {
    if (!group_.is_root()) return;
    for (Index place = 0; place < batch.taken; ++place) {
      there_[static_cast<std::size_t>(batch.first + place)] = batch.is_there(place) ? 1 : 0;
      if (!batch.is_there(place)) mail_.send(0, LeftOutMaps::letter(batch.first + place));
    }
    mail_.send(0, batch.taken);
    count(mail_.receive());
  }

  void count(const std::vector<Index>& letters) {
    for (const Index letter : letters) {
      if (letter == kStop)
        stopped_ = true;
      else if (letter < kStop)
        left_out_.add(letter);
      else
        done_ += letter;
    }
    if (world_.is_root()) progress_.maps_done(done_);
  }

  /// Collective. Throws Stopped on all ranks if a group has stopped with batches left.
  void refuse_part() const {
    Index asked = asked_to_stop_ ? 1 : 0;
    world_.max({&asked, 1});
    if (asked == 0) return;
    std::optional<core::CaughtError> error;
    if (world_.is_root())
      error = {
          core::ErrorKind::kStopped,
          core::stop_text(fmt::format("{} of {} maps are done, and their per-map files are complete; run {} again to "
                                      "continue and to complete statistics and files that hold all maps",
                                      selection_.done + done_, selection_.done + plan_.campaign->taken(),
                                      plan_.spec.execution.same_command()))};
    comm::agree(world_, error);
  }

  /// Throws if all maps of a campaign were left out.
  void refuse_nothing(const std::vector<Index>& states) const {
    if (std::ranges::find(states, Index{1}) != states.end()) return;
    refuse_text(plan_.spec.file,
                fmt::format("all {} maps were left out, so there is nothing to write: see the warning about each map",
                            plan_.campaign->maps()));
  }

  const comm::Communicator& world_;
  const comm::Communicator& group_;
  const MapGroups& groups_;
  JobPlan plan_;  // with the number of maps for which steps are prepared
  const Selection& selection_;
  transform::TransformCache& cache_;
  CampaignJournal& journal_;
  Progress& progress_;
  RunRecord& record_;
  const int own_;  // index of the group
  BatchQueue queue_;
  BatchSizes sizes_;
  comm::Mailbox mail_;
  LeftOutMaps left_out_;  // on the root of the world
  comm::Communicator writers_;
  CampaignStatistics statistics_;
  std::map<std::size_t, std::shared_ptr<Value<T>>> written_;  // of the current batch, by value
  std::vector<Index> there_;                                  // [map] 0 if it was left out, otherwise 1
  Index prepared_ = 1;                                        // maps for which steps are prepared
  struct Begun {
    Index maps;  // in the fields
    std::vector<nlohmann::json> inputs;
  };
  std::deque<Begun> begun_;  // batches being read
  Index done_ = 0;
  bool stopped_ = false;        // another group has stopped
  bool asked_to_stop_ = false;  // by a signal, with batches remaining
};

}  // namespace

void run_campaign(const comm::Communicator& world, const comm::Communicator& group, const MapGroups& groups,
                  const JobPlan& plan, const Selection& selection, transform::TransformCache& cache,
                  CampaignJournal& journal, Progress& progress, RunRecord& record) {
  in_precision_of(plan, [&]<class T>() {
    Campaign<T>(world, group, groups, plan, selection, cache, journal, progress, record).run();
  });
}

}  // namespace armilla::job
