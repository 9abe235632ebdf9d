#pragma once

#include <armilla/io/hdf5_batch.hpp>
#include <armilla/job/campaign/file_thread.hpp>
#include <armilla/job/journal/campaign_journal.hpp>
#include <armilla/job/plan/plan.hpp>
#include <armilla/job/run/step_run.hpp>

#include <atomic>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <vector>

namespace armilla::job {

/// Writes what each map of a campaign has of its own, behind the steps, and records it in the journal.
template <class T>
class BatchWriter {
 public:
  /// Collective over `world`, the ranks of all groups: makes the files with a batch axis, or continues those of earlier
  /// runs. `group` computes, `writers` are the same ranks for the thread of files.
  BatchWriter(const comm::Communicator& world, const comm::Communicator& group, const comm::Communicator& writers,
              const JobPlan& plan, FileThread& files, CampaignJournal& journal);

  /// Not collective, in the thread of files: what else has to reach the disk before a map is recorded.
  std::function<void()> sync_others = [] {};

  /// Not collective in itself, but all ranks of a group do it alike. Takes the value of the output over.
  void write(std::size_t output, std::shared_ptr<Value<T>> value, const Batch& batch);
  /// The same, when all of a batch was handed over. What was written of maps that are not there (any more) is taken
  /// back: they are NaN on a batch axis; files of their own are removed, those of an earlier run too, which a run would
  /// else have written over. When all is on the disk, the root of the group records the maps: `maps` has label, reason
  /// and inputs of each that the batch took.
  void finish(const Batch& batch, std::vector<CampaignJournal::DoneMap> maps);
  /// Collective over the group. Waits for what was written before the batch at hand. Throws what went wrong with it.
  void settle();
  /// Collective over the group. As settle(), for all.
  void settle_all();
  /// Collective over the world, after settle_all() everywhere: files with a batch axis appear under their names, except
  /// those that another run has completed meanwhile.
  void commit(const CampaignJournal::Published& all);
  /// Seconds that the slowest batch took to be written, on this rank. Any thread.
  double longest_write() const { return longest_write_; }

 private:
  void submit(std::function<void()> work, bool is_last = false);
  void write_each(std::size_t output, const Value<T>& value, const Batch& batch);
  void write_batch(std::size_t output, const Value<T>& value, const Batch& batch) const;
  void take_back(std::size_t output, Index item, bool is_own) const;

  const comm::Communicator& group_;
  const comm::Communicator& writers_;
  const comm::Communicator& world_;
  const JobPlan& plan_;
  FileThread& files_;
  CampaignJournal& journal_;
  std::vector<std::unique_ptr<io::BatchFile>> batch_files_;  // [output]
  std::vector<std::future<void>> before_, now_;
  std::vector<Batch> handed_over_;  // [output] which maps of the batch at hand were there when it was

  // Of the thread of files.
  std::vector<std::vector<JournalFile>> written_;  // [place] of the batch that is being written
  std::optional<core::CaughtError> failure_;       // the first
  double seconds_ = 0;                             // of the batch so far
  std::atomic<double> longest_write_ = 0;
};

extern template class BatchWriter<float>;
extern template class BatchWriter<double>;

}  // namespace armilla::job
