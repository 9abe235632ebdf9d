#include <armilla/backend/cuda.hpp>
#include <armilla/backend/devices.hpp>
#include <armilla/core/error.hpp>

namespace armilla::backend {

std::string why_cuda_unusable() {
  return "the CUDA backend is not complete in this version: set execution.backend to cpu or auto";
}

template <class T>
std::unique_ptr<Context<T>> make_cuda_context(const Placement&) {
  throw core::InternalError("the CUDA backend is not complete");
}

template std::unique_ptr<Context<float>> make_cuda_context<float>(const Placement&);
template std::unique_ptr<Context<double>> make_cuda_context<double>(const Placement&);

}  // namespace armilla::backend
