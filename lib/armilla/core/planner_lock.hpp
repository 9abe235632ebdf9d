#pragma once

#include <mutex>

namespace armilla::core {

/// Hold this while FFTW creates or destroys a plan, because its planner has process-wide state. Executing a plan needs
/// no lock.
std::mutex& planner_lock();

}  // namespace armilla::core
