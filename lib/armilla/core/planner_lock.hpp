#pragma once

#include <mutex>

namespace armilla::core {

/// Held while FFTW makes or destroys a plan, or reads or writes wisdom: its planner keeps state for the whole process.
/// Executing a plan needs no lock.
std::mutex& planner_lock();

}  // namespace armilla::core
