#pragma once

#include <armilla/core/saturating.hpp>
#include <armilla/core/types.hpp>

#include <algorithm>

namespace armilla::core {

/// Bytes that an object uses in one memory (host memory of a rank, or memory of its device) from construction to
/// destruction. Classes with large arrays return it for a spec, without allocating memory: `Class::memory(spec)`. Sums
/// and products saturate at kTooManyBytes.
struct MemoryEstimate {
  Index tables = 0;     ///< held: data that do not change after construction
  Index kept = 0;       ///< held: arrays that calls write, and that persist between calls
  Index workspace = 0;  ///< in addition during a call or the construction: the peak

  /// Bytes between calls.
  Index held() const { return saturating_sum(tables, kept); }
  /// Peak bytes.
  Index peak() const { return saturating_sum(held(), workspace); }

  /// For two objects that coexist and may be active at the same time.
  friend MemoryEstimate operator+(const MemoryEstimate& a, const MemoryEstimate& b) {
    return {saturating_sum(a.tables, b.tables), saturating_sum(a.kept, b.kept),
            saturating_sum(a.workspace, b.workspace)};
  }
  MemoryEstimate& operator+=(const MemoryEstimate& other) { return *this = *this + other; }
  /// For two objects that coexist and are active one after the other.
  friend MemoryEstimate in_turn(const MemoryEstimate& a, const MemoryEstimate& b) {
    return {saturating_sum(a.tables, b.tables), saturating_sum(a.kept, b.kept), std::max(a.workspace, b.workspace)};
  }
  /// For `count` equal objects.
  friend MemoryEstimate operator*(Index count, const MemoryEstimate& one) {
    return {saturating_product(count, one.tables), saturating_product(count, one.kept),
            saturating_product(count, one.workspace)};
  }
};

}  // namespace armilla::core
