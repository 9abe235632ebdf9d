#include <armilla/backend/cuda.hpp>
#include <armilla/backend/cuda/cuda_backend.hpp>
#include <armilla/backend/cuda/device_memory.hpp>
#include <armilla/backend/devices.hpp>

#include <algorithm>

#include <kernels/core/device.hpp>

namespace armilla::backend {

namespace {

// Of the memory that is free, kernels, plans of cuFFT and gaps between arrays take a part that nobody counts.
constexpr Index kUncounted = 16;
// Working space of each part of a stage where nobody says how much it is to have: a share of the room.
constexpr Index kWorkShare = 8;
constexpr Index kMaxWork = Index{2} << 30;

// Of `ranks` ranks that share `devices` devices, neighbours share one.
int device_of(const Placement& placement, int devices) {
  const int ranks = std::max(placement.ranks, 1);
  return placement.rank * devices / std::max(ranks, devices);
}

struct Place {
  int device = 0;
  Index sharing = 0;  ///< ranks that share it
};

Place place_of(const Placement& placement) {
  const int devices = static_cast<int>(visible_devices().size());
  Place place{device_of(placement, devices), 0};
  for (int rank = 0; rank < placement.ranks; ++rank)
    if (device_of({rank, placement.ranks}, devices) == place.device) ++place.sharing;
  return place;
}

// For each of the ranks that share the current device.
Index room_of(const Place& place) {
  const Index free = kernels::device_memory().free;
  return (free - free / kUncounted) / std::max(place.sharing, Index{1});
}

template <class T>
class CudaContext final : public Context<T> {
 public:
  explicit CudaContext(const Placement& placement) : place_(place_of(placement)) {
    kernels::set_device(place_.device);
    device_memory_ = std::make_shared<CudaMemory>(place_.device);
    memory_ = device_memory_;
    work_bytes_ = std::min(room_of(place_) / kWorkShare, kMaxWork);
  }

  std::string name() const override { return "cuda"; }
  const std::shared_ptr<Memory>& memory() const override { return memory_; }
  Index room() const override { return room_of(place_); }

  void set_work(Index bytes) override { work_bytes_ = bytes; }

  std::unique_ptr<Backend<T>> make_backend(const Options& options, const legendre::Task& legendre_task,
                                           const fft::RingTask& ring_task, std::span<const Index> ring_lengths,
                                           const math::MeridianCircle& circle) override {
    return std::make_unique<CudaBackend<T>>(options, legendre_task, ring_task, ring_lengths, circle, work_bytes_,
                                            device_memory_->stream());
  }

 private:
  Place place_;
  Index work_bytes_ = 0;
  std::shared_ptr<CudaMemory> device_memory_;
  std::shared_ptr<Memory> memory_;  ///< the same
};

}  // namespace

std::string why_cuda_unusable() {
  if (!visible_devices().empty()) return {};
  const std::string reason = why_no_devices();
  if (!reason.empty())
    return reason + ": update the driver, use an armilla built for it, or set execution.backend to cpu";
  return "no GPU is visible: ask the scheduler for one, see whether nvidia-smi lists it and CUDA_VISIBLE_DEVICES does "
         "not hide it, or set execution.backend to cpu or auto";
}

Device cuda_device(const Placement& placement) {
  return visible_devices()[static_cast<std::size_t>(place_of(placement).device)];
}

Index cuda_room(const Placement& placement) {
  const Place place = place_of(placement);
  kernels::set_device(place.device);
  return room_of(place);
}

template <class T>
std::unique_ptr<Context<T>> make_cuda_context(const Placement& placement) {
  return std::make_unique<CudaContext<T>>(placement);
}

template std::unique_ptr<Context<float>> make_cuda_context<float>(const Placement&);
template std::unique_ptr<Context<double>> make_cuda_context<double>(const Placement&);

}  // namespace armilla::backend
