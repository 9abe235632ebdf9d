#pragma once

namespace armilla::transform {

/// How an iterated analysis goes through the m.
enum class RingScheme {
  kJacobi,    ///< all m see what the round before left of the map
  kImmediate  ///< each m, in ascending order, sees what the m before it left: fastSHT's scheme (Tian, Li & Liu 2022)
};

}  // namespace armilla::transform
