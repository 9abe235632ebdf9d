#pragma once

#include <armilla/core/types.hpp>

namespace armilla::core {

/// Operations of set-up whose number decides how long a plan takes. They are counted so that tests can verify the
/// number without measuring time.
enum class SetUpWork {
  kRecurrenceSteps,  ///< steps of Legendre recurrences for quadrature nodes
  kCubeRoots,        ///< cube roots for polar cuts
  kExchangePlans,    ///< exchange plans of a rank, and exchange volumes of all ranks
};
inline constexpr int kSetUpWorks = 3;

/// Adds to the count of this process. May be called by any thread.
void count_set_up(SetUpWork work, Index number = 1);

/// The count since the start of the process.
Index set_up_count(SetUpWork work);

}  // namespace armilla::core
