#pragma once

#include <armilla/backend/array_ops.hpp>
#include <armilla/backend/peer_access.hpp>
#include <armilla/core/types.hpp>

#include <memory>
#include <tuple>

namespace armilla::backend {

using core::Index;

/// The memory in which a backend computes. One caller at a time.
class Memory {
 public:
  virtual ~Memory() = default;
  virtual core::MemorySpace space() const = 0;
  /// The CUDA device index; -1 for the host. Memories of the same device are interchangeable.
  virtual int device() const = 0;
  /// The device whose memory has an address, for addresses of the program; -1 for host memory.
  virtual int device_of(const void* address) const = 0;
  /// Allocates bytes in this memory, aligned for any type, or in host memory with fast copies to and from it; not
  /// initialised. Throws ResourceError or std::bad_alloc if they do not fit.
  virtual std::shared_ptr<void> allocate(Index bytes) = 0;
  virtual std::shared_ptr<void> allocate_host(Index bytes) = 0;
  /// Copies between host memory and this memory; complete on return.
  virtual void to_host(void* host, const void* there, Index bytes) = 0;
  virtual void from_host(void* there, const void* host, Index bytes) = 0;
  /// Access to memory of other processes on the node; null for the host. Throws ResourceError.
  virtual std::unique_ptr<PeerAccess> make_peer_access() { return nullptr; }
  /// Arithmetic on arrays of T in this memory, with the lifetime of this memory. T is float or double.
  template <class T>
  const ArrayOps<T>& ops() const {
    return *std::get<const ArrayOps<T>*>(all_ops());
  }

 protected:
  using AllOps = std::tuple<const ArrayOps<float>*, const ArrayOps<double>*>;

 private:
  virtual AllOps all_ops() const = 0;
};

/// Throws InputError unless `bytes` of the program at `address` are in a memory, aligned to `alignment`; 0 bytes may be
/// anywhere. Finds memory of the host or another device, but not every array that is too short.
void check_lent(const Memory& memory, const void* address, Index bytes, Index alignment);

/// The memory of the host.
std::shared_ptr<Memory> host_memory();

}  // namespace armilla::backend
