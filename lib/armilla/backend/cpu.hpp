#pragma once

#include <armilla/backend/context.hpp>

namespace armilla::backend {

/// Context for the cores of this rank: a Legendre engine, by name, and FFTW.
template <class T>
std::unique_ptr<Context<T>> make_cpu_context();

/// Memory of the stages of one spin field, without FFT plans; with exact quadrature in theta if the circle has points.
template <class T>
core::MemoryEstimate cpu_memory(const Options& options, const legendre::Task& legendre_task,
                                const fft::RingTask& ring_task, const math::MeridianCircle& circle);

}  // namespace armilla::backend
