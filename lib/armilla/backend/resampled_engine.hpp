#pragma once

#include <armilla/backend/options.hpp>
#include <armilla/backend/quadrature_engine.hpp>

namespace armilla::backend {

using core::Index;

/// A Legendre engine that runs options.engine on the least set of rings that fixes fields of degree
/// task.lmax, and carries Delta_m from there to the rings of the task by resample::ThetaResampler: faster where the
/// grid has clearly more rings than lmax + 1. All of it in double, whatever T is. Rings of the least set that lie
/// beyond the polar cut of the task count as zero. The adjoint is the exact transpose of the synthesis.
/// With a circle of rings it has exact quadrature: the weights are applied between the two sets of rings.
/// Throws InputError for an engine that does not exist, and rings that are not those of the circle.
template <class T>
std::unique_ptr<QuadratureEngine<T>> make_resampled_engine(const Options& options, const legendre::Task& task,
                                                           const math::MeridianCircle& circle = {});

/// Of a resampled engine, besides the engine inside and exact quadrature.
template <class T>
core::MemoryEstimate resampled_engine_memory(const Options& options, const legendre::Task& task);

}  // namespace armilla::backend
