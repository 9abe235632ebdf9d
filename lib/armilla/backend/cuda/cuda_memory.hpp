#pragma once

#include <armilla/backend/memory.hpp>

#include <kernels/core/stream.hpp>

namespace armilla::backend {

/// The device memory of a stream, with copies and arithmetic in that stream. Any thread may use it, one at a time.
std::shared_ptr<Memory> make_cuda_memory(std::shared_ptr<const kernels::Stream> stream);

}  // namespace armilla::backend
