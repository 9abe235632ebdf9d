#pragma once

#include <atomic>
#include <exception>

namespace armilla::core {

/// Collects exceptions thrown by the threads of a parallel region, which must not leave the region.
class ExceptionCollector {
 public:
  /// Calls work(), unless an exception has already been collected. Thread-safe.
  template <class Work>
  void operator()(const Work& work) {
    if (has_failed_.load(std::memory_order_relaxed)) return;
    try {
      work();
    } catch (...) {
      if (!has_failed_.exchange(true)) failure_ = std::current_exception();
    }
  }
  /// Call after the region: rethrows the collected exception, if any.
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::atomic<bool> has_failed_{false};
  std::exception_ptr failure_;  ///< of the first failure, set by the thread that set has_failed_
};

}  // namespace armilla::core
