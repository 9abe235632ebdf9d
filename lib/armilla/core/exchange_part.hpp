#pragma once

#include <armilla/core/types.hpp>

#include <vector>

namespace armilla::core {

/// One part of an all-to-all, in complex values: the data of a rank for each rank on one side, and from each rank on
/// the other side. Forward, data are sent from `here` to `there`; backward, in the opposite direction.
struct ExchangePart {
  std::vector<Index> here_counts, here_displacements;    ///< [rank]
  std::vector<Index> there_counts, there_displacements;  ///< [rank]
};

}  // namespace armilla::core
