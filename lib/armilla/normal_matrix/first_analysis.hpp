#pragma once

#include <armilla/core/types.hpp>

#include <complex>
#include <cstddef>
#include <functional>

namespace armilla::normal_matrix {

using core::Index;

/// Coefficients of one m of some maps: (l, component c, map k) is at numbers[l + c * component_stride + k *
/// map_stride].
template <class Number>
struct AlmOfM {
  Number* numbers;
  Index component_stride = 0;
  Index map_stride = 0;
};

/// The analysis corrected by an iteration, for consecutive chunks of maps. Coefficients are passed on m by m, while
/// they are in the caches.
template <class T>
class FirstAnalysis {
 public:
  /// Receives coefficients of `count` maps starting at `map`, counted from the first one of the chunk.
  using Take = std::function<void(Index map, Index count, const AlmOfM<const std::complex<T>>&)>;

  virtual ~FirstAnalysis() = default;

  /// Bytes that must be lent to begin() for this number of maps.
  virtual Index workspace_bytes(Index maps) const = 0;
  /// Starts the analysis of maps first .. first + count - 1. It uses `workspace`, aligned to cache lines, until all m
  /// have been computed. Runs on all threads of the process.
  virtual void begin(Index first, Index count, std::byte* workspace) = 0;
  /// Passes the coefficients of m of these maps to `take`, some maps at a time, each once. Several threads of a
  /// parallel region may call this, each with a different m.
  virtual void find(Index m, const Take& take) = 0;
};

}  // namespace armilla::normal_matrix
