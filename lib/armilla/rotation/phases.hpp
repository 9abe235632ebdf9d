#pragma once

#include <armilla/core/aligned_vector.hpp>
#include <armilla/core/types.hpp>

namespace armilla::rotation {

using core::Index;

/// exp(-i m angle), m = 0 .. lmax: what a rotation about z multiplies a_lm by. Arrays are padded to whole vectors.
struct Phases {
  core::AlignedVector<double> cosine;
  core::AlignedVector<double> minus_sine;
};

/// Further factors of m that a table of phases can carry.
enum class PhaseSign {
  kNone,
  kPairs,  ///< + + - - + + - -, from m = 0 on: the sign of the quarter turn's normalisation
};

/// Phases of a rotation by `angle` [rad] and `quarters` times pi/2, exact to 2 units in the last place at any m.
Phases make_phases(long double angle, int quarters, Index lmax, PhaseSign sign = PhaseSign::kNone);

}  // namespace armilla::rotation
