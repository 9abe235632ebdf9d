#pragma once

#include <exception>

namespace armilla::core {

/// Keeps what threads of a parallel region throw for after it: nothing may leave the region.
class ExceptionCollector {
 public:
  /// Calls work(), unless something was thrown before. Any number of threads at once.
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
  /// Behind the region: throws what was thrown in it.
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
