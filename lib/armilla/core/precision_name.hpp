#pragma once

#include <armilla/core/types.hpp>

namespace armilla::core {

/// "single" or "double", the names used in jobs and on command lines.
constexpr const char* precision_name(Precision precision) {
  return precision == Precision::kSingle ? "single" : "double";
}

}  // namespace armilla::core
