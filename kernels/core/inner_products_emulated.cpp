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

void largest_products(const InnerSystems& systems, const InnerTerms<double>& terms, double* largest, StreamHandle) {
  launch(LargestBody<double>{{systems}, terms, largest});
}
void largest_products(const InnerSystems& systems, const InnerTerms<float>& terms, double* largest, StreamHandle) {
  launch(LargestBody<float>{{systems}, terms, largest});
}
void sum_products(const InnerSystems& systems, const InnerTerms<double>& terms, const double* grids, double* parts,
                  StreamHandle) {
  launch(PartsBody<double>{{systems}, terms, grids, parts});
}
void sum_products(const InnerSystems& systems, const InnerTerms<float>& terms, const double* grids, double* parts,
                  StreamHandle) {
  launch(PartsBody<float>{{systems}, terms, grids, parts});
}

}  // namespace armilla::kernels
