// Fits with a penalty. Dense solutions are compared in tests/cli/test_regularised_fits.py.
#include <armilla/grid/makers.hpp>
#include <armilla/ops/analysis.hpp>
#include <armilla/ops/map_faults.hpp>
#include <armilla/ops/solvers/fit_counts.hpp>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "fit_methods.hpp"
#include "support/distance.hpp"
#include "support/fields.hpp"
#include <gtest/gtest.h>

namespace armilla::ops {
namespace {

using transform::AlmField;
using transform::FieldKind;
using transform::FieldTransform;
using transform::MapField;

constexpr Index kDegree = 14;

Regularisation red_prior(Index components, double size) {
  Regularisation prior;
  for (Index c = 0; c < components; ++c) {
    std::vector<double>& spectrum = prior.spectra.emplace_back();
    for (Index l = 0; l <= kDegree; ++l)
      spectrum.push_back(l == 4 + c ? 0 : size / std::pow(1.0 + static_cast<double>(l + c), 3));
  }
  return prior;
}

AnalysisMethod with(AnalysisMethod method, const Regularisation& regularisation) {
  method.fit()->regularise = regularisation;
  return method;
}

/// Maps of noise where 16 % of the sky are left, with masks that differ from map to map and uneven weights.
template <class T>
class CutSky {
 public:
  CutSky(const comm::Communicator& comm, FieldKind kind, Index maps, Index first = 0)
      : transform(comm, test::make_spec(std::move(kind), std::make_shared<grid::RingGrid>(grid::make_healpix(8)),
                                        {kDegree, kDegree}, comm.size(), maps)),
        map(transform.spec().kind, transform.spec().pixels, comm.rank(), maps),
        mask(FieldKind::scalar(), transform.spec().pixels, comm.rank(), maps),
        depth(FieldKind::scalar(), transform.spec().pixels, comm.rank(), maps),
        alm(transform.spec().kind, transform.spec().alm, comm.rank(), maps) {
    test::fill_map(map, [&](Index k, Index c, Index p) {
      return test::noise(4, static_cast<std::uint64_t>(p), static_cast<std::uint64_t>(8 * (first + k) + c));
    });
    test::fill_map(mask, [&](Index k, Index, Index p) { return p > 300 && p < 420 + 20 * (first + k) ? 1.0 : 0.0; });
    test::fill_map(depth,
                   [&](Index k, Index, Index p) { return std::ldexp(1.0, static_cast<int>((p + first + k) % 7)); });
  }
  std::vector<AnalysisOutcome> fit(const AnalysisMethod& method) {
    test::poison(alm);
    return analysis(transform, map, alm, method, FitMaps<T>{&mask, &depth});
  }

