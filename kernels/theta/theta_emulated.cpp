#include <kernels/core/stream.hpp>
#include <kernels/theta/theta_body.hpp>

namespace armilla::kernels {

namespace {

template <class Body, class... Arguments>
void launch(const char*, StreamHandle, Index blocks, const Arguments&... arguments) {
  for (Index block = 0; block < blocks; ++block)
    for (int thread = 0; thread < kThetaThreads; ++thread) Body::run(arguments..., block, thread);
}

}  // namespace

}  // namespace armilla::kernels

#include <kernels/theta/theta_launchers.hpp>
