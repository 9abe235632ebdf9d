#pragma once

#include <exception>

namespace armilla::core {

/// Collects exceptions thrown by the threads of a parallel region, which must not leave the region.
class ExceptionCollector {
 public:
  /// Calls work(), unless an exception has already been collected. Thread-safe.
  template <class Work>
  void operator()(const Work& work) {
    if (has_failed()) return;
    try {
      work();
    } catch (...) {
#pragma omp critical(armilla_exception_collector)
      failure_ = std::current_exception();
    }
  }
  /// Call after the region: rethrows the collected exception, if any.
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  bool has_failed() const {
    bool failed = false;
#pragma omp critical(armilla_exception_collector)
    failed = failure_ != nullptr;
    return failed;
  }
  std::exception_ptr failure_;
};

}  // namespace armilla::core
