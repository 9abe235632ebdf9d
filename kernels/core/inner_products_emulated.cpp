#include <kernels/core/host_team.hpp>
#include <kernels/core/inner_products_body.hpp>

namespace armilla::kernels {

namespace {

template <class Body>
void launch(const Body& body) {
  for (Index number = 0; number < body.systems.systems * body.systems.blocks; ++number) {
    HostTeam<typename Body::Lane, typename Body::Shared> team(kInnerThreads);
    body.run(team, number);
  }
}

}  // namespace

template <class Terms>
void largest_products(const InnerSystems& systems, const Terms& terms, double* largest, StreamHandle) {
  launch(LargestBody<Terms>{{systems}, terms, largest});
}

template <class Terms>
void sum_products(const InnerSystems& systems, const Terms& terms, const double* grids, double* parts, StreamHandle) {
  launch(PartsBody<Terms>{{systems}, terms, grids, parts});
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
