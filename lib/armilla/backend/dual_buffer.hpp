#pragma once

#include <armilla/backend/memory.hpp>
#include <armilla/core/aligned_buffer.hpp>

#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <utility>

namespace armilla::backend {

/// Numbers that stand in host memory, in the memory of a backend, or in both, and are carried over when they are asked
/// for on the other side: what one transform leaves on a device, the next one finds there. Whoever asks gets pointers
/// that hold until numbers are asked for on the other side: ask again then. Reads may come from several threads.
template <class Number>
class DualBuffer {
 public:
  explicit DualBuffer(Index count) : host_(count), state_(std::make_unique<State>()) {}

  Index size() const { return host_.size(); }

  /// Where the newest numbers stand: what changes them may as well do it there. A device, where both sides have them.
  std::shared_ptr<Memory> place() const { return state_->newest == Newest::kHost ? host_memory() : memory_; }

  /// On the host, to be read, and to be read or written.
  std::span<const Number> host() const {
    fetch();
    return host_.span();
  }
  std::span<Number> host() {
    fetch();
    // Asked for many times by many threads: written once.
    if (state_->newest != Newest::kHost) state_->newest = Newest::kHost;
    return host_.span();
  }

  /// In a memory, to be read.
  const Number* read(const std::shared_ptr<Memory>& memory) const {
    if (memory->space() == core::MemorySpace::kHost) return host().data();
    if (!is_in(*memory)) fetch();
    if (!is_in(*memory) || state_->newest == Newest::kHost) {
      settle(memory);
      memory_->from_host(there_.get(), host_.data(), bytes());
      state_->newest = Newest::kBoth;
    }
    return static_cast<const Number*>(there_.get());
  }

  /// In a memory, to be read and written.
  Number* update(const std::shared_ptr<Memory>& memory) {
    if (memory->space() == core::MemorySpace::kHost) return host().data();
    Number* numbers = const_cast<Number*>(read(memory));
    state_->newest = Newest::kThere;
    return numbers;
  }

  /// In a memory, to be written, all of it: what was there is void.
  Number* overwrite(const std::shared_ptr<Memory>& memory) {
    if (memory->space() == core::MemorySpace::kHost) {
      state_->newest = Newest::kHost;
      return host_.data();
    }
    settle(memory);
    state_->newest = Newest::kThere;
    return static_cast<Number*>(there_.get());
  }

 private:
  enum class Newest { kHost, kBoth, kThere };
  struct State {
    std::mutex lock;  ///< of fetching
    std::atomic<Newest> newest = Newest::kHost;
  };

  Index bytes() const { return host_.size() * static_cast<Index>(sizeof(Number)); }

  void fetch() const {
    if (state_->newest != Newest::kThere) return;
    const std::lock_guard guard(state_->lock);
    if (state_->newest != Newest::kThere) return;
    memory_->to_host(host_.data(), there_.get(), bytes());
    state_->newest = Newest::kBoth;
  }

  bool is_in(const Memory& memory) const { return memory_ && memory_->device() == memory.device(); }

  void settle(const std::shared_ptr<Memory>& memory) const {
    if (is_in(*memory)) return;
    there_ = memory->allocate(bytes());
    memory_ = memory;
  }

  // What stands where is not part of the value.
  mutable core::AlignedBuffer<Number> host_;
  mutable std::shared_ptr<Memory> memory_;
  mutable std::shared_ptr<void> there_;
  std::unique_ptr<State> state_;
};

}  // namespace armilla::backend
