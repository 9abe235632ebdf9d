#include <armilla/backend/cuda/cuda_peer_access.hpp>

#include <deque>

#include <kernels/core/device.hpp>
#include <kernels/core/memory.hpp>
#include <kernels/core/peer_memory.hpp>
#include <kernels/core/stream.hpp>

namespace armilla::backend {

namespace {

class CudaPeerAccess final : public PeerAccess {
 public:
  PeerHandle handle_of(const void* array) override {
    kernels::set_device(copies_.device());
    return kernels::peer_handle(array).bytes;
  }
  std::shared_ptr<void> open(const PeerHandle& handle) override {
    kernels::set_device(copies_.device());
    const auto array = std::make_shared<kernels::PeerArray>(kernels::PeerHandle{handle});
    return {array, array->address()};
  }
  void copy(void* to, const void* from, Index bytes) override {
    kernels::copy(kernels::DevicePointer(static_cast<char*>(to)),
                  kernels::DevicePointer(static_cast<const char*>(from)), bytes, copies_);
  }
  void mark(std::size_t number) override {
    kernels::set_device(copies_.device());
    while (marks_.size() <= number) marks_.emplace_back();
    marks_[number].record(copies_);
  }
  bool is_reached(std::size_t number) override { return marks_[number].is_reached(); }
  void wait() override { copies_.wait(); }

 private:
  kernels::Stream copies_{kernels::Priority::kHigh};
  std::deque<kernels::Event> marks_;
};

}  // namespace

std::unique_ptr<PeerAccess> make_cuda_peer_access() { return std::make_unique<CudaPeerAccess>(); }

}  // namespace armilla::backend
