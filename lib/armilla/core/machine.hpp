#pragma once

#include <armilla/core/types.hpp>

#include <span>
#include <string>
#include <vector>

/// Properties of the machine as seen by this process.
namespace armilla::core {

/// Present and peak resident memory in bytes (Linux: VmRSS, VmHWM; elsewhere getrusage for both).
Index resident_bytes();
Index peak_resident_bytes();

/// Number of OpenMP threads of a parallel region.
int thread_count();
/// Sets the number of threads of the process.
void set_thread_count(int threads);

/// Sets the number of threads during its lifetime, unless `threads` is 0.
class ThreadScope {
 public:
  explicit ThreadScope(int threads) : before_(thread_count()) {
    if (threads > 0) set_thread_count(threads);
  }
  ~ThreadScope() { set_thread_count(before_); }
  ThreadScope(const ThreadScope&) = delete;
  ThreadScope& operator=(const ThreadScope&) = delete;

 private:
  int before_;
};

/// Size of the second-level cache of a core in bytes; 512 KiB if the system does not report it.
Index second_level_cache_bytes();

/// Numbers of the CPUs on which this process may run, ascending; empty if the system does not report them.
std::vector<int> own_cpus();
/// The text "0-3,8" for ascending numbers of CPUs.
std::string cpu_list(std::span<const int> cpus);
/// CPUs on which this process may run, such as "4 CPUs: 0-3", with OMP_PROC_BIND if it is set.
std::string binding();

/// Human-readable, such as "1.5 GiB".
std::string readable_bytes(Index bytes);

}  // namespace armilla::core
