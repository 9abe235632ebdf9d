#include <armilla/core/error.hpp>
#include <armilla/job/campaign/file_thread.hpp>

#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace armilla::job {

FileThread::FileThread(Mode mode) {
  if (mode == Mode::kAtOnce) return;
  try {
    thread_ = std::thread([this] { serve(); });
  } catch (const std::system_error& error) {
    throw core::ResourceError(
        fmt::format("cannot start a thread ({}): raise ulimit -u, or use fewer ranks or threads", error.what()));
  }
}

FileThread::~FileThread() { finish(); }

std::future<void> FileThread::submit(const std::string& name, std::function<void()> work) {
  Task task{name, std::packaged_task<void()>(std::move(work))};
  std::future<void> done = task.work.get_future();
  if (!thread_.joinable()) {
    carry_out(task);
    return done;
  }
  const std::lock_guard guard(lock_);
  tasks_.push_back(std::move(task));
  changed_.notify_one();
  return done;
}

const core::PhaseTimers& FileThread::finish() {
  if (thread_.joinable()) {
    {
      const std::lock_guard guard(lock_);
      ends_ = true;
      changed_.notify_one();
    }
    thread_.join();
  }
  return timers_;
}

void FileThread::carry_out(Task& task) {
  const core::ScopedPhase timer(timers_, task.name);
  task.work();
}

void FileThread::serve() {
  std::unique_lock guard(lock_);
  for (;;) {
    changed_.wait(guard, [this] { return ends_ || !tasks_.empty(); });
    if (tasks_.empty()) return;
    Task task = std::move(tasks_.front());
    tasks_.pop_front();
    guard.unlock();
    carry_out(task);
    task = {};  // releases its resources before waiting
    guard.lock();
  }
}

}  // namespace armilla::job
