// Which call has to fail, from the environment:
//
// ARMILLA_FAULT = CALL:NUMBER:ERRNO, with CALL one of kCallNames, NUMBER from 0, and ERRNO EIO, ENOSPC, EDQUOT or
// ENOMEM. NUMBER+ means that call and all later ones. ARMILLA_FAULT_RANK = RANK: on this MPI rank (default: 0).
// ARMILLA_FAULT_PLACE = PATH: calls on files count below this folder, or on this file; a canonical path (default: all).
// ARMILLA_FAULT_BYTES = SIZE: allocations count as large from this size on (default: 65536). ARMILLA_FAULT_LOG = FILE:
// appends `fired CALL NUMBER WHAT` for each call that fails, and at the exit of each rank `count RANK` and the number
// of its calls of each kind.
#include "faults.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace armilla::test {

namespace {

struct Faults {
  int log = -1;
  std::string rank = "0";
  std::string place;
  std::size_t least_bytes = 65536;
  int call = -1;  ///< index of the one that fails, or -1
  long number = 0;
  bool lasts = false;  ///< later calls fail as well
  int error = EIO;
};

std::array<std::atomic<long>, kCallNames.size()> counts;
std::atomic<const Faults*> faults{nullptr};

std::string variable(const char* name, const char* absent) {
  const char* text = std::getenv(name);
  return text == nullptr ? absent : text;
}

int error_of(const std::string& name) {
  if (name == "EIO") return EIO;
  if (name == "ENOSPC") return ENOSPC;
  if (name == "EDQUOT") return EDQUOT;
  if (name == "ENOMEM") return ENOMEM;
  std::abort();
}

void read_fault(const std::string& text, Faults& into) {
  std::istringstream words(text);
  std::string call, number, error;
  std::getline(words, call, ':');
  std::getline(words, number, ':');
  std::getline(words, error, ':');
  const auto found = std::ranges::find(kCallNames, call);
  if (found == kCallNames.end() || number.empty()) std::abort();
  into.call = static_cast<int>(found - kCallNames.begin());
  into.lasts = number.back() == '+';
  into.number = std::stol(number);
  into.error = error_of(error);
}

__attribute__((constructor)) void begin() {
  auto* made = new Faults;
  made->log = open_log("ARMILLA_FAULT_LOG");
  if (made->log < 0) return;
  made->rank = variable("OMPI_COMM_WORLD_RANK", "0");
  made->place = variable("ARMILLA_FAULT_PLACE", "");
  made->least_bytes = std::stoul(variable("ARMILLA_FAULT_BYTES", "65536"));
  const std::string fault = variable("ARMILLA_FAULT", "");
  if (!fault.empty() && made->rank == variable("ARMILLA_FAULT_RANK", "0")) read_fault(fault, *made);
  faults = made;
}

__attribute__((destructor)) void end() {
  const Faults* own = faults.exchange(nullptr);
  if (own == nullptr) return;
  std::string line = "count " + own->rank;
  for (const auto& count : counts) line.append(1, ' ').append(std::to_string(count));
  append_line(own->log, line);
}

}  // namespace

bool is_counting() { return faults != nullptr; }

std::size_t least_bytes() { return faults.load()->least_bytes; }

int failure_of(Call call, std::string_view what) {
  const Faults* own = faults;
  if (own == nullptr) return 0;
  const auto index = static_cast<std::size_t>(call);
  const long number = counts[index]++;
  if (static_cast<int>(index) != own->call || (own->lasts ? number < own->number : number != own->number)) return 0;
  append_line(own->log, std::string("fired ")
                            .append(kCallNames[index])
                            .append(1, ' ')
                            .append(std::to_string(number))
                            .append(1, ' ')
                            .append(what));
  return own->error;
}

int failure_on(Call call, const std::string& path) {
  const Faults* own = faults;
  if (own == nullptr || !path.starts_with(own->place)) return 0;
  const bool is_in_place = path.size() == own->place.size() || path[own->place.size()] == '/';
  return is_in_place ? failure_of(call, path) : 0;
}

void append_line(int log, std::string_view line) {
  const std::string text = std::string(line) + "\n";
  // Not write(), which is counted.
  if (::syscall(SYS_write, log, text.data(), text.size()) < 0) std::abort();
}

int open_log(const char* name) {
  const char* path = std::getenv(name);
  if (path == nullptr) return -1;
  return static_cast<int>(::syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
}

}  // namespace armilla::test
