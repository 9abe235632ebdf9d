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
#include <kernels/core/graph.hpp>
#include <kernels/core/recording_emulated.hpp>

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
  bool has_done(std::uint64_t end) const {
    const std::lock_guard guard(queue_lock());
    return done_ >= end;
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
  std::shared_ptr<Recording> recording;  ///< of a mark in a stream that is recorded, which is not in its queue
  Recording::Place in_recording;
};

// Whether the thread records work, which forbids it to call some functions.
thread_local bool is_recording = false;

}  // namespace

}  // namespace armilla::kernels

struct CUstream_st {
  std::shared_ptr<armilla::kernels::Queue> queue;
  int device;
  std::shared_ptr<armilla::kernels::Recording> recording = {};  ///< of its work
  std::size_t branch = 0;
};
struct CUevent_st {
  std::shared_ptr<armilla::kernels::Mark> mark;
};
struct CUgraphExec_st {
  std::shared_ptr<const armilla::kernels::Recording> recording;
};

namespace armilla::kernels {

namespace {

void give(StreamHandle stream, std::function<void()> work) {
  if (stream->device != current_device())
    throw core::ResourceError(
        fmt::format("CUDA: work was queued in a stream of device {} by a thread whose current device is {}",
                    stream->device, current_device()));
  if (stream->recording)
    stream->recording->add(stream->branch, std::move(work));
  else
    stream->queue->give(std::move(work));
}

}  // namespace

void enqueue(StreamHandle stream, std::function<void()> work) {
  const std::lock_guard guard(queue_lock());
  if (!stream->recording) ++emulation().launched;
  give(stream, std::move(work));
}

void refuse_while_recording(const char* what) {
  if (is_recording) throw core::ResourceError(fmt::format("CUDA: {} failed: a graph is being recorded", what));
}

void finish_all_streams() {
  const std::lock_guard guard(queue_lock());
  for (Queue* queue : queues()) queue->run();
}

Stream::Stream(Priority)
    : stream_(new CUstream_st{std::make_shared<Queue>(), current_device()}), device_(current_device()) {
  const std::lock_guard guard(queue_lock());
  queues().insert(stream_->queue.get());
}
void Stream::wait() const {
  set_device(device_);
  refuse_while_recording("waiting for a stream");
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

Event::Event() : Event(new CUevent_st) {}
TimedEvent::TimedEvent() = default;
void Event::record(const Stream& stream) {
  const std::lock_guard guard(queue_lock());
  const auto mark = std::make_shared<Mark>();
  event_->mark = mark;
  if (const auto& recording = stream.get()->recording) {
    mark->recording = recording;
    mark->in_recording = recording->place(stream.get()->branch);
    return;
  }
  mark->queue = stream.get()->queue;
  give(stream.get(), [mark] { mark->time = std::chrono::steady_clock::now(); });
  mark->place = mark->queue->end();
}
void Event::hold(const Stream& stream) const {
  const auto& mark = event_->mark;
  if (!mark) return;
  CUstream_st& held = *stream.get();
  if (!mark->recording && !held.recording) return give(&held, [mark] { mark->queue->run_to(mark->place); });
  if (!mark->recording || mark->recording->is_over() || (held.recording && held.recording != mark->recording))
    throw core::ResourceError("CUDA: waiting for an event failed: it is not part of the graph that is being recorded");
  if (!held.recording) {
    held.recording = mark->recording;
    held.branch = held.recording->add_branch(&held);
  }
  held.recording->add_wait(held.branch, mark->in_recording);
}
void Event::wait() const {
  refuse_while_recording("waiting for an event");
  if (event_->mark) event_->mark->queue->run_to(event_->mark->place);
}
// The first question after a mark comes too early; the device works meanwhile.
bool Event::is_reached() const {
  refuse_while_recording("asking for an event");
  if (!event_->mark || event_->mark->queue->has_done(event_->mark->place)) return true;
  wait();
  return false;
}
double TimedEvent::seconds_since(const TimedEvent& start) const {
  return std::chrono::duration<double>(event_->mark->time - start.event_->mark->time).count();
}
void Event::Destroy::operator()(CUevent_st* event) const { delete event; }

Graph::Graph(const Stream& stream, const std::function<void()>& work) {
  set_device(stream.device());
  refuse_while_recording("recording a graph");
  const auto recording = std::make_shared<Recording>();
  stream.get()->recording = recording;
  stream.get()->branch = recording->add_branch(stream.get());
  const auto finish = [&] {
    is_recording = false;
    for (const StreamHandle part : recording->streams()) part->recording.reset();
    recording->finish();
  };
  is_recording = true;
  try {
    work();
  } catch (...) {
    finish();
    throw;
  }
  finish();
  if (!recording->is_joined())
    throw core::ResourceError("CUDA: recording a graph failed: it does not wait for the work of another stream");
  graph_.reset(new CUgraphExec_st{recording});
}
void Graph::launch(const Stream& stream) const {
  set_device(stream.device());
  enqueue(stream.get(), [recording = graph_->recording] { recording->run(); });
}
void Graph::Destroy::operator()(CUgraphExec_st* graph) const { delete graph; }

}  // namespace armilla::kernels
