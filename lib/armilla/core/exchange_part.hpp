#pragma once

#include <armilla/core/types.hpp>

#include <vector>

namespace armilla::core {

/// One part of an all-to-all, in complex numbers: what a rank has for each rank on the one side, and of each rank on
/// the other. Forward it goes from `here` to `there`, backward the other way.
struct ExchangePart {
  std::vector<Index> here_counts, here_displacements;    ///< [rank]
  std::vector<Index> there_counts, there_displacements;  ///< [rank]
};

}  // namespace armilla::core
