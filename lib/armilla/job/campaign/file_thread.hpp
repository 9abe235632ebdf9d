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

/// Reads and writes files one after the other while others compute. HDF5 and cfitsio are not made for several threads:
/// as long as there is work here, nobody else calls them.
class FileThread {
 public:
  /// kAtOnce: submit() does the work itself, for MPI libraries that must not be called from a second thread.
  enum class Mode { kBehind, kAtOnce };
  /// Throws ResourceError if no thread can be started.
  explicit FileThread(Mode mode);
  /// Waits for all work.
  ~FileThread();
  FileThread(const FileThread&) = delete;
  FileThread& operator=(const FileThread&) = delete;

  /// Work is done in the order in which it comes; get() of the future throws what it threw. Its time is booked under
  /// `name`.
  std::future<void> submit(const std::string& name, std::function<void()> work);
  /// Waits for all work, and ends. The times that work took.
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
