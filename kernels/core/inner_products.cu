#include <kernels/core/check.hpp>
#include <kernels/core/device_team.cuh>
#include <kernels/core/inner_products_body.hpp>

namespace armilla::kernels {

namespace {

template <class Body>
__global__ void __launch_bounds__(kInnerThreads) inner_kernel(const __grid_constant__ Body body) {
  __shared__ typename Body::Shared shared;
  DeviceTeam<typename Body::Lane, typename Body::Shared> team(shared);
  body.run(team, static_cast<Index>(blockIdx.x));
}

template <class Body>
void launch(const Body& body, StreamHandle stream) {
  const Index count = body.systems.systems * body.systems.blocks;
  if (count == 0) return;
  inner_kernel<<<static_cast<unsigned>(count), kInnerThreads, 0, stream>>>(body);
  check_launch("inner products");
}

}  // namespace

void largest_products(const InnerSystems& systems, const InnerTerms<double>& terms, double* largest,
                      StreamHandle stream) {
  launch(LargestBody<double>{{systems}, terms, largest}, stream);
}
void largest_products(const InnerSystems& systems, const InnerTerms<float>& terms, double* largest,
                      StreamHandle stream) {
  launch(LargestBody<float>{{systems}, terms, largest}, stream);
}
void sum_products(const InnerSystems& systems, const InnerTerms<double>& terms, const double* grids, double* parts,
                  StreamHandle stream) {
  launch(PartsBody<double>{{systems}, terms, grids, parts}, stream);
}
void sum_products(const InnerSystems& systems, const InnerTerms<float>& terms, const double* grids, double* parts,
                  StreamHandle stream) {
  launch(PartsBody<float>{{systems}, terms, grids, parts}, stream);
}

}  // namespace armilla::kernels
