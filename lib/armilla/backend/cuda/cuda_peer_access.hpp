#pragma once

#include <armilla/backend/peer_access.hpp>

#include <memory>

namespace armilla::backend {

/// Access of the current device to memory of other processes, by CUDA IPC, with copies in a stream of its own.
std::unique_ptr<PeerAccess> make_cuda_peer_access();

}  // namespace armilla::backend
