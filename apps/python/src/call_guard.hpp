#pragma once

#include <atomic>

namespace armilla::python {

/// Whether a call starts threads, or uses a device or MPI. None of them works in a process forked afterwards.
enum class Uses { kOneThread, kThreadsOrDevices };

/// Throws InputError if this process was forked from one whose calls used threads, devices or MPI.
void check_process(Uses uses);

/// What the next call of an object with `threads` threads (0: the default) uses, on ranks or a device (-1: none).
Uses uses_of(int threads, int ranks, int device);

/// Marks an object as used by a call, until the end of the call. Throws InputError if another thread uses it, and like
/// check_process().
class CallGuard {
 public:
  CallGuard(std::atomic<bool>& is_busy, Uses uses);
  ~CallGuard() { is_busy_ = false; }
  CallGuard(const CallGuard&) = delete;
  CallGuard& operator=(const CallGuard&) = delete;

 private:
  std::atomic<bool>& is_busy_;
};

}  // namespace armilla::python
