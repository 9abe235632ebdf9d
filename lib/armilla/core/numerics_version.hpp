#pragma once

namespace armilla::core {

/// Version of the numerics. Increase it with each change after which a step is no longer bitwise identical for the same
/// input on the same machine (a different summation order, recurrence, formula or default). Campaigns begun with an
/// earlier version are then not continued, because their outputs would be mixed. Do not increase it for changes of
/// speed, messages or formats.
inline constexpr int kNumericsVersion = 5;

}  // namespace armilla::core
