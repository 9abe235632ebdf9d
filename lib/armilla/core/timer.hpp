#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace armilla::core {

/// Wall-clock seconds since an arbitrary start.
inline double now_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Seconds and calls for each named phase of one rank, in order of first use.
class PhaseTimers {
 public:
  struct Entry {
    std::string name;
    double seconds = 0;
    long calls = 0;
  };

  void add(const std::string& name, double seconds) {
    for (auto& entry : entries_) {
      if (entry.name == name) {
        entry.seconds += seconds;
        ++entry.calls;
        return;
      }
    }
    entries_.push_back({name, seconds, 1});
  }
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;
};

/// Adds its lifetime to a phase. `timers` must outlive this object.
class ScopedPhase {
 public:
  ScopedPhase(PhaseTimers& timers, std::string name) : timers_(timers), name_(std::move(name)), start_(now_seconds()) {}
  ~ScopedPhase() { timers_.add(name_, now_seconds() - start_); }
  ScopedPhase(const ScopedPhase&) = delete;
  ScopedPhase& operator=(const ScopedPhase&) = delete;

 private:
  PhaseTimers& timers_;
  std::string name_;
  double start_;
};

}  // namespace armilla::core
