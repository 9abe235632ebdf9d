// Makes `armilla` with this source in it, a program of tests, fail in one phase of one rank, or be slow.
//
// ARMILLA_TRIAL_FAULT = RANK:THREAD:NUMBER:KIND, with THREAD main or files, KIND input, resource, internal or
// bad_alloc, and NUMBER that of PhaseFault. ARMILLA_TRIAL_COUNT = FILE: each rank writes how often its hook was called,
// main thread first, to FILE.RANK at its end. ARMILLA_TRIAL_PAUSE = MICROSECONDS: the main thread waits so long at each
// call of the hook, so that a run lasts for at least a given time on any machine.
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "phase_faults.hpp"

namespace armilla::test {
namespace {

std::string variable(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? "" : text;
}

std::string own_rank_text() {
  const std::string rank = variable("OMPI_COMM_WORLD_RANK");
  return rank.empty() ? "0" : rank;
}

std::optional<PhaseFault> fault_asked_for() {
  std::istringstream text(variable("ARMILLA_TRIAL_FAULT"));
  std::string rank, thread, number, kind;
  std::getline(text, rank, ':');
  std::getline(text, thread, ':');
  std::getline(text, number, ':');
  std::getline(text, kind, ':');
  if (rank.empty() || rank != own_rank_text()) return std::nullopt;
  const std::map<std::string, FaultKind> kinds{{"input", FaultKind::kInput},
                                               {"resource", FaultKind::kResource},
                                               {"internal", FaultKind::kInternal},
                                               {"bad_alloc", FaultKind::kBadAlloc}};
  return PhaseFault{thread == "files" ? PhaseThread::kFiles : PhaseThread::kMain, std::stoi(number), kinds.at(kind)};
}

void write_count() {
  const PhasesSeen seen = phases_seen();
  std::ofstream(variable("ARMILLA_TRIAL_COUNT") + "." + own_rank_text())
      << seen.calls[0].size() << " " << seen.calls[1].size() << "\n";
}

[[maybe_unused]] const bool kStarted = [] {
  const std::string pause = variable("ARMILLA_TRIAL_PAUSE");
  start_phase_faults(fault_asked_for(), std::chrono::microseconds(pause.empty() ? 0 : std::stol(pause)));
  if (!variable("ARMILLA_TRIAL_COUNT").empty()) std::atexit(write_count);
  return true;
}();

}  // namespace
}  // namespace armilla::test
