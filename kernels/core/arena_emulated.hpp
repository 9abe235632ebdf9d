#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

namespace armilla::kernels {

/// The memory of the emulated device, mapped twice: host code gets addresses in a mapping without access rights, and
/// kernels use the other one (core::DeviceWindow). Host code that dereferences a device pointer crashes, as it would
/// with a device. Each allocation is filled with NaN and placed at the end of its pages, followed by a guard page;
/// freed memory is inaccessible.
class EmulatedArena {
 public:
  /// One per process. Throws ResourceError if the mappings cannot be created.
  static EmulatedArena& get();

  /// For a device, aligned like memory from cudaMalloc. Throws ResourceError if there is no space.
  void* allocate(std::size_t bytes, int device);
  /// Where other processes find an allocation.
  struct Shared {
    int process;
    int file;            ///< descriptor of that process
    std::size_t offset;  ///< in the file
    std::size_t bytes;
  };
  /// For the first address of an allocation. Throws ResourceError for others.
  Shared share(const void* address);
  /// Maps an allocation of another process, for a device of this one. Throws ResourceError if it cannot be accessed.
  void* open(const Shared& shared, int device);
  /// The device for which the memory at an address was allocated or opened; -1 if none was.
  int device_of(const void* address);
  /// Throws InternalError for addresses not returned by allocate() or open().
  void release(void* address);

  std::uintptr_t begin() const { return begin_; }
  std::uintptr_t end() const { return begin_ + kBytes; }
  std::uintptr_t shift() const { return shift_; }

 private:
  /// Size of the address space, not of memory; freed addresses are reused as late as possible.
  static constexpr std::size_t kBytes = std::size_t{1} << 36;

  struct Block {
    std::size_t bytes;  ///< whole pages
    int device;
    std::size_t begin;      ///< of the array in the block
    bool is_peers = false;  ///< whether it is memory of another process
  };

  EmulatedArena();
  std::size_t find_place(std::size_t bytes);
  /// Maps bytes of a file at an offset of this memory.
  void place(std::size_t offset, std::size_t bytes, int file, std::size_t begin);

  int file_;
  std::uintptr_t begin_;
  std::uintptr_t shift_;
  std::size_t page_;
  std::mutex lock_;
  std::map<std::size_t, Block> blocks_;  ///< by offset
  std::size_t next_;                     ///< end of the newest block
};

}  // namespace armilla::kernels
