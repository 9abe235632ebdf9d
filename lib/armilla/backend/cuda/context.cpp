#include <armilla/backend/cuda.hpp>
#include <armilla/backend/cuda/cuda_backend.hpp>
#include <armilla/backend/cuda/device_memory.hpp>
#include <armilla/backend/devices.hpp>

#include <algorithm>

#include <kernels/core/device.hpp>

namespace armilla::backend {

namespace {

// Of the memory that is free when a stage is made, so much is given to its working space.
constexpr Index kWorkShare = 8;
constexpr Index kMostWork = Index{2} << 30;

// Of `ranks` ranks that share `devices` devices, neighbours share one.
int device_of(const Placement& placement, int devices) {
  const int ranks = std::max(placement.ranks, 1);
  return placement.rank * devices / std::max(ranks, devices);
}

template <class T>
class CudaContext final : public Context<T> {
 public:
  explicit CudaContext(const Placement& placement) {
    const int devices = static_cast<int>(visible_devices().size());
    const int device = device_of(placement, devices);
    kernels::set_device(device);
    for (int rank = 0; rank < placement.ranks; ++rank)
      if (device_of({rank, placement.ranks}, devices) == device) ++sharing_;
    device_memory_ = std::make_shared<CudaMemory>(device);
    memory_ = device_memory_;
  }

  std::string name() const override { return "cuda"; }
  const std::shared_ptr<Memory>& memory() const override { return memory_; }

  std::unique_ptr<Backend<T>> make_backend(const Options& options, const legendre::Task& legendre_task,
                                           const fft::RingTask& ring_task, std::span<const Index> ring_lengths,
                                           const math::MeridianCircle& circle) override {
    const Index share = kernels::device_memory().free / (kWorkShare * std::max(sharing_, Index{1}));
    return std::make_unique<CudaBackend<T>>(options, legendre_task, ring_task, ring_lengths, circle,
                                            std::min(share, kMostWork), device_memory_->stream());
  }

 private:
  Index sharing_ = 0;  ///< ranks that share the device of this one
  std::shared_ptr<CudaMemory> device_memory_;
  std::shared_ptr<Memory> memory_;  ///< the same
};

}  // namespace

std::string why_cuda_unusable() {
  if (!visible_devices().empty()) return {};
  return "no GPU is visible: ask the scheduler for one, see whether nvidia-smi lists it and CUDA_VISIBLE_DEVICES does "
         "not hide it, or set execution.backend to cpu or auto";
}

template <class T>
std::unique_ptr<Context<T>> make_cuda_context(const Placement& placement) {
  return std::make_unique<CudaContext<T>>(placement);
}

template std::unique_ptr<Context<float>> make_cuda_context<float>(const Placement&);
template std::unique_ptr<Context<double>> make_cuda_context<double>(const Placement&);

}  // namespace armilla::backend
