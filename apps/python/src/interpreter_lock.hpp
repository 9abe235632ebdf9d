#pragma once

#include <nanobind/nanobind.h>

/// The lock of the interpreter (GIL). When the interpreter ends, it unwinds other threads that ask for the lock, or
/// lets them wait, depending on its version. Here they wait until the process ends: unwinding them would end the
/// process with an error, because destructors must not throw.
namespace armilla::python {

/// Without the lock, until the end of its scope. Only for threads that hold it.
class Unlocked {
 public:
  Unlocked() : state_(PyEval_SaveThread()) {}
  ~Unlocked();
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

 private:
  PyThreadState* state_;
};

/// With the lock, until the end of its scope.
class Locked {
 public:
  Locked();
  ~Locked() { PyGILState_Release(state_); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  PyGILState_STATE state_;
};

}  // namespace armilla::python
