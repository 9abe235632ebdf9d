#include <armilla/backend/cpu.hpp>
#include <armilla/backend/resampled_engine.hpp>

#include <utility>

namespace armilla::backend {

namespace {

template <class T>
std::unique_ptr<legendre::Engine<T>> choose_engine(const Options& options, const legendre::Task& task) {
  if (is_resampled(options, task.lmax, task.pairs())) return make_resampled_engine<T>(options.engine, task);
  return legendre::make_engine<T>(options.engine, task);
}

template <class T>
class CpuBackend final : public Backend<T> {
 public:
  CpuBackend(const Options& options, const legendre::Task& legendre_task, const fft::RingTask& ring_task,
             std::shared_ptr<fft::PlanCache<T>> plans)
      : engine_(choose_engine<T>(options, legendre_task)), rings_(ring_task, std::move(plans)) {}

  std::string name() const override { return "cpu"; }
  void legendre_synthesis(const std::complex<T>* alm, std::complex<T>* delta,
                          const legendre::Progress& progress) override {
    engine_->synthesis(alm, delta, progress);
  }
  void legendre_adjoint(const std::complex<T>* delta, std::complex<T>* alm,
                        const legendre::Progress& progress) override {
    engine_->adjoint(delta, alm, progress);
  }
  void rings_synthesis(const std::complex<T>* delta, std::span<const double> factor, T* map) override {
    rings_.synthesis(delta, map, factor);
  }
  void rings_adjoint(const T* map, std::span<const double> factor, std::complex<T>* delta) override {
    rings_.adjoint(map, factor, delta);
  }

 private:
  std::unique_ptr<legendre::Engine<T>> engine_;
  fft::RingTransform<T> rings_;
};

}  // namespace

template <class T>
std::unique_ptr<Backend<T>> make_cpu_backend(const Options& options, const legendre::Task& legendre_task,
                                             const fft::RingTask& ring_task, std::shared_ptr<fft::PlanCache<T>> plans) {
  return std::make_unique<CpuBackend<T>>(options, legendre_task, ring_task, std::move(plans));
}

template std::unique_ptr<Backend<float>> make_cpu_backend<float>(const Options&, const legendre::Task&,
                                                                 const fft::RingTask&,
                                                                 std::shared_ptr<fft::PlanCache<float>>);
template std::unique_ptr<Backend<double>> make_cpu_backend<double>(const Options&, const legendre::Task&,
                                                                   const fft::RingTask&,
                                                                   std::shared_ptr<fft::PlanCache<double>>);

}  // namespace armilla::backend
