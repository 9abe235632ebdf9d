#include <kernels/core/check.hpp>
#include <kernels/core/device.hpp>
#include <kernels/core/stream.hpp>

namespace armilla::kernels {

Stream::Stream() : device_(current_device()) {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "creating a stream");
  stream_.reset(stream);
}

void Stream::wait() const {
  set_device(device_);
  check(cudaStreamSynchronize(get()), "work on the GPU");
}

void Stream::Destroy::operator()(CUstream_st* stream) const { cudaStreamDestroy(stream); }

Event::Event() {
  cudaEvent_t event = nullptr;
  check(cudaEventCreate(&event), "creating an event");
  event_.reset(event);
}

void Event::record(const Stream& stream) { check(cudaEventRecord(event_.get(), stream.get()), "recording an event"); }

void Event::hold(const Stream& stream) const {
  check(cudaStreamWaitEvent(stream.get(), event_.get(), 0), "waiting for an event");
}

void Event::wait() const { check(cudaEventSynchronize(event_.get()), "work on the GPU"); }

double Event::seconds_since(const Event& start) const {
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, start.event_.get(), event_.get()), "reading an event time");
  return 1e-3 * static_cast<double>(milliseconds);
}

void Event::Destroy::operator()(CUevent_st* event) const { cudaEventDestroy(event); }

}  // namespace armilla::kernels
