#pragma once

#include <armilla/core/types.hpp>

namespace armilla::test {

inline constexpr core::Index kMiB = core::Index{1} << 20;

}  // namespace armilla::test
