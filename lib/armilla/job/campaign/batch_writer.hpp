#pragma once

#include <armilla/io/hdf5_batch.hpp>
#include <armilla/job/campaign/file_thread.hpp>
#include <armilla/job/plan/plan.hpp>
#include <armilla/job/run/step_run.hpp>

#include <deque>
#include <future>
#include <memory>
#include <vector>

namespace armilla::job {

/// Writes what each map of a campaign has of its own, behind the steps.
template <class T>
class BatchWriter {
 public:
  /// Collective over `world`, the ranks of all groups: makes the files with a batch axis. `group` computes, `writers`
  /// are the same ranks for the thread of files.
  BatchWriter(const comm::Communicator& world, const comm::Communicator& group, const comm::Communicator& writers,
              const JobPlan& plan, FileThread& files);

  /// Not collective in itself, but all ranks of a group do it alike. Takes the value of the output over.
  void write(std::size_t output, std::shared_ptr<Value<T>> value, const Batch& batch);
  /// The same, when all of a batch was handed over. What was written of maps that are not there (any more) is taken
  /// back: they are NaN on a batch axis; files of their own are removed, those of an earlier run too, which a run would
  /// else have written over.
  void leave_out(const Batch& batch);
  /// Collective over the group. Waits for what was written before the batch at hand. Throws what went wrong with it.
  void settle();
  /// Collective over the group. As settle(), for all.
  void settle_all();
  /// Collective over the world, after settle_all() everywhere: files with a batch axis appear under their names.
  void commit();

 private:
  void write_each(std::size_t output, const Value<T>& value, const Batch& batch) const;
  void write_batch(std::size_t output, const Value<T>& value, const Batch& batch) const;
  void take_back(std::size_t output, Index item, bool is_own) const;

  const comm::Communicator& group_;
  const comm::Communicator& writers_;
  const JobPlan& plan_;
  FileThread& files_;
  std::vector<std::unique_ptr<io::BatchFile>> batch_files_;  // [output]
  std::vector<std::future<void>> before_, now_;
  std::vector<Batch> handed_over_;  // [output] which maps of the batch at hand were there when it was
};

extern template class BatchWriter<float>;
extern template class BatchWriter<double>;

}  // namespace armilla::job
