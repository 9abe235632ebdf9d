#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

namespace armilla::kernels {

/// The memory of the emulated device, mapped twice: host code knows the addresses of a mapping without access rights,
/// and kernels use the other one (core::DeviceWindow). Host code that dereferences a device pointer crashes, as it
/// would with a device. Each allocation is filled with NaN and lies at the end of its pages, followed by a guard page;
/// freed memory is inaccessible.
class EmulatedArena {
 public:
  /// One to a process. Throws ResourceError where the machine has no room for the mappings.
  static EmulatedArena& get();

  /// As aligned as cudaMalloc's. Throws ResourceError where there is no room.
  void* allocate(std::size_t bytes);
  /// Throws InternalError for what allocate() did not return.
  void release(void* address);

  std::uintptr_t begin() const { return begin_; }
  std::uintptr_t end() const { return begin_ + kBytes; }
  std::uintptr_t shift() const { return shift_; }

 private:
  /// Address space, not memory; freed addresses are reused as late as possible.
  static constexpr std::size_t kBytes = std::size_t{1} << 36;

  EmulatedArena();
  std::size_t find_place(std::size_t bytes);

  int file_;
  std::uintptr_t begin_;
  std::uintptr_t shift_;
  std::size_t page_;
  std::mutex lock_;
  std::map<std::size_t, std::size_t> blocks_;  ///< bytes, whole pages, by offset
  std::size_t next_;                           ///< offset behind the newest block
};

}  // namespace armilla::kernels
