#pragma once

#include <armilla/core/types.hpp>

namespace armilla::math {

/// Equidistant points of a circle through both poles: colatitudes (2 i + shift) pi / points, i = 0 .. points - 1, those
/// above pi standing for 2 pi less them on the other side of the pole. No circle where points = 0.
struct MeridianCircle {
  core::Index points = 0;  ///< of the whole circle
  int shift = 0;           ///< of the first one, in half distances from the north pole
};

}  // namespace armilla::math
