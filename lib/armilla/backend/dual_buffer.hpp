#pragma once

#include <armilla/backend/memory.hpp>
#include <armilla/core/aligned_buffer.hpp>

#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <utility>

namespace armilla::backend {

/// An array in host memory, in the memory of a backend, or in both. It is copied when it is asked for in the memory
/// that does not have its newest numbers: what one transform leaves on a device, the next one finds there. Pointers and
/// spans are valid until the array is asked for in the other memory. Several threads may read at once.
template <class Number>
class DualBuffer {
 public:
  explicit DualBuffer(Index count) : host_(count), state_(std::make_unique<State>()) {}

  Index size() const { return host_.size(); }

  /// The memory that has the newest numbers, in which it is cheapest to change them; that of the device where both have
  /// them.
  std::shared_ptr<Memory> memory() const { return state_->newest == Newest::kHost ? host_memory() : memory_; }

  /// On the host: to be read; to be read or written.
  std::span<const Number> host() const {
    fetch();
    return host_.span();
  }
  std::span<Number> host() {
    fetch();
    // Many threads ask many times: one write.
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

  /// In a memory, to be overwritten as a whole: not initialised.
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

  // Which memory has the numbers is not part of the value.
  mutable core::AlignedBuffer<Number> host_;
  mutable std::shared_ptr<Memory> memory_;
  mutable std::shared_ptr<void> there_;
  std::unique_ptr<State> state_;
};

}  // namespace armilla::backend
