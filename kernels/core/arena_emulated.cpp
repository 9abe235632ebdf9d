#include <armilla/core/error.hpp>

#include <cerrno>
#include <cstring>
#include <iterator>

#include <fcntl.h>
#include <fmt/format.h>
#include <kernels/core/arena_emulated.hpp>
#include <kernels/core/poison.hpp>
#include <sys/mman.h>
#include <unistd.h>

namespace armilla::kernels {

namespace {

constexpr std::size_t kAlignment = 256;

std::size_t rounded(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

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

EmulatedArena& EmulatedArena::get() {
  // Never destroyed, because buffers with static lifetime may outlive any other object.
  static auto* memory = new EmulatedArena;
  return *memory;
}

EmulatedArena::EmulatedArena()
    : file_(memfd_create("armilla-emulated-device", MFD_CLOEXEC)),
      page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))),
      next_(page_) {
  if (file_ < 0) refuse("memfd_create");
  if (ftruncate(file_, static_cast<off_t>(kBytes)) != 0) refuse("ftruncate");
  begin_ = map(kBytes, file_);
  shift_ = map(kBytes, file_) - begin_;
}

// Returns the first gap after the newest block, otherwise the first gap of all, with a spare page on either side.
std::size_t EmulatedArena::find_place(std::size_t bytes) {
  const auto search = [&](std::size_t from, std::size_t to) {
    std::size_t place = from;
    for (auto block = blocks_.lower_bound(from); block != blocks_.end() && block->first < to; ++block) {
      if (place + bytes + page_ <= block->first) return place;
      place = block->first + block->second.bytes + page_;
    }
    return place + bytes + page_ <= to ? place : kBytes;
  };
  const std::size_t place = search(next_, kBytes);
  return place < kBytes ? place : search(page_, kBytes);
}

void* EmulatedArena::allocate(std::size_t bytes, int device) {
  const std::lock_guard guard(lock_);
  const std::size_t whole = rounded(bytes, page_);
  const std::size_t offset = find_place(whole);
  if (offset >= kBytes) throw core::ResourceError("the emulated device has no addresses left");
  auto* host = reinterpret_cast<void*>(begin_ + shift_ + offset);
  if (mprotect(host, whole, PROT_READ | PROT_WRITE) != 0) refuse("mprotect");
  std::memset(host, kPoisonByte, whole);
  const std::size_t begin = whole - rounded(bytes, kAlignment);
  blocks_[offset] = {whole, device, begin};
  next_ = offset + whole + page_;
  return reinterpret_cast<void*>(begin_ + offset + begin);
}

EmulatedArena::Shared EmulatedArena::share(const void* address) {
  const std::lock_guard guard(lock_);
  const std::size_t offset = reinterpret_cast<std::uintptr_t>(address) - begin_;
  const auto next = blocks_.upper_bound(offset);
  if (next == blocks_.begin() || std::prev(next)->second.is_peers ||
      std::prev(next)->first + std::prev(next)->second.begin != offset)
    throw core::ResourceError("CUDA: sharing memory failed: it is not the first address of an allocation");
  const auto& [begin, block] = *std::prev(next);
  return {getpid(), file_, offset, block.bytes - block.begin};
}

void* EmulatedArena::open(const Shared& shared, int device) {
  if (shared.process == getpid()) throw core::ResourceError("CUDA: memory of this process cannot be opened");
  const int file = ::open(fmt::format("/proc/{}/fd/{}", shared.process, shared.file).c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) refuse("opening that of another process");
  const std::lock_guard guard(lock_);
  const std::size_t begin = shared.offset % page_;
  const std::size_t whole = rounded(begin + shared.bytes, page_);
  const std::size_t offset = find_place(whole);
  if (offset < kBytes) place(offset, whole, file, shared.offset - begin);
  ::close(file);
  if (offset >= kBytes) throw core::ResourceError("the emulated device has no addresses left");
  if (mprotect(reinterpret_cast<void*>(begin_ + shift_ + offset), whole, PROT_READ | PROT_WRITE) != 0)
    refuse("mprotect");
  blocks_[offset] = {whole, device, begin, true};
  next_ = offset + whole + page_;
  return reinterpret_cast<void*>(begin_ + offset + begin);
}

void EmulatedArena::place(std::size_t offset, std::size_t bytes, int file, std::size_t begin) {
  for (const std::uintptr_t mapping : {begin_, begin_ + shift_})
    if (mmap(reinterpret_cast<void*>(mapping + offset), bytes, PROT_NONE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, file,
             static_cast<off_t>(begin)) == MAP_FAILED)
      refuse("mmap");
}

int EmulatedArena::device_of(const void* address) {
  const std::lock_guard guard(lock_);
  const auto place = reinterpret_cast<std::uintptr_t>(address);
  if (place < begin_ || place >= end()) return -1;
  const auto next = blocks_.upper_bound(place - begin_);
  if (next == blocks_.begin()) return -1;
  const auto& [offset, block] = *std::prev(next);
  return place - begin_ < offset + block.bytes ? block.device : -1;
}

void EmulatedArena::release(void* address) {
  const std::lock_guard guard(lock_);
  const std::size_t offset = (reinterpret_cast<std::uintptr_t>(address) - begin_) / page_ * page_;
  const auto block = blocks_.find(offset);
  if (block == blocks_.end())
    throw core::InternalError("release of an address that the emulated device did not allocate");
  const std::size_t bytes = block->second.bytes;
  if (block->second.is_peers) {
    place(offset, bytes, file_, offset);
  } else {
    mprotect(reinterpret_cast<void*>(begin_ + shift_ + offset), bytes, PROT_NONE);
    fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset), static_cast<off_t>(bytes));
  }
  blocks_.erase(block);
}

}  // namespace armilla::kernels
