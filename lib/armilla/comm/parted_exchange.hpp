#pragma once

#include <armilla/core/exchange_part.hpp>

#include <atomic>
#include <complex>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace armilla::comm {

/// An all-to-all of complex values in parts, so that some parts are sent while others are computed. All calls except
/// is_there() must come from one thread. Implementations may make progress only inside these calls, so call poll() from
/// time to time.
template <class T>
class PartedExchange {
 public:
  using Complex = std::complex<T>;
  enum class Direction { kForward, kBackward };

  explicit PartedExchange(std::vector<core::ExchangePart> parts)
      : parts_(std::move(parts)), there_(std::make_unique<std::atomic<bool>[]>(parts_.size())) {}
  virtual ~PartedExchange() = default;
  PartedExchange(const PartedExchange&) = delete;
  PartedExchange& operator=(const PartedExchange&) = delete;

  std::size_t parts() const { return parts_.size(); }
  /// Sets the buffers; sends no data yet. The buffers must not overlap, must stay valid until finish(), and nobody may
  /// use `receive` until then. Collective.
  void begin(Direction direction, const Complex* send, Complex* receive) {
    direction_ = direction;
    started_ = 0;
    for (std::size_t part = 0; part < parts(); ++part) there_[part] = false;
    prepare(send, receive);
  }
  /// Number of parts started.
  std::size_t started() const { return started_; }
  /// Starts the next part. All ranks must start all parts in order, even if the work on a part failed.
  void start_next() { start(started_++); }
  /// Allows the exchange to make progress.
  virtual void poll() = 0;
  /// Whether the part has been received and sent completely. Any thread may call this.
  bool is_there(std::size_t part) const { return there_[part].load(std::memory_order_acquire); }
  /// Collective. Starts the remaining parts, and returns when all are complete.
  void finish() {
    while (started_ < parts()) start_next();
    complete();
  }

 protected:
  virtual void prepare(const Complex* send, Complex* receive) = 0;
  virtual void start(std::size_t part) = 0;
  /// Returns when all parts are there.
  virtual void complete() = 0;

  const core::ExchangePart& part(std::size_t number) const { return parts_[number]; }
  bool is_forward() const { return direction_ == Direction::kForward; }
  void arrived(std::size_t part) { there_[part].store(true, std::memory_order_release); }

 private:
  std::vector<core::ExchangePart> parts_;
  std::unique_ptr<std::atomic<bool>[]> there_;  ///< [part]
  std::size_t started_ = 0;
  Direction direction_ = Direction::kForward;
};

}  // namespace armilla::comm
