#include "support/reference_rings.hpp"

namespace armilla::transform {
namespace {

struct Way {
  std::string name;
  backend::Options options;
};
class Reference : public testing::TestWithParam<Way> {};

INSTANTIATE_TEST_SUITE_P(Engines, Reference,
                         testing::Values(Way{"fast", {"fast", backend::ThetaResampling::kOff}},
                                         Way{"reference", {"reference", backend::ThetaResampling::kOff}},
                                         Way{"resampled", {"fast", backend::ThetaResampling::kOn}}),
                         [](const auto& parameter) { return parameter.param.name; });

TEST_P(Reference, EveryGroupOfRingsHolds) {
  const auto comm = comm::Communicator::world();
  const std::string file = test::reference_file("rings.h5");
  const std::string& way = GetParam().name;
  const auto takes = [&](Index lmax) {
    // The groups have few rings, and resampling runs the Legendre stage on all of lmax + 1.
    if (lmax > 2000 && way == "resampled") return false;
    // Two components of lmax 16383 fill 4 GiB and take 20 s: once, with the engine that users have.
    return lmax <= 10000 || (way == "fast" && comm.size() == 1);
  };
  const int groups = test::check_reference_rings(comm, file, backend::Kind::kCpu, GetParam().options, takes);
  EXPECT_GE(groups, way == "resampled" ? 20 : 30);
}

}  // namespace
}  // namespace armilla::transform
