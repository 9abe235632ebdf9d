// Replaces backend/cuda/ in builds without CUDA.
#include <armilla/backend/cuda.hpp>
#include <armilla/backend/devices.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>

namespace armilla::backend {

std::vector<Device> visible_devices() { return {}; }

std::string why_no_devices() { return {}; }

void wait_for_device(int) {}

std::int64_t peak_device_bytes() { return 0; }
void forget_device_peak() {}

std::string why_cuda_unusable() {
  return "armilla was built without CUDA: rebuild it with nvcc (-DARMILLA_CUDA=ON), or set backend to "
         "cpu or auto";
}

Device cuda_device(const Placement&) { throw core::InternalError("a GPU was requested in a build without CUDA"); }

Index cuda_room(const Placement&) {
  throw core::InternalError("the memory of a GPU was requested in a build without CUDA");
}

template <class T>
std::unique_ptr<Context<T>> make_cuda_context(const Placement&) {
  throw core::InternalError("the CUDA backend was requested in a build without CUDA");
}

ARMILLA_INSTANTIATE(make_cuda_context);

}  // namespace armilla::backend
