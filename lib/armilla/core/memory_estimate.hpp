#pragma once

#include <armilla/core/saturating.hpp>
#include <armilla/core/types.hpp>

#include <algorithm>

namespace armilla::core {

/// Bytes that an object takes of one memory, that of a rank or that of its device, from construction to destruction.
/// Classes with large arrays return it for their spec, without allocating anything: `Class::memory(spec)`. Sums and
/// products stop at kTooManyBytes.
struct MemoryEstimate {
  Index tables = 0;     ///< held: numbers that do not change after construction
  Index kept = 0;       ///< held: arrays that calls write to, and that stay between calls
  Index workspace = 0;  ///< on top of these while a call (or the construction) runs: the most at any time

  /// What is there between calls.
  Index held() const { return saturating_sum(tables, kept); }
  /// What is there at the most.
  Index peak() const { return saturating_sum(held(), workspace); }

  /// Of two objects that are there together and may work at the same time.
  friend MemoryEstimate operator+(const MemoryEstimate& a, const MemoryEstimate& b) {
    return {saturating_sum(a.tables, b.tables), saturating_sum(a.kept, b.kept),
            saturating_sum(a.workspace, b.workspace)};
  }
  MemoryEstimate& operator+=(const MemoryEstimate& other) { return *this = *this + other; }
  /// Of two objects that are there together and work one after the other.
  friend MemoryEstimate in_turn(const MemoryEstimate& a, const MemoryEstimate& b) {
    return {saturating_sum(a.tables, b.tables), saturating_sum(a.kept, b.kept), std::max(a.workspace, b.workspace)};
  }
  /// Of `count` equal objects.
  friend MemoryEstimate operator*(Index count, const MemoryEstimate& one) {
    return {saturating_product(count, one.tables), saturating_product(count, one.kept),
            saturating_product(count, one.workspace)};
  }
};

}  // namespace armilla::core
