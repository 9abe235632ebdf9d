#include <armilla/core/instantiate.hpp>
#include <armilla/legendre/engine.hpp>
#include <armilla/legendre/store_coefficients.hpp>
#include <armilla/legendre/wigner_stage.hpp>

#include <utility>

namespace armilla::legendre {

namespace {

constexpr double kPolarCap = 0.05;

template <class T>
class ReferenceEngine final : public Engine<T> {
 public:
  using Complex = std::complex<T>;

  explicit ReferenceEngine(Task task) : task_(task), stage_(std::move(task), kPolarCap) {}

  Index count() const override { return static_cast<Index>(task_.m.size()); }
  std::unique_ptr<EngineWorkspace> make_workspace() const override { return std::make_unique<EngineWorkspace>(); }

  void synthesise(Index k, const Complex* alm, Complex* delta, EngineWorkspace&) const override {
    stage_.synthesise(k, task_.first_pair[static_cast<std::size_t>(k)], task_.pairs(), alm, delta);
  }

  void apply_adjoint(Index k, const Complex* delta, Complex* alm, EngineWorkspace&) const override {
    std::vector<std::complex<double>> sums(static_cast<std::size_t>(stage_.degrees(k) * task_.width()));
    stage_.apply_adjoint(k, task_.first_pair[static_cast<std::size_t>(k)], task_.pairs(), delta, sums);
    store_coefficients(task_, k, stage_.lowest(k), sums, alm);
  }

 private:
  Task task_;
  WignerStage<T> stage_;
};

}  // namespace

template <class T>
std::unique_ptr<Engine<T>> make_reference_engine(Task task) {
  return std::make_unique<ReferenceEngine<T>>(std::move(task));
}

ARMILLA_INSTANTIATE(make_reference_engine);

}  // namespace armilla::legendre
