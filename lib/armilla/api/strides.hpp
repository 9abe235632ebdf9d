#pragma once

#include <armilla/core/types.hpp>

#include <optional>

namespace armilla {

/// Places of values in an array of the caller, in units of values: value i of component c of map k is at k * map + c *
/// component + i * index. Without a value, maps and components follow each other without gaps: [map][component][i].
struct Strides {
  std::optional<core::Index> map = {};        ///< from one map to the next
  std::optional<core::Index> component = {};  ///< from one component to the next
  core::Index index = 1;                      ///< from one pixel or coefficient to the next
};

}  // namespace armilla
