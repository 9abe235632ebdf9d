#pragma once

#include <armilla/legendre/task.hpp>

#include <vector>

namespace armilla::legendre {

/// Spins up to this go through the scalar recurrence, all above through the Wigner recurrence.
inline constexpr Index kMaxScalarSpin = 3;

/// Pairs of a task from the pole to the equator, by the recurrence that they take (ScalarTables); each part ends where
/// the next begins. All pairs of spins above kMaxScalarSpin take the Wigner recurrence.
struct PairParts {
  Index wigner = 0;  ///< Wigner recurrence
  Index polar = 0;   ///< two terms in -sin^2
  Index square = 0;  ///< two terms in cos^2
  Index end = 0;     ///< the equator's form

  explicit PairParts(const Task& task);
};

/// Factors of the two halves of Delta [pair]: each is divided by sin^s, the odd one multiplied by cos.
struct HalfFactors {
  std::vector<double> even, odd;

  explicit HalfFactors(const Task& task);
};

}  // namespace armilla::legendre
