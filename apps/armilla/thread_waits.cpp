#include "thread_waits.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include <sys/auxv.h>
#include <unistd.h>

namespace armilla::app {

namespace {

// About 50 microseconds. Shorter limits slow transforms of less than a millisecond down on idle cores, longer ones on
// busy cores.
constexpr const char* kSpinCount = "1000";

bool is_set(const char* name) { return std::getenv(name) != nullptr; }

constexpr std::array kChosenWaits{"OMP_WAIT_POLICY", "GOMP_SPINCOUNT"};
// GNU OpenMP binds the first thread before main(), so the program executed next would have the cores of this thread
// only.
constexpr std::array kBindings{"OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY"};
// Slurm, PBS, LSF, Fujitsu PJM, Cobalt, Grid Engine, Flux, OAR, HTCondor.
constexpr std::array kBatchJobs{"SLURM_JOB_ID", "PBS_JOBID",   "LSB_JOBID",  "PJM_JOBID",     "COBALT_JOBID",
                                "SGE_TASK_ID",  "FLUX_JOB_ID", "OAR_JOB_ID", "_CONDOR_JOB_AD"};

bool is_single_thread() {
  const char* threads = std::getenv("OMP_NUM_THREADS");
  return threads != nullptr && std::string_view(threads) == "1";
}

// False if the program was started as an argument of the dynamic loader, which /proc/self/exe then denotes.
bool is_own_executable() { return ::getauxval(AT_BASE) != 0; }

}  // namespace

void limit_thread_waits(char** argv) {
#if defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
  if (std::ranges::any_of(kChosenWaits, is_set) || std::ranges::any_of(kBindings, is_set) ||
      std::ranges::any_of(kBatchJobs, is_set) || is_single_thread() || !is_own_executable())
    return;
  std::error_code error;
  // Not the link itself, from which the process would take its name.
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error || ::setenv("GOMP_SPINCOUNT", kSpinCount, 1) != 0) return;
  ::execv(program.c_str(), argv);
  ::unsetenv("GOMP_SPINCOUNT");  // if execv failed, the program continues with the default of GNU OpenMP
#else
  static_cast<void>(argv);
#endif
}

}  // namespace armilla::app
