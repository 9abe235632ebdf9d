#include <armilla/core/error.hpp>

#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <kernels/core/emulated_memory.hpp>
#include <sys/mman.h>
#include <unistd.h>

namespace armilla::kernels {

namespace {

constexpr int kPoison = 0xff;

[[noreturn]] void refuse(const char* what) {
  throw core::ResourceError(
      fmt::format("the emulated device has no memory: {} failed: {}", what, std::strerror(errno)));
}

std::uintptr_t map(std::size_t bytes, int file) {
  void* address = mmap(nullptr, bytes, PROT_NONE, MAP_SHARED | MAP_NORESERVE, file, 0);
  if (address == MAP_FAILED) refuse("mmap");
  return reinterpret_cast<std::uintptr_t>(address);
}

}  // namespace

EmulatedMemory& EmulatedMemory::get() {
  // Never destroyed: buffers of static duration may outlive any other object.
  static auto* memory = new EmulatedMemory;
  return *memory;
}

EmulatedMemory::EmulatedMemory()
    : file_(memfd_create("armilla-emulated-device", MFD_CLOEXEC)),
      page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
  if (file_ < 0) refuse("memfd_create");
  if (ftruncate(file_, static_cast<off_t>(kBytes)) != 0) refuse("ftruncate");
  begin_ = map(kBytes, file_);
  shift_ = map(kBytes, file_) - begin_;
}

// The first gap behind the newest block, or else the first of all, with a page to spare on either side.
std::size_t EmulatedMemory::find_place(std::size_t bytes) {
  const auto search = [&](std::size_t from, std::size_t to) {
    std::size_t place = from;
    for (auto block = blocks_.lower_bound(from); block != blocks_.end() && block->first < to; ++block) {
      if (place + bytes + page_ <= block->first) return place;
      place = block->first + block->second + page_;
    }
    return place + bytes + page_ <= to ? place : kBytes;
  };
  const std::size_t place = search(next_, kBytes);
  return place < kBytes ? place : search(page_, kBytes);
}

void* EmulatedMemory::allocate(std::size_t bytes) {
  const std::lock_guard guard(lock_);
  const std::size_t whole = (bytes + page_ - 1) / page_ * page_;
  const std::size_t offset = find_place(whole);
  if (offset >= kBytes) throw core::ResourceError("the emulated device has no addresses left");
  auto* there = reinterpret_cast<void*>(begin_ + offset);
  auto* host = reinterpret_cast<void*>(begin_ + shift_ + offset);
  if (mprotect(host, whole, PROT_READ | PROT_WRITE) != 0) refuse("mprotect");
  std::memset(host, kPoison, whole);
  blocks_[offset] = whole;
  next_ = offset + whole + page_;
  return there;
}

void EmulatedMemory::release(void* address) {
  const std::lock_guard guard(lock_);
  const std::size_t offset = reinterpret_cast<std::uintptr_t>(address) - begin_;
  const auto block = blocks_.find(offset);
  if (block == blocks_.end()) throw core::InternalError("memory given back that the emulated device does not have");
  mprotect(reinterpret_cast<void*>(begin_ + shift_ + offset), block->second, PROT_NONE);
  fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset),
            static_cast<off_t>(block->second));
  blocks_.erase(block);
}

}  // namespace armilla::kernels
