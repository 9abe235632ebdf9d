#include "phase_faults.hpp"

#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>

#include <mutex>
#include <new>
#include <thread>

#include <fmt/format.h>

namespace armilla::test {

namespace {

struct State {
  std::mutex lock;
  std::optional<PhaseFault> fault;
  PhasesSeen seen;
  std::thread::id main_thread;
  std::chrono::microseconds pause{};
};

State& state() {
  static State only;
  return only;
}

[[noreturn]] void fail(const PhaseFault& fault) {
  switch (fault.kind) {
    case FaultKind::kInput:
      throw core::InputError(fault_text(fault));
    case FaultKind::kResource:
      throw core::ResourceError(fault_text(fault));
    case FaultKind::kBadAlloc:
      throw std::bad_alloc();
    case FaultKind::kInternal:
      break;
  }
  throw core::InternalError(fault_text(fault));
}

void count_phase(comm::PhaseMoment /*moment*/, const char* file, int line) {
  State& all = state();
  std::optional<PhaseFault> now;
  std::chrono::microseconds pause{};
  {
    const std::lock_guard guard(all.lock);
    const auto thread = std::this_thread::get_id() == all.main_thread ? PhaseThread::kMain : PhaseThread::kFiles;
    if (thread == PhaseThread::kMain) pause = all.pause;
    auto& calls = all.seen.calls[static_cast<std::size_t>(thread)];
    calls.push_back(fmt::format("{}:{}", file, line));
    if (all.fault && all.fault->thread == thread && all.fault->number + 1 == static_cast<int>(calls.size())) {
      now = all.fault;
      all.seen.fault_at = calls.back();
    }
  }
  if (now) fail(*now);
  if (pause.count() > 0) std::this_thread::sleep_for(pause);
}

}  // namespace

void start_phase_faults(const std::optional<PhaseFault>& fault, std::chrono::microseconds pause) {
  State& all = state();
  const std::lock_guard guard(all.lock);
  all.fault = fault;
  all.pause = pause;
  all.seen = {};
  all.main_thread = std::this_thread::get_id();
  comm::set_phase_hook(count_phase);
}

PhasesSeen phases_seen() {
  State& all = state();
  const std::lock_guard guard(all.lock);
  return all.seen;
}

std::string fault_text(const PhaseFault& fault) {
  return fmt::format("injected fault, thread {}, number {}", static_cast<int>(fault.thread), fault.number);
}

}  // namespace armilla::test
