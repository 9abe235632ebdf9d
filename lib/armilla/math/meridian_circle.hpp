#pragma once

#include <armilla/core/types.hpp>

namespace armilla::math {

/// Equidistant points of a circle through both poles: colatitudes (2 i + shift) pi / points, i = 0 .. points - 1. A
/// value t above pi means colatitude 2 pi - t on the opposite meridian. There is no circle if points = 0.
struct MeridianCircle {
  core::Index points = 0;  ///< of the whole circle
  int shift = 0;           ///< of the first point, in half spacings from the north pole
  core::Index degree = 0;  ///< the highest degree that the rings on it determine
};

}  // namespace armilla::math
