#pragma once

#include <armilla/core/types.hpp>

#include <span>
#include <string>
#include <vector>

/// What this process sees of the machine that it runs on.
namespace armilla::core {

/// Bytes of memory that are resident now, and the most that ever were (Linux: VmRSS, VmHWM; elsewhere getrusage for
/// both).
Index resident_bytes();
Index peak_resident_bytes();

/// OpenMP threads that a parallel region gets.
int thread_count();
/// For the threads of this process from now on.
void set_thread_count(int threads);

/// Numbers of the CPUs that this process may run on, ascending; empty if the system does not say.
std::vector<int> own_cpus();
/// "0-3,8" for ascending numbers of CPUs.
std::string cpu_list(std::span<const int> cpus);
/// CPUs that this process may run on, such as "4 CPUs: 0-3", with OMP_PROC_BIND where it is set.
std::string binding();

/// "1.5 GiB" and its like.
std::string readable_bytes(Index bytes);

}  // namespace armilla::core
