#include "support/reference_rings.hpp"

namespace armilla::transform {
namespace {

using backend::ThetaResampling;

struct ReferenceWay {
  std::string name;
  backend::Options options;
};
class ReferenceRings : public testing::TestWithParam<ReferenceWay> {};

INSTANTIATE_TEST_SUITE_P(Engines, ReferenceRings,
                         testing::Values(ReferenceWay{"fast", {"fast", backend::ThetaResampling::kOff}},
                                         ReferenceWay{"reference", {"reference", backend::ThetaResampling::kOff}},
                                         ReferenceWay{"resampled", {"fast", backend::ThetaResampling::kOn}}),
                         [](const auto& parameter) { return parameter.param.name; });

// The groups have few rings, and resampling runs the Legendre stage on all of lmax + 1.
void expect_groups_hold(const ReferenceWay& way, Index from_lmax, Index to_lmax, int least) {
  const auto comm = comm::Communicator::world();
  const int groups =
      test::check_reference_rings(comm, test::reference_file("rings.h5"), backend::Kind::kCpu, way.options,
                                  [&](Index lmax) { return from_lmax <= lmax && lmax <= to_lmax; });
  EXPECT_GE(groups, least);
}

// On several ranks, by the engine that users have.
TEST_P(ReferenceRings, EveryGroupOfRingsHolds) {
  if (GetParam().name == "fast" || comm::Communicator::world().size() == 1) expect_groups_hold(GetParam(), 0, 2000, 30);
}

TEST(Reference, OfHighDegreesHolds) {
  if (comm::Communicator::world().size() == 1)
    expect_groups_hold({"fast", {"fast", ThetaResampling::kOff}}, 2001, 5000, 2);
}

TEST(ReferenceSweep, OfHighDegreesHolds) {
  for (const char* engine : {"fast", "reference"})
    expect_groups_hold({engine, {engine, ThetaResampling::kOff}}, 2001, 10000, 2);
  // Two components of lmax 16383 fill 4 GiB and take 20 s: once, with the engine that users have.
  if (comm::Communicator::world().size() == 1)
    expect_groups_hold({"fast", {"fast", ThetaResampling::kOff}}, 10001, 20000, 2);
}

}  // namespace
}  // namespace armilla::transform
