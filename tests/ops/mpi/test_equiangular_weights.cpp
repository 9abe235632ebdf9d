// Weights of analysis on equiangular grids.
#include <armilla/core/error.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/ops/analysis.hpp>
#include <armilla/ops/norms.hpp>

#include <string>
#include <vector>

#include "support/distance.hpp"
#include "support/fields.hpp"
#include <gtest/gtest.h>

namespace armilla::ops {
namespace {

using transform::AlmField;
using transform::FieldKind;
using transform::FieldTransform;
using transform::MapField;

constexpr WeightsSpec kRingWeights{WeightKind::kRing};

std::shared_ptr<const grid::RingGrid> equiangular(const std::string& rule) {
  return std::make_shared<grid::RingGrid>(grid::make_equiangular(rule, 33, 65));
}

// All schemes that need one weight per ring; fields without power above lmax.
TEST(EquiangularWeights, RingWeightsAreExactUpToHalfOfTheLimit) {
  const auto comm = comm::Communicator::world();
  const std::vector<AnalysisMethod> methods{{kRingWeights, Quadrature{}},
                                            {kRingWeights, Jacobi{1, iteration::Scheme::kRing}},
                                            {kRingWeights, Jacobi{1, iteration::Scheme::kNormalMatrix}},
                                            {kRingWeights, Immediate{1}}};
  for (const std::string rule : {"cc", "f1", "f2", "mw", "mwflip", "dh"}) {
    const auto grid = equiangular(rule);
    const Index lmax = grid->analysis_limits().weights_lmax;
    const bool mirrors = rule == "cc" || rule == "f1" || rule == "f2";
    for (std::size_t i = 0; i < methods.size(); ++i) {
      if (!mirrors && i == 2) continue;
      SCOPED_TRACE(rule + ", method " + std::to_string(i));
      const auto kind = FieldKind::polarisation();
      FieldTransform<double> transform(comm, test::make_spec(kind, grid, alm::AlmLayout(lmax, lmax), comm.size()));
      const auto& spec = transform.spec();
      AlmField<double> alm(kind, spec.alm, comm.rank(), 1), found(kind, spec.alm, comm.rank(), 1);
      MapField<double> map(kind, spec.pixels, comm.rank(), 1);
      test::fill_noise(alm, 3);
      test::poison(found);
      transform.synthesis(alm, map);
      analysis(transform, map, found, methods[i]);
      EXPECT_LT(test::distance(comm, found, alm), 1e-12);
    }
  }
}

void refused(const std::string& rule, Index lmax, const AnalysisMethod& method, const std::string& why) {
  const auto spec = test::make_spec(FieldKind::scalar(), equiangular(rule), alm::AlmLayout(lmax, lmax), 1);
  try {
    check_weights(method.weights, spec.pixels->grid());
    check_method(method, spec);
    FAIL() << why;
  } catch (const core::InputError& error) {
    EXPECT_EQ(std::string(error.what()), why);
  }
}

TEST(EquiangularWeights, RefusalsNameTheAlternative) {
  refused("cc", 17, {kRingWeights, Quadrature{}},
          "ring weights are exact on equiangular cc 33 x 65 only up to lmax = 16, not 17: use quadrature, which is "
          "exact up to nlat - 2 = 31");
  refused("cc", 16, {{}, Immediate{2}},
          "the immediate iteration requires one weight per ring, but the quadrature of equiangular cc 33 x 65 combines "
          "rings: use ring weights if the maps have no power above lmax = 16, or use quadrature");
  refused("mw", 30, {{}, Immediate{2}},
          "ring weights are exact on equiangular mw 33 x 65 only up to lmax = 16, not 30: use quadrature, which is "
          "exact up to nlat - 1 = 32");
  refused("cc", 16, {{}, Jacobi{1, iteration::Scheme::kNormalMatrix}},
          "scheme 'normal_matrix' is not available: it requires one weight per ring: use scheme pixel, or ring "
          "weights");
  refused("cc", 16, {{WeightKind::kRing, 10}, Quadrature{}},
          "degree = 10 applies to HEALPix only: the ring weights of equiangular cc 33 x 65 have no degree: remove the "
          "key");
}

}  // namespace
}  // namespace armilla::ops
