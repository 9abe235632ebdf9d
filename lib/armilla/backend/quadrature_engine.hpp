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

/// A Legendre engine that also has the exact quadrature in theta on equidistant rings, resample::ThetaQuadrature.
/// Delta is the mean of the pixels of a ring times exp(-i m phi).
template <class T>
class QuadratureEngine : public legendre::Engine<T> {
 public:
  using Complex = std::complex<T>;

  /// alm = 2 pi times the integrals over theta of Delta_m slambda_lm sin(theta); overwrites alm and Delta. As
  /// legendre::Engine::adjoint else.
  void analysis(Complex* delta, Complex* alm, const legendre::Progress& progress) {
    const auto work = [&](Index k, legendre::EngineWorkspace& workspace) { analyse(k, delta, alm, workspace); };
    this->for_each_m(progress, std::ref(work));
  }
  /// The transpose: alm -> Delta, overwritten. As legendre::Engine::synthesis else.
  void adjoint_analysis(const Complex* alm, Complex* delta, const legendre::Progress& progress) {
    const auto work = [&](Index k, legendre::EngineWorkspace& workspace) { adjoint_analyse(k, alm, delta, workspace); };
    this->for_each_m(progress, std::ref(work));
  }

  /// What these do for own m number k, as legendre::Engine::apply_adjoint and synthesise. Throw InternalError where the
  /// engine was made without a circle of rings.
  virtual void analyse(Index k, Complex* delta, Complex* alm, legendre::EngineWorkspace& workspace) const = 0;
  virtual void adjoint_analyse(Index k, const Complex* alm, Complex* delta,
                               legendre::EngineWorkspace& workspace) const = 0;
};

/// The engine called `engine`, which sees rings as they are, with exact quadrature on the circle: Delta is taken to
/// rings that need no weights, in place, before the adjoint and after the synthesis. Throws InputError for an engine
/// that does not exist, and rings that are not those of the circle.
template <class T>
std::unique_ptr<QuadratureEngine<T>> make_quadrature_engine(const std::string& engine, const legendre::Task& task,
                                                            const math::MeridianCircle& circle);

/// Of the exact quadrature, besides the engine: a resampled one has the half of it already.
core::MemoryEstimate quadrature_engine_memory(const legendre::Task& task, bool resampled);

/// The rings of a task on a circle; none where the circle has no points.
std::optional<resample::CircleRings> circle_rings(const legendre::Task& task, const math::MeridianCircle& circle);

/// Its targets are the pairs of the task, and a pair at the poles behind them where the quadrature on `rings` has one.
/// Where the options have rings that are `deconvolved`, these are the targets.
resample::ThetaResampler make_quadrature_resampler(const Options& options, const legendre::Task& task,
                                                   const std::optional<resample::CircleRings>& rings);

/// Throws InternalError where there is no quadrature.
void check_quadrature(bool there);

/// Whether Delta of own m number k need not vanish at the poles.
inline bool at_pole(const legendre::Task& task, Index k) { return task.m[static_cast<std::size_t>(k)] == task.spin; }

}  // namespace armilla::backend
