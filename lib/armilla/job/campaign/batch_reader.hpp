#pragma once

#include <armilla/core/error.hpp>
#include <armilla/job/campaign/file_thread.hpp>
#include <armilla/job/plan/plan.hpp>
#include <armilla/job/run/run_record.hpp>
#include <armilla/job/run/step_run.hpp>

#include <deque>
#include <future>
#include <memory>
#include <optional>
#include <vector>

namespace armilla::job {

/// Reads the maps of a campaign, batch after batch, before they are needed.
template <class T>
class BatchReader {
 public:
  BatchReader(const comm::Communicator& comm, const JobPlan& plan, FileThread& files, RunRecord& record)
      : comm_(comm),
        plan_(plan),
        files_(files),
        record_(record),
        references_(plan.inputs),
        places_(plan.inputs.size()) {}
  /// Waits for what is being read.
  ~BatchReader();
  BatchReader(const BatchReader&) = delete;
  BatchReader& operator=(const BatchReader&) = delete;

  /// Collective. Begins to read batch number `number`. Throws where memory for its fields cannot be had.
  void begin(Index number);
  /// Collective. Waits for the batch that was begun first, puts its fields into `values`, and says which of its maps
  /// are there. A map that is not there holds the numbers of the first one that is. By the policy of the job, a map
  /// that cannot be used throws, on all ranks the same, or is left out and recorded.
  Batch take(std::vector<Value<T>>& values);

 private:
  struct Found {
    std::optional<core::CaughtError> error;
    io::BadPixels bad;
    Index good = 0;  // pixels
  };
  struct Reading {
    Index number = 0;
    std::vector<Value<T>> fields;           // [input]; nothing for what is one for all maps
    std::vector<std::vector<Found>> found;  // [input][place]
    std::future<void> done;
  };

  void find_reference(std::size_t input);
  std::optional<core::CaughtError> try_reference(std::size_t input, Index item);
  void read_maps(Reading& reading, std::size_t input);
  void make_values(Reading& reading, std::size_t input);
  void check_places(Reading& reading, std::size_t input, Batch& batch);
  void finish_maps(Reading& reading, std::size_t input, const Batch& batch, std::vector<Value<T>>& values);

  const comm::Communicator& comm_;
  const JobPlan& plan_;
  FileThread& files_;
  RunRecord& record_;
  bool begun_ = false;
  std::vector<PlannedInput> references_;                       // [input]; of values: the file whose places count
  std::vector<std::shared_ptr<const points::Places>> places_;  // [input] of values; of the thread of files
  std::deque<std::unique_ptr<Reading>> ahead_;
};

extern template class BatchReader<float>;
extern template class BatchReader<double>;

}  // namespace armilla::job
