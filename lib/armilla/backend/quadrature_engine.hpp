#pragma once

#include <armilla/backend/options.hpp>
#include <armilla/legendre/engine.hpp>
#include <armilla/math/meridian_circle.hpp>
#include <armilla/resample/theta_quadrature.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace armilla::backend {

using core::Index;

/// A Legendre engine with exact quadrature in theta on equidistant rings, resample::ThetaQuadrature, for fields up to
/// the degree of the circle, which is at least lmax. Delta is the mean of the pixels of a ring times exp(-i m phi).
template <class T>
class QuadratureEngine : public legendre::Engine<T> {
 public:
  using Complex = std::complex<T>;

  /// alm = 2 pi times the integrals over theta of Delta_m slambda_lm sin(theta); overwrites alm and Delta. Otherwise
  /// like legendre::Engine::adjoint.
  void analysis(Complex* delta, Complex* alm, const legendre::Progress& progress) {
    const auto work = [&](Index k, legendre::EngineWorkspace& workspace) { analyse(k, delta, alm, workspace); };
    this->for_each_m(progress, std::ref(work));
  }
  /// The transpose: alm -> Delta, overwritten. Otherwise like legendre::Engine::synthesis.
  void adjoint_analysis(const Complex* alm, Complex* delta, const legendre::Progress& progress) {
    const auto work = [&](Index k, legendre::EngineWorkspace& workspace) { adjoint_analyse(k, alm, delta, workspace); };
    this->for_each_m(progress, std::ref(work));
  }

  /// analysis() and adjoint_analysis() for the k-th local m, like legendre::Engine::apply_adjoint and synthesise.
  /// Throws InternalError if the engine was created without a circle of rings.
  virtual void analyse(Index k, Complex* delta, Complex* alm, legendre::EngineWorkspace& workspace) const = 0;
  virtual void adjoint_analyse(Index k, const Complex* alm, Complex* delta,
                               legendre::EngineWorkspace& workspace) const = 0;
};

/// The engine named `engine`, which uses the rings unchanged, with exact quadrature on the circle. Delta is transformed
/// in place to rings that need no weights, before the adjoint and after the synthesis. Throws InputError for an unknown
/// engine, and for rings that are not those of the circle.
template <class T>
std::unique_ptr<QuadratureEngine<T>> make_quadrature_engine(const std::string& engine, const legendre::Task& task,
                                                            const math::MeridianCircle& circle);

/// Memory of exact quadrature for fields up to `degree`, without the engine. A resampled engine already includes one
/// resampler, which the quadrature shares if `degree` is that of the task.
core::MemoryEstimate quadrature_engine_memory(const legendre::Task& task, Index degree, bool resampled);

/// The rings of a task on a circle; std::nullopt if the circle has no points.
std::optional<resample::CircleRings> circle_rings(const legendre::Task& task, const math::MeridianCircle& circle);

/// Creates a resampler of this degree whose targets are the pairs of the task, followed by a pair at the poles if the
/// quadrature on `rings` has one. If the options specify `deconvolved` rings, these are the targets.
resample::ThetaResampler make_quadrature_resampler(const Options& options, const legendre::Task& task, Index degree,
                                                   const std::optional<resample::CircleRings>& rings);

/// Throws InternalError unless `there`: the stages were created without exact quadrature.
void check_quadrature(bool there);

/// Whether Delta of the k-th local m may be non-zero at the poles.
inline bool at_pole(const legendre::Task& task, Index k) { return task.m[static_cast<std::size_t>(k)] == task.spin; }

}  // namespace armilla::backend
