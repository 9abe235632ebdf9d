#pragma once

#include <armilla/backend/memory.hpp>
#include <armilla/core/aligned_buffer.hpp>
#include <armilla/core/error.hpp>

#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <utility>

namespace armilla::backend {

/// What may be done with memory that belongs to someone else.
enum class Access { kReadWrite, kRead };

/// An array in host memory, in the memory of a backend, or in both. Its host memory is its own, or that of the caller.
/// It is copied if it is requested in the memory that does not hold its latest values, so a transform finds the results
/// of the previous transform on the device. Pointers and spans are valid until the array is requested in the other
/// memory. Several threads may read at once.
template <class Number>
class DualBuffer {
 public:
  explicit DualBuffer(Index count)
      : own_(count), host_(own_.span()), access_(Access::kReadWrite), state_(std::make_unique<State>()) {}
  /// The values of the caller, which must outlive the buffer, with any alignment. With Access::kRead, all calls for
  /// writing throw InputError.
  DualBuffer(std::span<Number> values, Access access)
      : host_(values), access_(access), state_(std::make_unique<State>()) {}

  Index size() const { return static_cast<Index>(host_.size()); }
  /// Whether it may be written.
  bool is_writable() const { return access_ == Access::kReadWrite; }

  /// The memory that holds the latest values, in which an update needs no copy; device memory if both hold them.
  std::shared_ptr<Memory> memory() const { return state_->newest == Newest::kHost ? host_memory() : memory_; }

  /// Access in host memory: for reading, and for reading and writing.
  std::span<const Number> host() const {
    fetch();
    return host_;
  }
  std::span<Number> host() {
    check_writable();
    fetch();
    // Several threads may call this at once. Writes only if needed, to avoid a data race.
    if (state_->newest != Newest::kHost) state_->newest = Newest::kHost;
    return host_;
  }

  /// Access in a memory, for reading.
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

  /// Access in a memory, for reading and writing.
  Number* update(const std::shared_ptr<Memory>& memory) {
    check_writable();
    if (memory->space() == core::MemorySpace::kHost) return host().data();
    Number* numbers = const_cast<Number*>(read(memory));
    state_->newest = Newest::kThere;
    return numbers;
  }

  /// Access in a memory, for overwriting completely; not initialised.
  Number* overwrite(const std::shared_ptr<Memory>& memory) {
    check_writable();
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
    std::mutex lock;  ///< held while copying
    std::atomic<Newest> newest = Newest::kHost;
  };

  Index bytes() const { return size() * static_cast<Index>(sizeof(Number)); }

  void check_writable() const {
    if (!is_writable())
      throw core::InputError("the memory of this field was passed as constant: pass memory that may be written");
  }

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

  core::AlignedBuffer<Number> own_;  // empty for memory of the caller
  std::span<Number> host_;
  Access access_;
  // The location of the data is not part of the value.
  mutable std::shared_ptr<Memory> memory_;
  mutable std::shared_ptr<void> there_;
  std::unique_ptr<State> state_;
};

}  // namespace armilla::backend
