#pragma once

#include <armilla/backend/memory.hpp>
#include <armilla/core/aligned_buffer.hpp>
#include <armilla/core/error.hpp>

#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>

namespace armilla::backend {

/// What may be done with memory that belongs to someone else.
enum class Access { kReadWrite, kRead };

/// An array in host memory, in the memory of a backend, or in both. One of these memories may be that of the caller. It
/// is copied if it is requested in the memory that does not hold its latest values, so a transform finds the results of
/// the previous transform on the device. Pointers and spans are valid until the array is requested in the other memory.
/// Several threads may read at once.
template <class Number>
class DualBuffer {
 public:
  explicit DualBuffer(Index count)
      : size_(count), access_(Access::kReadWrite), own_(count), host_(own_.span()), state_(std::make_unique<State>()) {}
  /// The values of the caller in `memory`, by default that of the host; they must outlive the buffer. On the host, any
  /// alignment will do. With Access::kRead, all calls for writing throw InputError. Values on a device stay there: host
  /// memory is allocated when the host requests them. Throws InputError like check_lent(), and from calls that request
  /// such values on another device.
  DualBuffer(std::span<Number> values, Access access, std::shared_ptr<Memory> memory = {})
      : size_(static_cast<Index>(values.size())), access_(access), state_(std::make_unique<State>()) {
    if (!memory || memory->space() == core::MemorySpace::kHost) {
      host_ = values;
      return;
    }
    check_lent(*memory, values.data(), bytes(), static_cast<Index>(sizeof(Number)));
    memory_ = std::move(memory);
    there_ = std::shared_ptr<void>(std::shared_ptr<void>(), values.data());
    is_lent_ = true;
    state_->newest = Newest::kThere;
  }

  Index size() const { return size_; }
  /// Brings the latest values to the memory of the caller, or to that of the host if all memory is its own.
  void deliver() const { is_lent_ ? static_cast<void>(read(memory_)) : fetch(); }
  /// Brings the latest values to the host, and releases the memory of a device that is not the caller's. Nobody may
  /// read the array at the same time.
  void leave_device() {
    fetch();
    if (is_lent_) return;
    state_->newest = Newest::kHost;
    there_.reset();
    memory_.reset();
  }
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
      need_host();
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

  void need_host() const {
    if (static_cast<Index>(host_.size()) == size_) return;
    own_ = core::AlignedBuffer<Number>(size_);
    host_ = own_.span();
  }

  void fetch() const {
    if (state_->newest != Newest::kThere) return;
    const std::lock_guard guard(state_->lock);
    if (state_->newest != Newest::kThere) return;
    need_host();
    memory_->to_host(host_.data(), there_.get(), bytes());
    state_->newest = Newest::kBoth;
  }

  bool is_in(const Memory& memory) const { return memory_ && memory_->device() == memory.device(); }

  void settle(const std::shared_ptr<Memory>& memory) const {
    if (is_in(*memory)) return;
    if (is_lent_)
      throw core::InputError("the memory of this field, which is that of the program, is on GPU " +
                             std::to_string(memory_->device()) + ", but the transform computes on GPU " +
                             std::to_string(memory->device()) + ": use a transform on the same GPU");
    there_ = memory->allocate(bytes());
    memory_ = memory;
  }

  Index size_;
  Access access_;
  bool is_lent_ = false;  // the caller's memory is on a device
  // The location of the data is not part of the value.
  mutable core::AlignedBuffer<Number> own_;  // empty for memory of the caller
  mutable std::span<Number> host_;
  mutable std::shared_ptr<Memory> memory_;
  mutable std::shared_ptr<void> there_;
  std::unique_ptr<State> state_;
};

}  // namespace armilla::backend
