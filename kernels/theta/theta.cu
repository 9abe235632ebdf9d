#include <kernels/core/check.hpp>
#include <kernels/core/stream.hpp>
#include <kernels/theta/theta_body.hpp>

namespace armilla::kernels {

namespace {

template <class Body, class... Arguments>
__global__ void __launch_bounds__(kThetaThreads) theta_kernel(const Arguments... arguments) {
  Body::run(arguments..., static_cast<Index>(blockIdx.x), static_cast<int>(threadIdx.x));
}

template <class Body, class... Arguments>
void launch(const char* name, StreamHandle stream, Index blocks, const Arguments&... arguments) {
  if (blocks == 0) return;
  theta_kernel<Body, Arguments...><<<static_cast<unsigned>(blocks), kThetaThreads, 0, stream>>>(arguments...);
  check_launch(name);
}

}  // namespace

}  // namespace armilla::kernels

#include <kernels/theta/theta_launchers.hpp>
