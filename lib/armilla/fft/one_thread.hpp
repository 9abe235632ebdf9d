#pragma once

namespace armilla::fft {

/// While it exists, FFTW plans transforms for one thread, whatever fftw_plan_with_nthreads was called with; afterwards,
/// for as many threads as before. Does nothing if FFTW's library of threads is not in the process, or has no
/// fftw_planner_nthreads (before 3.3.9). Requires core::planner_lock. Instances: float, double.
template <class T>
class OneThread {
 public:
  OneThread();
  ~OneThread();
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  using Set = void (*)(int threads);

  Set set_ = nullptr;  // if the number was changed
  int before_ = 1;
};

}  // namespace armilla::fft
