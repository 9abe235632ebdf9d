#pragma once

#include <armilla/backend/options.hpp>
#include <armilla/backend/quadrature_engine.hpp>

namespace armilla::backend {

using core::Index;

/// A Legendre engine that runs options.engine on the smallest set of rings that determines fields of degree task.lmax.
/// resample::ThetaResampler transforms Delta_m from there to the rings of the task. It is faster if the grid has
/// clearly more rings than lmax + 1. Everything is in double for any T. Source rings beyond the polar cut of the task
/// are treated as zero. The adjoint is the exact transpose of the synthesis. With a circle of rings it has exact
/// quadrature; the weights are applied between the two sets of rings. Throws InputError for an unknown engine, and for
/// rings that are not those of the circle.
template <class T>
std::unique_ptr<QuadratureEngine<T>> make_resampled_engine(const Options& options, const legendre::Task& task,
                                                           const math::MeridianCircle& circle = {});

/// Memory of a resampled engine, without the inner engine and exact quadrature.
template <class T>
core::MemoryEstimate resampled_engine_memory(const Options& options, const legendre::Task& task);

}  // namespace armilla::backend
