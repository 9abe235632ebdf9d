#include "call_guard.hpp"

#include <armilla/core/error.hpp>
#include <armilla/core/machine.hpp>

#include <unistd.h>

namespace armilla::python {

namespace {

std::atomic<pid_t> first_process = 0;  // whose call used threads, devices or MPI

}  // namespace

void check_process(Uses uses) {
  const pid_t self = ::getpid();
  const pid_t first = first_process;
  if (first != 0 && first != self)
    throw core::InputError(
        "this process was forked after Armilla had started threads, which do not exist in it: create processes by "
        "multiprocessing.get_context('spawn') or 'forkserver', or call Armilla before the fork with one thread only");
  if (uses == Uses::kThreadsOrDevices) first_process = self;
}

Uses uses_of(int threads, int ranks, int device) {
  return (threads > 0 ? threads : core::thread_count()) > 1 || ranks > 1 || device >= 0 ? Uses::kThreadsOrDevices
                                                                                        : Uses::kOneThread;
}

CallGuard::CallGuard(std::atomic<bool>& is_busy, Uses uses) : is_busy_(is_busy) {
  check_process(uses);
  if (is_busy.exchange(true))
    throw core::InputError("another thread is using this object: give each thread a transform of its own");
}

}  // namespace armilla::python
