#pragma once

#include <armilla/core/types.hpp>

#include <complex>
#include <cstddef>
#include <functional>

namespace armilla::normal_matrix {

using core::Index;

/// Coefficients of one m of some maps: of degree l, component c and map k at numbers[l + c * component_stride +
/// k * map_stride].
template <class Number>
struct AlmOfM {
  Number* numbers;
  Index component_stride = 0;
  Index map_stride = 0;
};

/// The analysis that an iteration corrects, for a chunk of neighbouring maps after the other: given away m by m, while
/// the coefficients are in the caches.
template <class T>
class FirstAnalysis {
 public:
  /// Takes coefficients of `count` maps from `map` on, counted from the first one of the chunk.
  using Take = std::function<void(Index map, Index count, const AlmOfM<const std::complex<T>>&)>;

  virtual ~FirstAnalysis() = default;

  /// Bytes that begin() is to be lent for so many maps.
  virtual Index workspace_bytes(Index maps) const = 0;
  /// Begins with maps first .. first + count - 1; `workspace`, on cache lines, is its own until all m have been found.
  /// On all threads of the process.
  virtual void begin(Index first, Index count, std::byte* workspace) = 0;
  /// Gives the coefficients of m of these maps to `take`, some maps at a time, each once. For several threads of a
  /// parallel region at once, each with another m.
  virtual void find(Index m, const Take& take) = 0;
};

}  // namespace armilla::normal_matrix
