#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>

namespace armilla::core {

/// Type of all global and local indices, counts and offsets: 64 bits, sufficient for any map or exchange.
using Index = std::int64_t;

/// Converts an index to the subscript of a container.
constexpr std::size_t at(Index i) { return static_cast<std::size_t>(i); }

/// Consecutive indices.
struct IndexRange {
  Index first;  ///< the first one
  Index count;  ///< their number
};

/// Location of a buffer.
enum class MemorySpace { kHost, kDevice };

/// Floating-point format of fields in memory and of datasets in files.
enum class Precision { kSingle, kDouble };

/// The format of float or double.
template <class T>
inline constexpr Precision kPrecisionOf = sizeof(T) == 4 ? Precision::kSingle : Precision::kDouble;

/// The ratio of a circle's circumference to its diameter.
inline constexpr double kPi = 3.14159265358979323846;

}  // namespace armilla::core
