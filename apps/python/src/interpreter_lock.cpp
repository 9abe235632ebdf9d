#include "interpreter_lock.hpp"

#include <unistd.h>

namespace armilla::python {

namespace {

// What take() returns. Waits for the end of the process instead if the interpreter ends.
template <class Take>
auto take_or_wait(const Take& take) {
  try {
    return take();
  } catch (...) {  // the unwinding of pthread_exit(), which has no object; the handler must not return
    while (true) ::pause();
  }
}

}  // namespace

Unlocked::~Unlocked() {
  take_or_wait([this] { PyEval_RestoreThread(state_); });
}

Locked::Locked() : state_(take_or_wait([] { return PyGILState_Ensure(); })) {}

}  // namespace armilla::python
