#pragma once

#include <memory>

struct CUstream_st;
struct CUevent_st;

namespace armilla::kernels {

/// What CUDA calls cudaStream_t, without its headers.
using StreamHandle = CUstream_st*;

/// An order of work on the device that was current when it was made: copies and kernels of one stream run one after the
/// other, while the host goes on. Move only; destroying it does not wait.
class Stream {
 public:
  Stream();

  StreamHandle get() const { return stream_.get(); }
  int device() const { return device_; }
  /// Waits until all that was given to the stream is done. Throws ResourceError for what failed in it. May be called by
  /// any thread.
  void wait() const;

 private:
  struct Destroy {
    void operator()(CUstream_st* stream) const;
  };
  std::unique_ptr<CUstream_st, Destroy> stream_;
  int device_;
};

/// A mark in a stream, with the time at which the device came to it.
class Event {
 public:
  Event();

  void record(const Stream& stream);
  /// The stream goes on once the device has come to the mark.
  void hold(const Stream& stream) const;
  /// Waits for the device to come to the mark.
  void wait() const;
  /// Seconds from another mark to this one, to which the device must have come.
  double seconds_since(const Event& start) const;

 private:
  struct Destroy {
    void operator()(CUevent_st* event) const;
  };
  std::unique_ptr<CUevent_st, Destroy> event_;
};

}  // namespace armilla::kernels
