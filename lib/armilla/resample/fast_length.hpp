#pragma once

#include <armilla/core/types.hpp>

namespace armilla::resample {

using core::Index;

/// The least length >= `least` of the form 4 * 2^a 3^b 5^c 7^d: FFTs are fast there, and pairs of its rings pair up
/// again.
Index fast_length(Index least);

}  // namespace armilla::resample
