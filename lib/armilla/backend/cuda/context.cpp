#include <armilla/backend/cuda.hpp>
#include <armilla/backend/cuda/cuda_memory.hpp>
#include <armilla/backend/cuda/cuda_point_engine.hpp>
#include <armilla/backend/cuda/cuda_radial_engine.hpp>
#include <armilla/backend/cuda/cuda_ring_modes.hpp>
#include <armilla/backend/cuda/device_rings.hpp>
#include <armilla/backend/cuda/legendre_stage.hpp>
#include <armilla/backend/cuda/place_points.hpp>
#include <armilla/backend/cuda/repeated_calls.hpp>
#include <armilla/backend/devices.hpp>
#include <armilla/core/instantiate.hpp>

#include <algorithm>
#include <optional>
#include <vector>

#include <kernels/core/device.hpp>

namespace armilla::backend {

namespace {

// 1/kUncounted of the free memory is reserved for kernels, cuFFT plans and gaps between arrays, which are not counted.
constexpr Index kUncounted = 16;
// If set_work() is not called, each workspace may use 1/kWorkShare of the memory of the rank.
constexpr Index kWorkShare = 8;
constexpr Index kMaxWork = Index{2} << 30;

// Memory for each of the ranks that share the current device.
Index room_of(const Placement& placement) {
  release_closed_arrays();
  const Index free = kernels::device_memory().free;
  return (free - free / kUncounted) / placement.ranks;
}

// Values in the Delta of a rank, before or after the exchange, whichever is larger.
Index delta_size(const legendre::Task& legendre, const fft::RingTask& rings) {
  const auto own_m = static_cast<Index>(legendre.m.size());
  const auto own_rings = static_cast<Index>(rings.rings.size());
  return std::max(own_m * 2 * legendre.pairs(), static_cast<Index>(rings.m_shift.size()) * own_rings) * rings.width();
}

// Both stages of one spin field on the current device, with all arrays there. Calls of small stages that are repeated
// with the same arrays are launched as graphs (RepeatedCalls).
template <class T>
class CudaStages final : public FieldStages<T> {
 public:
  using Complex = std::complex<T>;

  // Like LegendreStage and DeviceRings. The tables of both tasks must outlive it.
  CudaStages(const Options& options, const legendre::Task& legendre_task, const fft::RingTask& ring_task,
             std::span<const Index> ring_lengths, const math::MeridianCircle& circle, Index work_bytes,
             const kernels::Stream& stream)
      : ring_task_(ring_task),
        stream_(stream),
        rings_(ring_task, work_bytes, stream, {.plain = plain_lengths(ring_lengths)}),
        legendre_(options, legendre_task, circle, work_bytes, stream),
        calls_(delta_size(legendre_task, ring_task)) {}

  void legendre_synthesis(const Complex* alm, Complex* delta, const legendre::Progress& progress) override {
    if (progress.watch != nullptr) return synthesis_in_parts(alm, delta, progress);
    run({0, {alm, delta}},
        [&] { legendre_.synthesis(legendre_.all_orders(), DevicePointer(alm), DevicePointer(delta)); });
    tell(progress);
  }
  void legendre_adjoint(const Complex* delta, Complex* alm, const legendre::Progress& progress) override {
    if (progress.watch != nullptr) return adjoint_in_parts(delta, alm, progress);
    run({1, {delta, alm}},
        [&] { legendre_.adjoint(legendre_.all_orders(), DevicePointer(delta), DevicePointer(alm)); });
    tell(progress);
  }
  void legendre_analysis(Complex* delta, Complex* alm, const legendre::Progress& progress) override {
    if (progress.watch != nullptr) progress.watch->rest();  // the quadrature begins with all m
    run({2, {delta, alm}}, [&] { legendre_.analysis(DevicePointer(delta), DevicePointer(alm)); });
    tell(progress);
  }
  void legendre_adjoint_analysis(const Complex* alm, Complex* delta, const legendre::Progress& progress) override {
    run({3, {alm, delta}}, [&] { legendre_.adjoint_analysis(DevicePointer(alm), DevicePointer(delta)); });
    if (progress.watch != nullptr) {
      pass_on(legendre_.all_orders(), *progress.watch);
      progress.watch->rest();
    }
    tell(progress);
  }
  void rings_synthesis(const Complex* delta, std::span<const double> factor, T* map) override {
    const DevicePointer<const double> factors = upload_factor(factor);
    run({4, {delta, factors.address(), map}},
        [&] { rings_.synthesis(DevicePointer(delta), factors, DevicePointer(map), stream_); });
  }
  void rings_adjoint(const T* map, std::span<const double> factor, Complex* delta) override {
    const DevicePointer<const double> factors = upload_factor(factor);
    run({5, {map, factors.address(), delta}},
        [&] { rings_.adjoint(DevicePointer(map), factors, DevicePointer(delta), stream_); });
  }
  RingModeStage<T>* ring_modes() override {
    if (!ring_modes_) ring_modes_.emplace(ring_task_, legendre_, stream_);
    return &*ring_modes_;
  }

