#include <armilla/core/set_up_count.hpp>

#include <array>
#include <atomic>

namespace armilla::core {

namespace {

std::atomic<Index>& counter(SetUpWork work) {
  static std::array<std::atomic<Index>, kSetUpWorks> counters{};
  return counters[static_cast<std::size_t>(work)];
}

}  // namespace

void count_set_up(SetUpWork work, Index number) { counter(work).fetch_add(number, std::memory_order_relaxed); }

Index set_up_count(SetUpWork work) { return counter(work).load(std::memory_order_relaxed); }

}  // namespace armilla::core
