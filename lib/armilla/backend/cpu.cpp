#include <armilla/backend/cpu.hpp>
#include <armilla/backend/resampled_engine.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>

#include <utility>

namespace armilla::backend {

namespace {

// Creates an engine if resampling or exact quadrature is requested; otherwise returns null.
template <class T>
std::unique_ptr<QuadratureEngine<T>> quadrature_engine(const Options& options, const legendre::Task& task,
                                                       const math::MeridianCircle& circle) {
  if (is_resampled(options, task.lmax, task.pairs())) return make_resampled_engine<T>(options, task, circle);
  if (circle.points > 0) return make_quadrature_engine<T>(options.engine, task, circle);
  return nullptr;
}

template <class T>
class CpuStages final : public FieldStages<T> {
 public:
  CpuStages(const Options& options, const legendre::Task& legendre_task, const fft::RingTask& ring_task,
            const math::MeridianCircle& circle, std::shared_ptr<fft::PlanCache<T>> plans)
      : quadrature_(quadrature_engine<T>(options, legendre_task, circle)),
        plain_(quadrature_ ? nullptr : legendre::make_engine<T>(options.engine, legendre_task)),
        engine_(quadrature_ ? *quadrature_ : *plain_),
        rings_(ring_task, std::move(plans)) {}

  void legendre_synthesis(const std::complex<T>* alm, std::complex<T>* delta,
                          const legendre::Progress& progress) override {
    engine_.synthesis(alm, delta, progress);
  }
  void legendre_adjoint(const std::complex<T>* delta, std::complex<T>* alm,
                        const legendre::Progress& progress) override {
    engine_.adjoint(delta, alm, progress);
  }
  void legendre_analysis(std::complex<T>* delta, std::complex<T>* alm, const legendre::Progress& progress) override {
    check_quadrature(quadrature_ != nullptr);
    quadrature_->analysis(delta, alm, progress);
  }
  void legendre_adjoint_analysis(const std::complex<T>* alm, std::complex<T>* delta,
                                 const legendre::Progress& progress) override {
    check_quadrature(quadrature_ != nullptr);
    quadrature_->adjoint_analysis(alm, delta, progress);
  }
  void rings_synthesis(const std::complex<T>* delta, std::span<const double> factor, T* map) override {
    rings_.synthesis(delta, map, factor);
  }
  void rings_adjoint(const T* map, std::span<const double> factor, std::complex<T>* delta) override {
    rings_.adjoint(map, factor, delta);
  }

 private:
  std::unique_ptr<QuadratureEngine<T>> quadrature_;  // null if plain_ is used
  std::unique_ptr<legendre::Engine<T>> plain_;
  legendre::Engine<T>& engine_;
  fft::RingTransform<T> rings_;
};

template <class T>
class CpuContext final : public Context<T> {
 public:
  std::shared_ptr<Memory> memory() const override { return memory_; }
  std::unique_ptr<FieldStages<T>> make_stages(const Options& options, const legendre::Task& legendre_task,
                                              const fft::RingTask& ring_task, std::span<const Index>,
                                              const math::MeridianCircle& circle) override {
    return std::make_unique<CpuStages<T>>(options, legendre_task, ring_task, circle, plans_);
  }
  std::unique_ptr<RadialEngine<T>> make_radial_engine() override {
    throw core::InternalError("convolutions on the host use radial::Convolver");
  }
  std::unique_ptr<PointEngine<T>> make_point_engine(const PointTables<T>&) override {
    throw core::InternalError("sums at points on the host use nufft");
  }
  PlacedPoints<T> place_points(const kernels::NufftPlacement&, const double*, const double*, Index) override {
    throw core::InternalError("points on the host are placed by nufft::PointPlan");
  }

 private:
  std::shared_ptr<Memory> memory_ = host_memory();
  std::shared_ptr<fft::PlanCache<T>> plans_ = std::make_shared<fft::PlanCache<T>>();
};

}  // namespace

template <class T>
std::unique_ptr<Context<T>> make_cpu_context() {
  return std::make_unique<CpuContext<T>>();
}

template <class T>
core::MemoryEstimate cpu_memory(const Options& options, const legendre::Task& task, const fft::RingTask& ring_task,
                                const math::MeridianCircle& circle) {
  const bool resampled = is_resampled(options, task.lmax, task.pairs());
  const Index pairs =
      resampled ? resample::resampler_size(task.lmax, fine_grid(options, task.lmax)).source_pairs : task.pairs();
  core::MemoryEstimate memory = legendre::Engine<T>::memory(task.lmax, task.spin, pairs, task.width());
  if (resampled) memory += resampled_engine_memory<T>(options, task);
  if (circle.points > 0) memory += quadrature_engine_memory(task, circle.degree, resampled);
  return memory + fft::RingTransform<T>::memory(ring_task);
}

ARMILLA_INSTANTIATE(cpu_memory);
ARMILLA_INSTANTIATE(make_cpu_context);

}  // namespace armilla::backend