 private:
  template <class Work>
  void run(const RepeatedCalls::Call& call, const Work& work) {
    calls_.run(call, stream_, work);
    stream_.wait();
  }
  static void tell(const legendre::Progress& progress) {
    if (progress.tell) progress.tell(1);
  }
  // The ranges of local m whose Delta is exchanged together.
  std::vector<OrderRange> parts_of(const legendre::OrderWatch& watch) const {
    std::vector<OrderRange> parts;
    const OrderRange all = legendre_.all_orders();
    for (Index k = all.begin; k < all.end; k = parts.back().end) parts.push_back({k, watch.part_end(k)});
    return parts;
  }
  static void pass_on(const OrderRange& orders, legendre::OrderWatch& watch) {
    for (Index k = orders.begin; k < orders.end; ++k) watch.done(k);
  }
  // Launches the kernels of all parts, and passes on Delta of each part as soon as it is complete.
  void synthesis_in_parts(const Complex* alm, Complex* delta, const legendre::Progress& progress) {
    const std::vector<OrderRange> parts = parts_of(*progress.watch);
    part_ends_.resize(std::max(part_ends_.size(), parts.size()));
    for (std::size_t i = 0; i < parts.size(); ++i) {
      legendre_.synthesis(parts[i], DevicePointer(alm), DevicePointer(delta));
      part_ends_[i].record(stream_);
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
      part_ends_[i].wait();
      pass_on(parts[i], *progress.watch);
    }
    progress.watch->rest();
    stream_.wait();
    tell(progress);
  }
  // Launches the kernels of each part as soon as its Delta has arrived.
  void adjoint_in_parts(const Complex* delta, Complex* alm, const legendre::Progress& progress) {
    for (const OrderRange& orders : parts_of(*progress.watch)) {
      progress.watch->wanted(orders.begin);
      legendre_.adjoint(orders, DevicePointer(delta), DevicePointer(alm));
    }
    progress.watch->rest();
    stream_.wait();
    tell(progress);
  }
  DevicePointer<const double> upload_factor(std::span<const double> factor) {
    if (factor.empty()) return nullptr;
    const Index count = ring_factors(ring_task_).count;
    if (factor_.size() == 0) factor_ = kernels::DeviceBuffer<double>(count);
    kernels::copy(factor_.data(), factor.data(), count, stream_);
    return factor_.data();
  }

  fft::RingTask ring_task_;
  const kernels::Stream& stream_;
  DeviceRings<T> rings_;
  LegendreStage<T> legendre_;
  kernels::DeviceBuffer<double> factor_;  ///< [slot]
  RepeatedCalls calls_;
  std::vector<kernels::Event> part_ends_;
  std::optional<CudaRingModes<T>> ring_modes_;
};

template <class T>
class CudaContext final : public Context<T> {
 public:
  explicit CudaContext(const Placement& placement) : placement_(placement) {
    kernels::set_device(placement.device);
    stream_ = std::make_shared<const kernels::Stream>();
    memory_ = make_cuda_memory(stream_);
    work_bytes_ = std::min(room_of(placement) / kWorkShare, kMaxWork);
  }

  std::shared_ptr<Memory> memory() const override { return memory_; }
  Index room() const override { return room_of(placement_); }

  void set_work(Index bytes) override { work_bytes_ = bytes; }

  std::unique_ptr<FieldStages<T>> make_stages(const Options& options, const legendre::Task& legendre_task,
                                              const fft::RingTask& ring_task, std::span<const Index> ring_lengths,
                                              const math::MeridianCircle& circle) override {
    return std::make_unique<CudaStages<T>>(options, legendre_task, ring_task, ring_lengths, circle, work_bytes_,
                                           *stream_);
  }
  std::unique_ptr<RadialEngine<T>> make_radial_engine() override {
    return std::make_unique<CudaRadialEngine<T>>(work_bytes_, *stream_);
  }
  std::unique_ptr<PointEngine<T>> make_point_engine(const PointTables<T>& tables) override {
    return std::make_unique<CudaPointEngine<T>>(tables, work_bytes_, *stream_);
  }
  PlacedPoints<T> place_points(const kernels::NufftPlacement& placement, const double* theta, const double* phi,
                               Index count) override {
    kernels::set_device(stream_->device());
    return place_on_device<T>(placement, theta, phi, count, *stream_);
  }

 private:
  Placement placement_;
  Index work_bytes_ = 0;
  std::shared_ptr<const kernels::Stream> stream_;  ///< shared with the memory, which may outlive this object
  std::shared_ptr<Memory> memory_;
};

}  // namespace

void wait_for_device(int index) { kernels::wait_for_device(index); }

std::vector<Device> visible_devices() {
  std::vector<Device> devices;
  for (const kernels::DeviceProperties& device : kernels::devices())
    devices.push_back({device.name, device.uuid, device.compute_major, device.compute_minor, device.memory_bytes,
                       device.single_to_double});
  return devices;
}

std::string why_no_devices() { return kernels::why_no_devices(); }

std::int64_t peak_device_bytes() { return kernels::device_usage().peak; }
void forget_device_peak() { kernels::forget_peak(); }

std::string why_cuda_unusable() {
  if (!visible_devices().empty()) return {};
  const std::string reason = why_no_devices();
  if (!reason.empty())
    return reason + ": update the driver, use a build of armilla for this driver, or set backend to cpu";
  return "no GPU is visible: request one from the scheduler, check that nvidia-smi lists it and CUDA_VISIBLE_DEVICES "
         "does not hide it, or set backend to cpu or auto";
}

Device cuda_device(const Placement& placement) {
  return visible_devices().at(static_cast<std::size_t>(placement.device));
}

Index cuda_room(const Placement& placement) {
  kernels::set_device(placement.device);
  return room_of(placement);
}

template <class T>
std::unique_ptr<Context<T>> make_cuda_context(const Placement& placement) {
  return std::make_unique<CudaContext<T>>(placement);
}

ARMILLA_INSTANTIATE(make_cuda_context);

}  // namespace armilla::backend
