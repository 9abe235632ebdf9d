#include <armilla/core/error.hpp>

#include <cstring>

#include <kernels/core/arena_emulated.hpp>
#include <kernels/core/device.hpp>
#include <kernels/core/emulated_stream.hpp>
#include <kernels/core/emulation.hpp>
#include <kernels/core/peer_memory.hpp>

namespace armilla::kernels {

static_assert(sizeof(EmulatedArena::Shared) <= sizeof(PeerHandle));

PeerHandle peer_handle(const void* array) {
  refuse_while_recording("sharing memory with other processes");
  const EmulatedArena::Shared shared = EmulatedArena::get().share(array);
  PeerHandle handle;
  std::memcpy(handle.bytes.data(), &shared, sizeof(shared));
  return handle;
}

PeerArray::PeerArray(const PeerHandle& handle) {
  refuse_while_recording("opening memory of another process");
  if (!emulation().opens_peers)
    throw core::ResourceError(
        "CUDA: opening memory of another process failed: the emulated device was told not to do so");
  EmulatedArena::Shared shared;
  std::memcpy(&shared, handle.bytes.data(), sizeof(shared));
  address_ = {EmulatedArena::get().open(shared, current_device()), Close{current_device()}};
}

void PeerArray::Close::operator()(void* address) const {
  set_device(device);
  finish_all_streams();
  EmulatedArena::get().release(address);
}

}  // namespace armilla::kernels
