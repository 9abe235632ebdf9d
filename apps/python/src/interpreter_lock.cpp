#include "interpreter_lock.hpp"

#include <cxxabi.h>
#include <unistd.h>

namespace armilla::python {

namespace {

// What take() returns. Waits for the end of the process instead if the interpreter ends.
template <class Take>
auto take_or_wait(const Take& take) {
  try {
    return take();
  } catch (const abi::__forced_unwind&) {  // of pthread_exit(); the handler must not return
    while (true) ::pause();
  }
}

}  // namespace

Unlocked::~Unlocked() {
  take_or_wait([this] { PyEval_RestoreThread(state_); });
}

Locked::Locked() : state_(take_or_wait([] { return PyGILState_Ensure(); })) {}

}  // namespace armilla::python
