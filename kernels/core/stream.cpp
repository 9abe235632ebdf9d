#include <kernels/core/check.hpp>
#include <kernels/core/device.hpp>
#include <kernels/core/stream.hpp>

namespace armilla::kernels {

namespace {

cudaEvent_t new_event(unsigned flags) {
  cudaEvent_t event = nullptr;
  check(cudaEventCreateWithFlags(&event, flags), "creating an event");
  return event;
}

}  // namespace

Stream::Stream(Priority priority) : device_(current_device()) {
  int least = 0, greatest = 0;
  check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "reading the priorities of streams");
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, priority == Priority::kHigh ? greatest : least),
        "creating a stream");
  stream_.reset(stream);
}

void Stream::wait() const {
  set_device(device_);
  check(cudaStreamSynchronize(get()), "work on the GPU");
}

void Stream::Destroy::operator()(CUstream_st* stream) const { cudaStreamDestroy(stream); }

Event::Event() : Event(new_event(cudaEventDisableTiming)) {}
TimedEvent::TimedEvent() : Event(new_event(cudaEventDefault)) {}

void Event::record(const Stream& stream) { check(cudaEventRecord(event_.get(), stream.get()), "recording an event"); }

void Event::hold(const Stream& stream) const {
  check(cudaStreamWaitEvent(stream.get(), event_.get(), 0), "waiting for an event");
}

void Event::wait() const { check(cudaEventSynchronize(event_.get()), "work on the GPU"); }

bool Event::is_reached() const {
  const cudaError_t status = cudaEventQuery(event_.get());
  if (status == cudaErrorNotReady) {
    cudaGetLastError();  // so that it is not attributed to a launch
    return false;
  }
  check(status, "work on the GPU");
  return true;
}

double TimedEvent::seconds_since(const TimedEvent& start) const {
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, start.event_.get(), event_.get()), "reading an event time");
  return 1e-3 * static_cast<double>(milliseconds);
}

void Event::Destroy::operator()(CUevent_st* event) const { cudaEventDestroy(event); }

}  // namespace armilla::kernels
