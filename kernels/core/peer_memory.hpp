#pragma once

#include <armilla/core/types.hpp>

#include <array>
#include <cstddef>
#include <memory>

namespace armilla::kernels {

using core::Index;

/// Identifies an array in the memory of a device for other processes on the node.
struct PeerHandle {
  std::array<std::byte, 64> bytes = {};
};

/// The handle of an array of the current device, from its first address (DeviceBuffer::data). Throws ResourceError if
/// the device does not share memory.
PeerHandle peer_handle(const void* array);

/// An array of another process, also on another device, in the addresses of the current device. Move only. That process
/// must not release the array before this object is destroyed.
class PeerArray {
 public:
  PeerArray() = default;
  /// Throws ResourceError if the current device cannot access that memory. The process must not be this one.
  explicit PeerArray(const PeerHandle& handle);

  void* address() const { return address_.get(); }

 private:
  struct Close {
    int device;
    void operator()(void* address) const;
  };
  std::unique_ptr<void, Close> address_;
};

}  // namespace armilla::kernels
