#pragma once

namespace armilla::core {

/// Version of the numerics: raise it with each change after which any step gives other bits for the same input on the
/// same machine (another order of a sum, another recurrence, a corrected formula, another default). Campaigns that were
/// begun before are then not continued, as their outputs would be of two kinds. Changes of speed, messages or formats
/// leave it alone.
inline constexpr int kNumericsVersion = 2;

}  // namespace armilla::core
