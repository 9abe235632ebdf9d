#pragma once

#include <armilla/core/error.hpp>
#include <armilla/job/campaign/file_thread.hpp>
#include <armilla/job/plan/plan.hpp>
#include <armilla/job/run/read_input.hpp>
#include <armilla/job/run/run_record.hpp>

#include <deque>
#include <future>
#include <memory>
#include <optional>
#include <vector>

namespace armilla::job {

/// Prefetches the maps of a campaign, batch by batch.
template <class T>
class BatchReader {
 public:
  BatchReader(const comm::Communicator& comm, const JobPlan& plan, FileThread& files, RunRecord& record)
      : comm_(comm), plan_(plan), files_(files), record_(record) {
    for (std::size_t i = 0; i < plan.inputs.size(); ++i) readers_.emplace_back(comm, plan, i);
  }
  /// Waits for pending reads.
  ~BatchReader() = default;
  BatchReader(const BatchReader&) = delete;
  BatchReader& operator=(const BatchReader&) = delete;

  /// Collective. Starts to read the batch of the maps `run`, into fields for `size` maps. Throws if memory for its
  /// fields cannot be allocated.
  void begin(CampaignPlan::Run run, Index size);
  /// Collective. Waits for the oldest batch started, moves its fields into `values`, and reports which of its maps are
  /// present. An absent map is replaced by a copy of the first present map. An unusable map either throws, identically
  /// on all ranks, or is left out and recorded, depending on the policy of the job.
  Batch take(std::vector<Value<T>>& values);

 private:
  struct Reading {
    CampaignPlan::Run run{};
    Index size = 0;                          // maps in the fields
    std::vector<Value<T>> fields;            // [input]; empty for inputs shared by all maps
    std::vector<std::vector<ReadMap>> maps;  // [input][index in the batch]
    std::future<void> done;

    /// The file thread writes to this reading until it is done.
    ~Reading() {
      if (done.valid()) done.wait();
    }
  };

  void find_reference(std::size_t input);
  std::optional<core::CaughtError> try_reference(std::size_t input, Index item);
  void read_maps(Reading& reading, std::size_t input);
  void check_maps(Reading& reading, std::size_t input, Batch& batch);
  void finish_maps(Reading& reading, std::size_t input, const Batch& batch, std::vector<Value<T>>& values);
  const ValueInfo& info_of(std::size_t input) const { return plan_.values[plan_.inputs[input].value]; }

  const comm::Communicator& comm_;
  const JobPlan& plan_;
  FileThread& files_;
  RunRecord& record_;
  bool begun_ = false;
  std::vector<InputReader<T>> readers_;  // [input]; used by the file thread while it reads
  std::deque<std::unique_ptr<Reading>> ahead_;
};

extern template class BatchReader<float>;
extern template class BatchReader<double>;

}  // namespace armilla::job
