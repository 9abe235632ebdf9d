#pragma once

#include <armilla/core/types.hpp>

namespace armilla::backend {

using core::Index;

/// Columns that go through the steps of resampling on a device at once: as many as make 32 MiB of `length` numbers
/// each, which stay in the cache of a large device from step to step.
Index regular_chunk(Index length);

/// The same, or less where `work_bytes` do not hold them. Throws ResourceError where they do not hold one.
Index columns_of_chunk(Index length, Index bytes_per_column, Index work_bytes);

}  // namespace armilla::backend
