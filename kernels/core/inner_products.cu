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

template <class Terms>
void largest_products(const InnerSystems& systems, const Terms& terms, double* largest, StreamHandle stream) {
  launch(LargestBody<Terms>{{systems}, terms, largest}, stream);
}

template <class Terms>
void sum_products(const InnerSystems& systems, const Terms& terms, const double* grids, double* parts,
                  StreamHandle stream) {
  launch(PartsBody<Terms>{{systems}, terms, grids, parts}, stream);
}

template void largest_products(const InnerSystems&, const InnerTerms<double>&, double*, StreamHandle);
template void largest_products(const InnerSystems&, const InnerTerms<float>&, double*, StreamHandle);
template void largest_products(const InnerSystems&, const SquareTerms<double>&, double*, StreamHandle);
template void largest_products(const InnerSystems&, const SquareTerms<float>&, double*, StreamHandle);
template void sum_products(const InnerSystems&, const InnerTerms<double>&, const double*, double*, StreamHandle);
template void sum_products(const InnerSystems&, const InnerTerms<float>&, const double*, double*, StreamHandle);
template void sum_products(const InnerSystems&, const SquareTerms<double>&, const double*, double*, StreamHandle);
template void sum_products(const InnerSystems&, const SquareTerms<float>&, const double*, double*, StreamHandle);

}  // namespace armilla::kernels
