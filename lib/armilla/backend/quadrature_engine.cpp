#include <armilla/backend/delta_column.hpp>
#include <armilla/backend/quadrature_engine.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>

#include <utility>
#include <vector>

#include <omp.h>

namespace armilla::backend {

namespace {

using legendre::EngineWorkspace;
using legendre::Task;
using resample::CircleRings;
using resample::PairValue;
using resample::ThetaQuadrature;
using resample::ThetaResampler;

using core::at;

// Per-thread workspace, reused for all m.
struct QuadratureWorkspace final : EngineWorkspace {
  QuadratureWorkspace(std::unique_ptr<EngineWorkspace> inner_, const ThetaQuadrature& quadrature_)
      : inner(std::move(inner_)),
        resampling(quadrature_.grid_side()),
        quadrature(quadrature_, resampling),
        column(quadrature_.grid_side().target_pairs()) {}

  std::unique_ptr<EngineWorkspace> inner;
  ThetaResampler::Workspace resampling;
  ThetaQuadrature::Workspace quadrature;
  core::AlignedBuffer<PairValue> column;  // [pair]
};

template <class T>
class PlainEngine final : public QuadratureEngine<T> {
 public:
  using Complex = std::complex<T>;

  PlainEngine(const std::string& engine, const Task& task, const math::MeridianCircle& circle)
      : task_(task),
        circle_(circle_rings(task, circle)),
        resampler_(make_quadrature_resampler({}, task, circle.degree, circle_)),
        quadrature_(resampler_, resampler_, *circle_),
        inner_(legendre::make_engine<T>(engine, task)) {}

  Index count() const override { return inner_->count(); }
  std::unique_ptr<EngineWorkspace> make_workspace() const override {
    return std::make_unique<QuadratureWorkspace>(inner_->make_workspace(), quadrature_);
  }
  void synthesise(Index k, const Complex* alm, Complex* delta, EngineWorkspace& workspace) const override {
    inner_->synthesise(k, alm, delta, *static_cast<QuadratureWorkspace&>(workspace).inner);
  }
  void apply_adjoint(Index k, const Complex* delta, Complex* alm, EngineWorkspace& workspace) const override {
    inner_->apply_adjoint(k, delta, alm, *static_cast<QuadratureWorkspace&>(workspace).inner);
  }
  void analyse(Index k, Complex* delta, Complex* alm, EngineWorkspace& workspace) const override {
    weigh(k, delta, static_cast<QuadratureWorkspace&>(workspace));
    apply_adjoint(k, delta, alm, workspace);
  }
  void adjoint_analyse(Index k, const Complex* alm, Complex* delta, EngineWorkspace& workspace) const override {
    synthesise(k, alm, delta, workspace);
    weigh(k, delta, static_cast<QuadratureWorkspace&>(workspace));
  }

 private:
  void weigh(Index k, Complex* delta, QuadratureWorkspace& work) const {
    if (task_.first_pair[at(k)] == task_.pairs()) return;
    const auto parity = resample::pole_parity(task_.m[at(k)], task_.spin);
    for (Index w = 0; w < task_.width(); ++w) {
      read_column<T>(task_, delta, k, w, work.column.data());
      quadrature_.rings_to_rings(parity, at_pole(task_, k), work.column.data(), work.quadrature);
      write_column<T>(task_, work.column.data(), k, w, delta);
    }
  }

  Task task_;
  std::optional<CircleRings> circle_;
  ThetaResampler resampler_;
  ThetaQuadrature quadrature_;
  std::unique_ptr<legendre::Engine<T>> inner_;
};

}  // namespace

void check_quadrature(bool there) {
  if (!there) throw core::InternalError("exact quadrature was requested from an engine created without it");
}

std::optional<CircleRings> circle_rings(const Task& task, const math::MeridianCircle& circle) {
  if (circle.points == 0) return std::nullopt;
  return CircleRings(circle, {task.cos_theta, task.sin_theta, task.north_slot, task.south_slot});
}

ThetaResampler make_quadrature_resampler(const Options& options, const Task& task, Index degree,
                                         const std::optional<CircleRings>& rings) {
  if (options.deconvolved.length > 0) {
    if (rings || 2 * task.pairs() != options.deconvolved.length)
      throw core::InternalError("the rings of the fine grid in theta differ from those of the transform");
    return ThetaResampler(degree, options.deconvolved);
  }
  std::vector<double> cosines(task.cos_theta.begin(), task.cos_theta.end());
  std::vector<double> sines(task.sin_theta.begin(), task.sin_theta.end());
  if (rings && rings->has_extra()) {
    cosines.push_back(1);
    sines.push_back(0);
  }
  return ThetaResampler(degree, cosines, sines);
}

template <class T>
std::unique_ptr<QuadratureEngine<T>> make_quadrature_engine(const std::string& engine, const Task& task,
                                                            const math::MeridianCircle& circle) {
  check_quadrature(circle.points > 0);
  return std::make_unique<PlainEngine<T>>(engine, task, circle);
}

core::MemoryEstimate quadrature_engine_memory(const Task& task, Index degree, bool resampled) {
  const Index threads = omp_get_max_threads();
  auto memory = resample::ThetaQuadrature::memory(resampled ? task.lmax : degree, degree, task.pairs(), threads);
  if (resampled && degree == task.lmax) return memory;
  const auto resampler = [&](Index lmax, Index pairs) {
    return ThetaResampler::memory(lmax, pairs, threads, resample::fine_grid_of(lmax));
  };
  memory += resampler(degree, task.pairs() + 1);
  // Both resamplers use the workspaces of the larger one.
  if (resampled)
    memory.kept -= resampler(task.lmax, 0).kept;
  else
    memory.kept += threads * (task.pairs() + 1) * static_cast<Index>(sizeof(PairValue));
  return memory;
}

ARMILLA_INSTANTIATE(make_quadrature_engine);

}  // namespace armilla::backend
