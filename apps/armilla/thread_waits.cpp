#include "thread_waits.hpp"

#include <array>
#include <cstdlib>
#include <string>

#include <unistd.h>

namespace armilla::app {

namespace {

// About 20 microseconds. Shorter limits slow transforms of less than a millisecond down on idle cores.
constexpr const char* kSpinCount = "300";

bool is_set(const char* name) { return std::getenv(name) != nullptr; }

bool is_batch_job() {
  for (const char* name : std::array{"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "PJM_JOBID", "COBALT_JOBID"})
    if (is_set(name)) return true;
  return false;
}

}  // namespace

void limit_thread_waits(char** argv) {
#if defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
  const char* threads = std::getenv("OMP_NUM_THREADS");
  if (is_set("OMP_WAIT_POLICY") || is_set("GOMP_SPINCOUNT") || is_batch_job()) return;
  if (threads != nullptr && std::string(threads) == "1") return;
  ::setenv("GOMP_SPINCOUNT", kSpinCount, 1);
  ::execv("/proc/self/exe", argv);
  // Without /proc, the program runs on with the default of GNU OpenMP.
#else
  static_cast<void>(argv);
#endif
}

}  // namespace armilla::app
