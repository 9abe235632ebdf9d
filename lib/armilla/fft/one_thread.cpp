#include <armilla/core/instantiate.hpp>
#include <armilla/fft/fftw.hpp>
#include <armilla/fft/one_thread.hpp>

#include <dlfcn.h>
#include <fmt/format.h>

// Null unless the program is linked with FFTW's library of threads.
extern "C" {
int fftw_planner_nthreads(void) __attribute__((weak));
int fftwf_planner_nthreads(void) __attribute__((weak));
void fftw_plan_with_nthreads(int) __attribute__((weak));
void fftwf_plan_with_nthreads(int) __attribute__((weak));
}

namespace armilla::fft {

namespace {

struct ThreadCalls {
  int (*get)() = nullptr;
  void (*set)(int threads) = nullptr;

  bool are_there() const { return get != nullptr && set != nullptr; }
};

template <class T>
ThreadCalls linked();
template <>
ThreadCalls linked<double>() {
  return {&fftw_planner_nthreads, &fftw_plan_with_nthreads};
}
template <>
ThreadCalls linked<float>() {
  return {&fftwf_planner_nthreads, &fftwf_plan_with_nthreads};
}

// From a library that was loaded later, such as by a module of Python.
template <class T>
ThreadCalls loaded() {
  const std::string prefix = Fftw<T>::kPrefix;
  for (const char* kind : {"threads", "omp"}) {
    void* library = ::dlopen(fmt::format("lib{}_{}.so.3", Fftw<T>::kLibrary, kind).c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (library == nullptr) continue;
    ThreadCalls calls;
    calls.get = reinterpret_cast<decltype(calls.get)>(::dlsym(library, (prefix + "_planner_nthreads").c_str()));
    calls.set = reinterpret_cast<decltype(calls.set)>(::dlsym(library, (prefix + "_plan_with_nthreads").c_str()));
    ::dlclose(library);  // RTLD_NOLOAD added a reference
    if (calls.are_there()) return calls;
  }
  return {};
}

}  // namespace

template <class T>
OneThread<T>::OneThread() {
  ThreadCalls calls = linked<T>();
  if (!calls.are_there()) calls = loaded<T>();
  if (!calls.are_there()) return;
  before_ = calls.get();
  if (before_ == 1) return;
  set_ = calls.set;
  set_(1);
}

template <class T>
OneThread<T>::~OneThread() {
  if (set_ != nullptr) set_(before_);
}

ARMILLA_INSTANTIATE_CLASS(OneThread);

}  // namespace armilla::fft
