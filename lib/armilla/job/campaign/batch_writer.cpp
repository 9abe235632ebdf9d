#include <armilla/comm/phase.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/core/log.hpp>
#include <armilla/job/campaign/batch_writer.hpp>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace armilla::job {

namespace {

// If the value is such a field.
template <class Field, class T>
void bring_to_host(Value<T>& value) {
  if (Field* own = value.template find_own<Field>())
    own->leave_device();
  else if (const Field* borrowed = value.template find<Field>())
    borrowed->data();
}

}  // namespace

template <class T>
BatchWriter<T>::BatchWriter(const comm::Communicator& world, const comm::Communicator& group,
                            const comm::Communicator& writers, const JobPlan& plan, FileThread& files,
                            CampaignJournal& journal)
    : group_(group),
      writers_(writers),
      world_(world),
      plan_(plan),
      files_(files),
      journal_(journal),
      batch_files_(plan.outputs.size()),
      handed_over_(plan.outputs.size()) {
  for (std::size_t i = 0; i < plan.outputs.size(); ++i) {
    if (plan.outputs[i].form != OutputForm::kBatchAxis || journal.was_complete(i)) continue;
    batch_files_[i] = std::make_unique<BatchOutput>(world, journal.unfinished(plan, i), plan.spec.outputs[i],
                                                    plan.values[plan.outputs[i].value], plan.campaign->labels);
  }
}

/// Work after a failure is skipped, so that no map with incomplete files is recorded.
template <class T>
void BatchWriter<T>::submit(std::function<void()> work, Index finished) {
  now_.push_back(files_.submit("write behind", [this, finished, work = std::move(work)] {
    const double start = core::now_seconds();
    try {
      work();
    } catch (...) {
      if (!failure_) failure_ = core::describe_current_exception();
      throw;
    }
    seconds_ += core::now_seconds() - start;
    if (finished == 0) return;
    seconds_per_map_ = std::max(seconds_per_map_.load(), seconds_ / static_cast<double>(finished));
    seconds_ = 0;
  }));
}

template <class T>
void BatchWriter<T>::write(std::size_t output, std::shared_ptr<Value<T>> value, const Batch& batch) {
  // The file thread only reads, and while it does so, the device needs its memory for the next batch.
  bring_to_host<transform::MapField<T>>(*value);
  bring_to_host<transform::AlmField<T>>(*value);
  handed_over_[output] = batch;
  submit([this, output, value = std::move(value), batch] {
    if (batch_files_[output])
      write_batch(output, *value, batch);
    else
      write_each(output, *value, batch);
  });
}

template <class T>
void BatchWriter<T>::finish(const Batch& batch, std::vector<CampaignJournal::DoneMap> maps) {
  const std::vector<Batch> handed_over = std::exchange(handed_over_, std::vector<Batch>(batch_files_.size()));
  std::vector<Index> absent;
  for (Index place = 0; place < batch.taken; ++place)
    if (!batch.is_there(place)) absent.push_back(place);
  submit(
      [this, absent, first = batch.first, handed_over, maps = std::move(maps)]() mutable {
        // Pending writes of other ranks to a batch axis must finish first.
        comm::phase(writers_, [&] {
          if (failure_) core::throw_error(failure_->kind, failure_->message);
          for (const auto& file : batch_files_)
            if (file) file->file().sync();
          sync_others();
        });
        if (!group_.is_root()) return;
        for (std::size_t output = 0; output < batch_files_.size(); ++output)
          for (const Index place : absent) {
            const Batch& then = handed_over[output];
            take_back(output, first + place, !then.there.empty() && then.is_there(place));
          }
        for (std::size_t place = 0; place < maps.size(); ++place) {
          if (maps[place].left_out) continue;
          if (place < written_.size()) maps[place].outputs = std::move(written_[place]);
          for (std::size_t output = 0; output < batch_files_.size(); ++output)
            if (batch_files_[output])
              maps[place].outputs.push_back({.file = journal_.place().relative(plan_.spec.outputs[output].file),
                                             .checksum = {},
                                             .layout = journal_.layout()});
        }
        if (!absent.empty())
          for (const auto& file : batch_files_)
            if (file) file->file().sync();
        journal_.add(maps);
        written_.clear();
      },
      batch.taken);
}

template <class T>
void BatchWriter<T>::take_back(std::size_t output, Index item, bool is_own) const {
  if (plan_.outputs[output].form == OutputForm::kBatchAxis) return batch_files_[output]->file().leave_out(item);
  if (plan_.outputs[output].form != OutputForm::kEach) return;
  const std::string name = output_file(plan_, output, item);
  const auto refuse = [&](const std::string& reason) {
    throw core::ResourceError(
        fmt::format("'{}' cannot be removed ({}), although its map was left out: remove it by hand", name, reason));
  };
  std::error_code error;
  if (std::filesystem::is_directory(name, error)) refuse("it is a folder");
  const std::string file = core::output_target(name);
  if (std::filesystem::remove(file, error) && !is_own)
    core::log().warn("removing '{}' of an earlier run, because its map was left out", file);
  if (error) refuse(error.message());
}

template <class T>
void BatchWriter<T>::write_each(std::size_t output, const Value<T>& value, const Batch& batch) {
  const ValueInfo& info = plan_.values[plan_.outputs[output].value];
  for (Index place = 0; place < batch.maps; ++place) {
    if (!batch.is_there(place)) continue;
    const core::OutputPath file = marked(plan_, output_file(plan_, output, batch.first + place));
    write_value(writers_, file, plan_.spec.outputs[output], info, value, place);
    written_.resize(core::at(batch.maps));
    written_[core::at(place)].push_back(recorded(writers_, journal_.place(), file.path, file.path));
  }
}

template <class T>
void BatchWriter<T>::write_batch(std::size_t output, const Value<T>& value, const Batch& batch) const {
  for (Index place = 0; place < batch.maps; ++place)
    if (batch.is_there(place)) batch_files_[output]->write(value, place, batch.first + place, group_.is_root());
}

template <class T>
void BatchWriter<T>::settle() {
  std::vector<std::future<void>> old = std::exchange(before_, std::exchange(now_, {}));
  for (auto& done : old) done.wait();
  comm::phase(group_, [&] {
    for (auto& done : old) done.get();
  });
}

template <class T>
void BatchWriter<T>::settle_all() {
  std::optional<core::CaughtError> error;
  for (int i = 0; i < 2; ++i) {
    try {
      settle();
    } catch (...) {
      if (!error) error = core::describe_current_exception();
    }
  }
  if (error) core::throw_error(error->kind, error->message);
}

template <class T>
void BatchWriter<T>::commit(const CampaignJournal::Published& all) {
  for (std::size_t output = 0; output < batch_files_.size(); ++output) {
    if (!batch_files_[output] || all.published[output] != 0) continue;
    io::BatchFile& file = batch_files_[output]->file();
    file.finish();
    // Done before renaming, which changes neither size nor time. If the run dies in between, the next run completes it.
    journal_.add_file(plan_, output, file.partial_path(), all.states);
    comm::phase(world_, [&] {
      if (world_.is_root()) file.publish();
    });
  }
}

ARMILLA_INSTANTIATE_CLASS(BatchWriter);

}  // namespace armilla::job
