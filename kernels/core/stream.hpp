#pragma once

#include <memory>

struct CUstream_st;
struct CUevent_st;

namespace armilla::kernels {

/// CUDA's cudaStream_t, without its headers.
using StreamHandle = CUstream_st*;

/// Blocks that have not started yet run in order of the priority of their streams.
enum class Priority { kUsual, kHigh };

/// A stream of work on the device that was current at construction: copies and kernels of one stream run one after the
/// other, asynchronously to the host. Move only; the destructor does not wait.
class Stream {
 public:
  explicit Stream(Priority priority = Priority::kUsual);

  StreamHandle get() const { return stream_.get(); }
  int device() const { return device_; }
  /// Waits until all work in the stream is complete. Throws ResourceError if any of it failed. May be called by any
  /// thread.
  void wait() const;

 private:
  struct Destroy {
    void operator()(CUstream_st* stream) const;
  };
  std::unique_ptr<CUstream_st, Destroy> stream_;
  int device_;
};

/// A mark in a stream.
class Event {
 public:
  Event();

  void record(const Stream& stream);
  /// Makes the stream wait until the device has reached the mark.
  void hold(const Stream& stream) const;
  /// Waits until the device has reached the mark.
  void wait() const;
  /// Whether the device has reached the mark.
  bool is_reached() const;

 protected:
  struct Destroy {
    void operator()(CUevent_st* event) const;
  };
  explicit Event(CUevent_st* event) : event_(event) {}

  std::unique_ptr<CUevent_st, Destroy> event_;
};

/// A mark with the time at which the device reached it.
class TimedEvent : public Event {
 public:
  TimedEvent();

  /// Seconds from another mark to this one; the device must have reached both.
  double seconds_since(const TimedEvent& start) const;
};

}  // namespace armilla::kernels
