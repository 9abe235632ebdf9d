#include <armilla/comm/phase.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/io/hdf5_alm.hpp>
#include <armilla/io/hdf5_map.hpp>
#include <armilla/io/hdf5_spectra.hpp>
#include <armilla/io/points.hpp>
#include <armilla/io/write.hpp>
#include <armilla/job/campaign/batch_writer.hpp>
#include <armilla/job/run/plan_runner.hpp>

#include <algorithm>
#include <complex>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

namespace armilla::job {

namespace {

/// All components of one map of a field, as stored in memory.
template <class Field>
auto numbers_of(const Field& field, Index place) {
  const auto size = static_cast<std::size_t>(field.local_size() * field.kind().components());
  return field.data().subspan(static_cast<std::size_t>(place) * size, size);
}

template <class To, class From>
std::vector<To> converted(std::span<const From> numbers) {
  std::vector<To> result(numbers.size());
  std::ranges::transform(numbers, result.begin(), [](const From& number) { return static_cast<To>(number); });
  return result;
}

template <class To, class From>
void put_as(io::BatchFile& file, Index item, std::span<const dist::PixelRange> ranges, std::span<const From> numbers) {
  const std::vector<To> stored = converted<To>(numbers);
  file.write(item, ranges, std::as_bytes(std::span<const To>(stored)));
}

/// Converts to the precision of the file.
template <class T>
void put(io::BatchFile& file, Index item, std::span<const dist::PixelRange> ranges, std::span<const T> numbers) {
  if (file.precision() == core::Precision::kDouble)
    put_as<double>(file, item, ranges, numbers);
  else
    put_as<float>(file, item, ranges, numbers);
}
template <class T>
void put(io::BatchFile& file, Index item, std::span<const dist::PixelRange> ranges,
         std::span<const std::complex<T>> numbers) {
  if (file.precision() == core::Precision::kDouble)
    put_as<std::complex<double>>(file, item, ranges, numbers);
  else
    put_as<std::complex<float>>(file, item, ranges, numbers);
}

io::Hdf5Plan file_plan(const ValueInfo& info, const io::FieldMetadata& metadata, const io::WriteOptions& options,
                       const alm::SpectraTable& spectra) {
  if (info.sort == ValueSort::kMap) return io::hdf5_map_plan(metadata, info.pixels->grid(), options);
  if (info.sort == ValueSort::kAlm) return io::hdf5_alm_plan(metadata, info.alm->layout(), options);
  return io::hdf5_spectra_plan(spectra);
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
    const OutputSpec& output = plan.spec.outputs[i];
    const ValueInfo& info = plan.values[plan.outputs[i].value];
    const io::FieldMetadata metadata = metadata_of(info);
    const io::WriteOptions options = write_options(output);
    const alm::SpectraTable spectra = io::in_file_order({.lmax = info.spectra_lmax,
                                                         .names = info.spectra,
                                                         .columns = {},
                                                         .unit = info.units.empty() ? "" : info.units[0]});
    io::Hdf5Plan file = file_plan(info, metadata, options, spectra);
    file.maps = plan.campaign->maps();
    batch_files_[i] =
        std::make_unique<io::BatchFile>(world, journal.unfinished(plan, i), std::move(file), plan.campaign->labels);
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
  // Device data is copied here, so that the file thread only reads.
  if (auto* map = std::get_if<transform::MapField<T>>(value.get())) std::as_const(*map).data();
  if (auto* alm = std::get_if<transform::AlmField<T>>(value.get())) std::as_const(*alm).data();
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
            if (file) file->sync();
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
            if (file) file->sync();
        journal_.add(maps);
        written_.clear();
      },
      batch.taken);
}

template <class T>
void BatchWriter<T>::take_back(std::size_t output, Index item, bool is_own) const {
  if (plan_.outputs[output].form == OutputForm::kBatchAxis) return batch_files_[output]->leave_out(item);
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
    spdlog::warn("removing '{}' of an earlier run, because its map was left out", file);
  if (error) refuse(error.message());
}

template <class T>
void BatchWriter<T>::write_each(std::size_t output, const Value<T>& value, const Batch& batch) {
  const ValueInfo& info = plan_.values[plan_.outputs[output].value];
  const io::FieldMetadata metadata = metadata_of(info);
  const io::WriteOptions options = write_options(plan_.spec.outputs[output]);
  for (Index place = 0; place < batch.maps; ++place) {
    const Index item = batch.first + place;
    if (!batch.is_there(place)) continue;
    const core::OutputPath file = marked(plan_, output_file(plan_, output, item));
    if (const auto* map = std::get_if<transform::MapField<T>>(&value))
      io::write_map<T>(writers_, file, metadata, *info.pixels, numbers_of(*map, place), options);
    else if (const auto* alm = std::get_if<transform::AlmField<T>>(&value))
      io::write_alm<T>(writers_, file, metadata, *info.alm, numbers_of(*alm, place), options);
    else if (const auto* at_points = std::get_if<points::PointField<T>>(&value))
      io::write_points<T>(writers_, file, metadata, at_points->points()->theta, at_points->points()->phi,
                          numbers_of(*at_points, place), options);
    else
      io::write_spectra(writers_, file,
                        std::get<std::vector<alm::SpectraTable>>(value)[static_cast<std::size_t>(place)]);
    written_.resize(static_cast<std::size_t>(batch.maps));
    written_[static_cast<std::size_t>(place)].push_back(recorded(writers_, journal_.place(), file.path, file.path));
  }
}

template <class T>
void BatchWriter<T>::write_batch(std::size_t output, const Value<T>& value, const Batch& batch) const {
  const ValueInfo& info = plan_.values[plan_.outputs[output].value];
  io::BatchFile& file = *batch_files_[output];
  for (Index place = 0; place < batch.maps; ++place) {
    const Index item = batch.first + place;
    if (!batch.is_there(place)) continue;
    if (const auto* map = std::get_if<transform::MapField<T>>(&value)) {
      put<T>(file, item, info.pixels->pixel_ranges(map->rank()), std::span<const T>(numbers_of(*map, place)));
    } else if (const auto* alm = std::get_if<transform::AlmField<T>>(&value)) {
      const std::vector<std::complex<T>> numbers = io::in_convention<T>(
          plan_.spec.outputs[output].convention.or_default(), *info.alm, alm->rank(), numbers_of(*alm, place));
      put<T>(file, item, io::alm_ranges(*info.alm, alm->rank(), info.alm->layout()),
             std::span<const std::complex<T>>(numbers));
    } else if (group_.is_root()) {
      const alm::SpectraTable table =
          io::in_file_order(std::get<std::vector<alm::SpectraTable>>(value)[static_cast<std::size_t>(place)]);
      std::vector<double> numbers;
      for (const auto& column : table.columns) numbers.insert(numbers.end(), column.begin(), column.end());
      const dist::PixelRange all{0, table.lmax + 1};
      put<double>(file, item, {&all, 1}, std::span<const double>(numbers));
    }
    if (group_.is_root()) file.mark_present(item);
  }
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
    io::BatchFile& file = *batch_files_[output];
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
