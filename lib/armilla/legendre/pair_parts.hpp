#pragma once

#include <armilla/legendre/task.hpp>

#include <vector>

namespace armilla::legendre {

/// Spins up to this use the scalar recurrence, higher spins the Wigner recurrence.
inline constexpr Index kMaxScalarSpin = 3;

/// Pairs of a task from the pole to the equator, by recurrence (ScalarTables). Each part ends where the next begins.
/// All pairs of spins above kMaxScalarSpin use the Wigner recurrence.
struct PairParts {
  Index wigner = 0;  ///< Wigner recurrence
  Index polar = 0;   ///< two terms in -sin^2
  Index square = 0;  ///< two terms in cos^2
  Index end = 0;     ///< the equator form

  explicit PairParts(const Task& task);
};

/// Factors of the two halves of Delta [pair]: each is divided by sin^s, and the odd half is multiplied by cos.
struct HalfFactors {
  std::vector<double> even, odd;

  explicit HalfFactors(const Task& task);
};

}  // namespace armilla::legendre
