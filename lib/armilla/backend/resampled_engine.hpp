#pragma once

#include <armilla/backend/quadrature_engine.hpp>

namespace armilla::backend {

using core::Index;

/// A Legendre engine that runs the engine called `engine` on the least set of rings that fixes fields of degree
/// task.lmax, and carries Delta_m from there to the rings of the task by resample::ThetaResampler: faster where the
/// grid has clearly more rings than lmax + 1. All of it in double, whatever T is. Rings of the least set that lie
/// beyond the polar cut of the task count as zero. The adjoint is the exact transpose of the synthesis.
/// With a circle of rings it has exact quadrature: the weights are applied between the two sets of rings.
/// Throws InputError for an engine that does not exist, and rings that are not those of the circle.
template <class T>
std::unique_ptr<QuadratureEngine<T>> make_resampled_engine(const std::string& engine, const legendre::Task& task,
                                                           const math::MeridianCircle& circle = {});

/// Bytes that a resampled engine takes on a rank with `threads` threads, beyond those of the engine inside, for
/// transforms of degree `lmax` with `width` = components * maps on `pairs` pairs of rings.
template <class T>
Index resampled_engine_bytes(Index lmax, Index pairs, Index width, int threads);

extern template std::unique_ptr<QuadratureEngine<float>> make_resampled_engine<float>(const std::string&,
                                                                                      const legendre::Task&,
                                                                                      const math::MeridianCircle&);
extern template std::unique_ptr<QuadratureEngine<double>> make_resampled_engine<double>(const std::string&,
                                                                                        const legendre::Task&,
                                                                                        const math::MeridianCircle&);
extern template Index resampled_engine_bytes<float>(Index, Index, Index, int);
extern template Index resampled_engine_bytes<double>(Index, Index, Index, int);

}  // namespace armilla::backend
