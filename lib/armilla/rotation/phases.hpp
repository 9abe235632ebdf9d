#pragma once

#include <armilla/core/aligned_vector.hpp>
#include <armilla/core/types.hpp>

namespace armilla::rotation {

using core::Index;

/// exp(-i m angle), m = 0 .. lmax: the factors of a_lm in a rotation about z. Arrays are padded to whole vectors.
struct Phases {
  core::AlignedVector<double> cosine;
  core::AlignedVector<double> minus_sine;
};

/// Additional factors, by m, in a table of phases.
enum class PhaseSign {
  kNone,
  kPairs,  ///< + + - - + + - -, from m = 0 on: the sign of the quarter turn's normalisation
};

/// Phases of a rotation by `angle` [rad] and `quarters` times pi/2. The error is at most 2 units in the last place at
/// any m.
Phases make_phases(long double angle, int quarters, Index lmax, PhaseSign sign = PhaseSign::kNone);

}  // namespace armilla::rotation
