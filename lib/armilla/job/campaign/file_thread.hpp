#pragma once

#include <armilla/core/timer.hpp>

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <string>
#include <thread>

namespace armilla::job {

/// Reads and writes files sequentially, concurrently with computation. HDF5 and cfitsio are not thread-safe: while work
/// is queued here, no other thread may call them.
class FileThread {
 public:
  /// kAtOnce: submit() executes the work itself, for MPI libraries that must not be called from a second thread.
  enum class Mode { kBehind, kAtOnce };
  /// Throws ResourceError if no thread can be started.
  explicit FileThread(Mode mode);
  /// Waits for all work.
  ~FileThread();
  FileThread(const FileThread&) = delete;
  FileThread& operator=(const FileThread&) = delete;

  /// Work is executed in submission order; get() of the future rethrows its exception. Its time is recorded under
  /// `name`.
  std::future<void> submit(const std::string& name, std::function<void()> work);
  /// Waits for all work and stops the thread. Returns the times of the work.
  const core::PhaseTimers& finish();

 private:
  struct Task {
    std::string name;
    std::packaged_task<void()> work;
  };
  void serve();
  void carry_out(Task& task);

  std::mutex lock_;
  std::condition_variable changed_;
  std::deque<Task> tasks_;
  bool ends_ = false;
  core::PhaseTimers timers_;
  std::thread thread_;
};

}  // namespace armilla::job
