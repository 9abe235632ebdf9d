#pragma once

#include <armilla/core/types.hpp>

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace armilla::backend {

using core::Index;

/// Identifies an array of a Memory for other processes on the node.
using PeerHandle = std::array<std::byte, 64>;

/// Access of one process to arrays in the memories of others on the node: of other devices, or of the same. One caller
/// at a time.
class PeerAccess {
 public:
  virtual ~PeerAccess() = default;
  /// For an array returned by Memory::allocate. Throws ResourceError if the device does not share memory.
  virtual PeerHandle handle_of(const void* array) = 0;
  /// An array of another process, which must not release it before the result is destroyed. Throws ResourceError if
  /// this device cannot access it.
  virtual std::shared_ptr<void> open(const PeerHandle& handle) = 0;
  /// Starts a copy from this memory to an array of this process or an opened one. It runs beside all other work of the
  /// device, after earlier copies of this object. Work that writes `from` must be complete.
  virtual void copy(void* to, const void* from, Index bytes) = 0;
  /// Marks the end of the copies started so far by a number, 0, 1, .. .
  virtual void mark(std::size_t number) = 0;
  /// Whether the copies before a mark are complete. Throws ResourceError if one failed.
  virtual bool is_reached(std::size_t number) = 0;
  /// Waits for all copies. Throws ResourceError if one failed.
  virtual void wait() = 0;
};

/// Keeps arrays that other processes may have open until `is_closed` returns true. Not collective.
void release_when_closed(std::vector<std::shared_ptr<void>> arrays, std::function<bool()> is_closed);

/// Releases the arrays given to release_when_closed() that no process has open any more. Memories do so before they
/// allocate. Not collective.
void release_closed_arrays();

}  // namespace armilla::backend
