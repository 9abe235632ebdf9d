#pragma once

#include <armilla/backend/context.hpp>

namespace armilla::backend {

/// Why the CUDA backend cannot work in this build or on this machine, and what to do; empty where it can.
std::string why_cuda_unusable();

/// As device_of; of a build and a machine where CUDA can work.
Device cuda_device(const Placement& placement);

/// As device_room.
Index cuda_room(const Placement& placement);

/// A GPU: the device of the rank; several ranks share one where there are more ranks than devices.
template <class T>
std::unique_ptr<Context<T>> make_cuda_context(const Placement& placement);

}  // namespace armilla::backend
