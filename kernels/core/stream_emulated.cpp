#include <armilla/core/error.hpp>

#include <chrono>

#include <kernels/core/emulation.hpp>
#include <kernels/core/stream.hpp>

// Work on the emulated device is done when the call returns: a stream is nothing, an event the time of its recording.
struct CUstream_st {};
struct CUevent_st {
  std::chrono::steady_clock::time_point time;
};

namespace armilla::kernels {

Stream::Stream() : stream_(new CUstream_st) {}
void Stream::wait() const {
  if (emulation().fails)
    throw core::ResourceError("CUDA: work on the GPU failed: the emulated device was told to fail");
}
void Stream::Destroy::operator()(CUstream_st* stream) const { delete stream; }

Event::Event() : event_(new CUevent_st) {}
void Event::record(const Stream&) { event_->time = std::chrono::steady_clock::now(); }
void Event::hold(const Stream&) const {}
void Event::wait() const {}
double Event::seconds_since(const Event& start) const {
  return std::chrono::duration<double>(event_->time - start.event_->time).count();
}
void Event::Destroy::operator()(CUevent_st* event) const { delete event; }

}  // namespace armilla::kernels
