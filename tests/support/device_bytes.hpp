#pragma once

#include <armilla/backend/peer_access.hpp>
#include <armilla/comm/communicator.hpp>

#include <kernels/core/device.hpp>

namespace armilla::test {

/// Collective. Bytes that this rank holds on its device, without arrays that other ranks had open until now.
inline core::Index device_bytes_held(const comm::Communicator& comm) {
  comm.barrier();
  backend::release_closed_arrays();
  return kernels::device_usage().held;
}

}  // namespace armilla::test
