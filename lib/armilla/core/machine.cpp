#include <armilla/core/machine.hpp>

#include <array>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <omp.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

namespace armilla::core {

namespace {

/// The value of a line "VmHWM:   1234 kB" of /proc/self/status, in bytes; -1 if there is none.
Index status_bytes(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (!line.starts_with(key + ":")) continue;
    std::istringstream rest(line.substr(key.size() + 1));
    Index kilobytes = -1;
    if (rest >> kilobytes) return kilobytes * 1024;
  }
  return -1;
}

Index rusage_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<Index>(usage.ru_maxrss) * 1024;
}

}  // namespace

Index resident_bytes() {
  const Index bytes = status_bytes("VmRSS");
  return bytes >= 0 ? bytes : rusage_bytes();
}

Index peak_resident_bytes() {
  const Index bytes = status_bytes("VmHWM");
  return bytes >= 0 ? bytes : rusage_bytes();
}

int thread_count() { return omp_get_max_threads(); }

void set_thread_count(int threads) { omp_set_num_threads(threads); }

Index second_level_cache_bytes() {
  constexpr Index kUnknown = Index{512} << 10;
#ifdef _SC_LEVEL2_CACHE_SIZE
  const Index size = ::sysconf(_SC_LEVEL2_CACHE_SIZE);
  if (size > 0) return size;
#endif
  return kUnknown;
}

std::vector<int> own_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> cpus;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
  return cpus;
}

std::string cpu_list(std::span<const int> cpus) {
  std::string list;
  for (std::size_t i = 0; i < cpus.size(); ++i) {
    const int first = cpus[i];
    while (i + 1 < cpus.size() && cpus[i + 1] == cpus[i] + 1) ++i;
    if (!list.empty()) list += ",";
    list += cpus[i] == first ? fmt::format("{}", first) : fmt::format("{}-{}", first, cpus[i]);
  }
  return list;
}

std::string binding() {
  const std::vector<int> cpus = own_cpus();
  std::string text = cpus.empty() ? "CPUs unknown" : fmt::format("{} CPUs: {}", cpus.size(), cpu_list(cpus));
  if (const char* bind = std::getenv("OMP_PROC_BIND")) text += fmt::format(", OMP_PROC_BIND={}", bind);
  return text;
}

std::string readable_bytes(Index bytes) {
  static constexpr std::array kUnits{"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < kUnits.size(); ++unit) value /= 1024;
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.1f} {}", value, kUnits[unit]);
}

}  // namespace armilla::core
