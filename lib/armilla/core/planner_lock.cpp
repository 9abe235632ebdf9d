#include <armilla/core/planner_lock.hpp>

namespace armilla::core {

std::mutex& planner_lock() {
  static std::mutex lock;
  return lock;
}

}  // namespace armilla::core