  FieldTransform<T> transform;
  MapField<T> map, mask, depth;
  AlmField<T> alm;
};

/// Far below the unknowns of T, E, B, with fixed degrees.
TEST(RegularisedFit, AgreesBetweenSolversAndWithMapsAlone) {
  const auto comm = comm::Communicator::world();
  const auto kind = FieldKind::temperature_polarisation();
  for (const Regularisation& regularisation : {red_prior(3, 10), Regularisation{.penalty = 0.5}}) {
    CutSky<double> by_cg(comm, kind, 2), by_lsmr(comm, kind, 2), alone(comm, kind, 1, 1);
    for (const AnalysisOutcome& outcome : by_cg.fit(with(cg(1e-13), regularisation))) {
      EXPECT_TRUE(outcome.converged);
      EXPECT_GT(outcome.map_residual, 0.01);
      EXPECT_LT(outcome.map_residual, 1);
      EXPECT_GT(outcome.condition_iterations, 5);
    }
    for (const AnalysisOutcome& outcome : by_lsmr.fit(with(lsmr(1e-13), regularisation)))
      EXPECT_TRUE(outcome.converged);
    EXPECT_LE(test::distance(comm, by_lsmr.alm, by_cg.alm), 1e-10);
    alone.fit(with(cg(1e-13), regularisation));
    for (Index c = 0; c < 3; ++c) {
      const auto one = alone.alm.component(0, c), of_two = by_cg.alm.component(1, c);
      for (std::size_t i = 0; i < one.size(); ++i) EXPECT_EQ(one[i], of_two[i]);
    }
  }
}

TEST(RegularisedFit, WorksInSinglePrecisionAndForOtherSpins) {
  const auto comm = comm::Communicator::world();
  CutSky<double> exact(comm, FieldKind::spin(1), 1);
  EXPECT_TRUE(exact.fit(with(cg(1e-13), red_prior(2, 10))).front().converged);
  for (const AnalysisMethod& method : {cg(1e-5), lsmr(1e-5)}) {
    CutSky<float> sky(comm, FieldKind::spin(1), 1);
    const AnalysisOutcome outcome = sky.fit(with(method, red_prior(2, 10))).front();
    EXPECT_TRUE(outcome.converged);
    AlmField<double> found(exact.alm.kind(), exact.alm.shared_distribution(), comm.rank(), 1);
    for (std::size_t i = 0; i < found.data().size(); ++i) found.data()[i] = std::complex<double>(sky.alm.data()[i]);
    EXPECT_LE(test::distance(comm, found, exact.alm), 1e-5 * outcome.condition);  // tolerance over least eigenvalue
  }
}

/// A penalty of no weight changes nothing, one that outweighs the data gives 0.
TEST(RegularisedFit, HasTheLimitsOfItsPenalty) {
  const auto comm = comm::Communicator::world();
  for (const AnalysisMethod& method : {cg(1e-12), lsmr(1e-12)}) {
    CutSky<double> sky(comm, FieldKind::scalar(), 1), with_penalty(comm, FieldKind::scalar(), 1);
    for (MapField<double>* mask : {&sky.mask, &with_penalty.mask})
      test::fill_map(*mask, [](Index, Index, Index) { return 1.0; });
    sky.fit(method);
    with_penalty.fit(with(method, {.penalty = 1e-14}));
    EXPECT_LE(test::distance(comm, with_penalty.alm, sky.alm), 1e-9);
    with_penalty.fit(with(method, {.penalty = 1e200}));
    for (const std::complex<double>& a : with_penalty.alm.data()) EXPECT_LT(std::abs(a), 1e-190);
    with_penalty.fit(with(method, {.penalty = 0, .spectra = {std::vector<double>(kDegree + 1, 0.0)}}));
    for (const std::complex<double>& a : with_penalty.alm.data()) EXPECT_EQ(a, std::complex<double>(0));
  }
}

TEST(RegularisedFit, CountsDataAndUnknowns) {
  EXPECT_EQ(fit_unknowns(alm::AlmLayout(5, 5), {0, 0, 1}), 36);
  EXPECT_EQ(fit_unknowns(alm::AlmLayout(5, 2), {0, 0, 1}), 6 + 2 * (5 + 4));
  EXPECT_EQ(fit_unknowns(alm::AlmLayout(5, 5), {2, 0, 2}), 2 * (36 - 4));
  EXPECT_EQ(fit_unknowns(alm::AlmLayout(5, 1), {2, 0, 2}), 2 * (4 + 2 * 4));
  const auto comm = comm::Communicator::world();
  CutSky<double> sky(comm, FieldKind::temperature_polarisation(), 2);
  try {
    sky.fit(cg(1e-10));
    ADD_FAILURE() << "119 pixels for 225 unknowns";
  } catch (const MapFaults& found) {
    EXPECT_EQ(found.faults().size(), 2U);
    EXPECT_EQ(found.of(), FaultOf::kWeights);
    EXPECT_NE(std::string(found.what()).find("119 data"), std::string::npos) << found.what();
    EXPECT_NE(std::string(found.what()).find("225 unknowns"), std::string::npos) << found.what();
  }
}

}  // namespace
}  // namespace armilla::ops
