#pragma once

#include <armilla/backend/context.hpp>

namespace armilla::backend {

/// The cores of this rank: a Legendre engine, by name, and FFTW.
template <class T>
std::unique_ptr<Context<T>> make_cpu_context(const Placement& placement);

extern template std::unique_ptr<Context<float>> make_cpu_context<float>(const Placement&);
extern template std::unique_ptr<Context<double>> make_cpu_context<double>(const Placement&);

}  // namespace armilla::backend
