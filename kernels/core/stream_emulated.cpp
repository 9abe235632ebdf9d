#include <armilla/core/error.hpp>
#include <armilla/core/host_device.hpp>

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <kernels/core/arena_emulated.hpp>
#include <kernels/core/device.hpp>
#include <kernels/core/emulated_stream.hpp>
#include <kernels/core/emulation.hpp>

namespace armilla::kernels {

namespace {

// Lock of all queues. It is recursive because work may wait for other queues and release memory.
std::recursive_mutex& queue_lock() {
  static auto* lock = new std::recursive_mutex;
  return *lock;
}

// During its lifetime, the thread can read device memory like a kernel.
class InKernel {
 public:
  InKernel() : before_(core::device_window) {
    const EmulatedArena& memory = EmulatedArena::get();
    core::device_window = {memory.begin(), memory.end(), memory.shift()};
  }
  ~InKernel() { core::device_window = before_; }
  InKernel(const InKernel&) = delete;
  InKernel& operator=(const InKernel&) = delete;

 private:
  core::DeviceWindow before_;
};

// The work queued in a stream, in order, and how much of it is complete.
class Queue {
 public:
  void give(std::function<void()> work) {
    const std::lock_guard guard(queue_lock());
    work_.push_back(std::move(work));
  }
  std::uint64_t end() const {
    const std::lock_guard guard(queue_lock());
    return done_ + work_.size();
  }
  void run_to(std::uint64_t end) {
    const std::lock_guard guard(queue_lock());
    while (done_ < end && !work_.empty()) {
      const std::function<void()> work = std::move(work_.front());
      work_.pop_front();
      ++done_;
      const InKernel in_kernel;
      work();
    }
  }
  void run() { run_to(end()); }

 private:
  std::deque<std::function<void()>> work_;
  std::uint64_t done_ = 0;
};

std::set<Queue*>& queues() {
  static auto* all = new std::set<Queue*>;
  return *all;
}

struct Mark {
  std::shared_ptr<Queue> queue;
  std::uint64_t place = 0;
  std::chrono::steady_clock::time_point time;
};

}  // namespace

}  // namespace armilla::kernels

struct CUstream_st {
  std::shared_ptr<armilla::kernels::Queue> queue;
  int device;
};
struct CUevent_st {
  std::shared_ptr<armilla::kernels::Mark> mark;
};

namespace armilla::kernels {

void enqueue(StreamHandle stream, std::function<void()> work) {
  if (stream->device != current_device())
    throw core::ResourceError(
        fmt::format("CUDA: work was queued in a stream of device {} by a thread whose current device is {}",
                    stream->device, current_device()));
  stream->queue->give(std::move(work));
}

void finish_all_streams() {
  const std::lock_guard guard(queue_lock());
  for (Queue* queue : queues()) queue->run();
}

Stream::Stream() : stream_(new CUstream_st{std::make_shared<Queue>(), current_device()}), device_(current_device()) {
  const std::lock_guard guard(queue_lock());
  queues().insert(stream_->queue.get());
}
void Stream::wait() const {
  set_device(device_);
  get()->queue->run();
  if (emulation().fails)
    throw core::ResourceError("CUDA: work on the GPU failed: the emulated device was told to fail");
}
// The remaining work is completed, as on a device.
void Stream::Destroy::operator()(CUstream_st* stream) const {
  const std::lock_guard guard(queue_lock());
  stream->queue->run();
  queues().erase(stream->queue.get());
  delete stream;
}

Event::Event() : event_(new CUevent_st) {}
void Event::record(const Stream& stream) {
  const std::lock_guard guard(queue_lock());
  const auto mark = std::make_shared<Mark>();
  mark->queue = stream.get()->queue;
  enqueue(stream.get(), [mark] { mark->time = std::chrono::steady_clock::now(); });
  mark->place = mark->queue->end();
  event_->mark = mark;
}
void Event::hold(const Stream& stream) const {
  if (event_->mark) enqueue(stream.get(), [mark = event_->mark] { mark->queue->run_to(mark->place); });
}
void Event::wait() const {
  if (event_->mark) event_->mark->queue->run_to(event_->mark->place);
}
double Event::seconds_since(const Event& start) const {
  return std::chrono::duration<double>(event_->mark->time - start.event_->mark->time).count();
}
void Event::Destroy::operator()(CUevent_st* event) const { delete event; }

}  // namespace armilla::kernels
