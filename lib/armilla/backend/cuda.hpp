#pragma once

#include <armilla/backend/context.hpp>

namespace armilla::backend {

/// Why the CUDA backend cannot be used in this build or on this machine, and what to do; empty if it can.
std::string why_cuda_unusable();

/// Like device_of; requires that CUDA can be used.
Device cuda_device(const Placement& placement);

/// Like device_room.
Index cuda_room(const Placement& placement);

/// Context for the GPU of the rank.
template <class T>
std::unique_ptr<Context<T>> make_cuda_context(const Placement& placement);

}  // namespace armilla::backend
