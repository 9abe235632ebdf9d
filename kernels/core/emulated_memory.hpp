#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

namespace armilla::kernels {

/// The memory of the emulated device. It is mapped twice: the host knows the addresses of the one mapping, which nobody
/// can read, and kernels read and write the other one (core::DeviceWindow). So host code that dereferences a device
/// pointer crashes, as it would with a device. Each allocation ends with pages that nobody can read, and is full of
/// what is not a number; memory that was given back cannot be read either.
class EmulatedMemory {
 public:
  /// One to a process. Throws ResourceError where the machine has no room for the mappings.
  static EmulatedMemory& get();

  /// As aligned as cudaMalloc's. Throws ResourceError where there is no room.
  void* allocate(std::size_t bytes);
  /// Throws InternalError for what allocate() did not return.
  void release(void* address);

  std::uintptr_t begin() const { return begin_; }
  std::uintptr_t end() const { return begin_ + kBytes; }
  std::uintptr_t shift() const { return shift_; }

 private:
  /// Addresses, not memory: what was given back is used again as late as may be.
  static constexpr std::size_t kBytes = std::size_t{1} << 36;

  EmulatedMemory();
  std::size_t find_place(std::size_t bytes);

  int file_;
  std::uintptr_t begin_;
  std::uintptr_t shift_;
  std::size_t page_;
  std::mutex lock_;
  std::map<std::size_t, std::size_t> blocks_;  ///< bytes, whole pages, by offset
  std::size_t next_ = 0;                       ///< offset behind the newest block
};

}  // namespace armilla::kernels
