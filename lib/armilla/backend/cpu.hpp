#pragma once

#include <armilla/backend/backend.hpp>

namespace armilla::backend {

/// The Legendre engine that `options` ask for, and FFTW, on the cores of the rank.
template <class T>
std::unique_ptr<Backend<T>> make_cpu_backend(const Options& options, const legendre::Task& legendre_task,
                                             const fft::RingTask& ring_task, const math::MeridianCircle& circle,
                                             std::shared_ptr<fft::PlanCache<T>> plans);

extern template std::unique_ptr<Backend<float>> make_cpu_backend<float>(const Options&, const legendre::Task&,
                                                                        const fft::RingTask&,
                                                                        const math::MeridianCircle&,
                                                                        std::shared_ptr<fft::PlanCache<float>>);
extern template std::unique_ptr<Backend<double>> make_cpu_backend<double>(const Options&, const legendre::Task&,
                                                                          const fft::RingTask&,
                                                                          const math::MeridianCircle&,
                                                                          std::shared_ptr<fft::PlanCache<double>>);

}  // namespace armilla::backend
