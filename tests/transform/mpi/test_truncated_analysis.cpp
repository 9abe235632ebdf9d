// Analysis to lmax below the degree of a field.
#include <armilla/comm/communicator.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/transform/field_transform.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "round_trip.hpp"
#include "support/distance.hpp"
#include "support/dot.hpp"
#include "support/fields.hpp"
#include <gtest/gtest.h>

namespace armilla::transform {
namespace {

using grid::RingGrid;

// Whether all fields up to the limits of the grid are integrated exactly.
bool claims_exactness(const grid::GridDescription& grid) {
  return grid.is_whole() && (grid.kind == "gauss" || grid.kind == "reduced_gauss" || grid.kind == "equiangular");
}

// Some exact grid and the limits of its fields.
struct ExactGrid {
  std::shared_ptr<const RingGrid> grid;
  Index lmax, mmax;
};

std::vector<ExactGrid> exact_grids() {
  std::vector<ExactGrid> grids;
  const auto add = [&](const grid::GridDescription& description) {
    if (!claims_exactness(description)) return;
    const auto grid = std::make_shared<RingGrid>(grid::make_grid(description));
    const grid::AnalysisLimits& limits = grid->analysis_limits();
    grids.push_back({grid, limits.lmax, std::min(limits.lmax, limits.mmax)});
  };
  for (const auto& kind : grid::grid_kinds()) {
    for (const auto& example : kind.examples) add(example);
    // Fewer pixels than rings: the field has no high m.
    if (!kind.rule.empty()) add({.kind = kind.kind, .rule = kind.rule, .nlat = 30, .nphi = 21});
  }
  return grids;
}

// A quarter, a half, just above a half, three quarters of the limit, and the limit.
std::vector<Index> degrees(Index limit) { return {limit / 4, limit / 2, limit / 2 + 1, 3 * limit / 4, limit}; }

// Synthesis of a field up to the limits of the grid, and its analysis to lmax.
void expect_truncation(const comm::Communicator& comm, const ExactGrid& on, Index lmax, Index spin,
                       backend::ThetaResampling resampling) {
  SCOPED_TRACE(on.grid->description().text() + ", lmax " + std::to_string(lmax) + ", spin " + std::to_string(spin) +
               ", resampling " + name_of(resampling));
  const auto kind = test::kind_of_spin(spin);
  auto whole = test::make_spec(kind, on.grid, alm::AlmLayout(on.lmax, on.mmax), comm.size());
  auto truncated = test::make_spec(kind, on.grid, alm::AlmLayout(lmax, std::min(lmax, on.mmax)), comm.size());
  truncated.pixels = whole.pixels;
  whole.options.theta_resampling = truncated.options.theta_resampling = resampling;
  AlmField<double> field(kind, whole.alm, comm.rank(), 1);
  MapField<double> map(kind, whole.pixels, comm.rank(), 1);
  test::fill_noise(field, 31);
  FieldTransform<double>(comm, whole).synthesis(field, map);
  FieldTransform<double> transform(comm, truncated);
  AlmField<double> found(kind, truncated.alm, comm.rank(), 1), expected(kind, truncated.alm, comm.rank(), 1);
  test::poison(found);
  transform.quadrature(map, found);
  test::fill_noise(expected, 31);
  EXPECT_LT(test::distance(comm, found, expected), 1e-12);

  // The adjoint: <A map, y> = <map, A^T y>, relative to the size of the terms.
  AlmField<double> y(kind, truncated.alm, comm.rank(), 1);
  MapField<double> from_y(kind, whole.pixels, comm.rank(), 1);
  test::fill_noise(y, 32);
  test::poison(from_y);
  transform.adjoint_quadrature(y, from_y);
  const double scale = std::sqrt(test::dot(comm, from_y, from_y) * test::dot(comm, map, map));
  EXPECT_NEAR(test::dot(comm, found, y), test::dot(comm, map, from_y), 1e-13 * scale);
  EXPECT_GT(scale, 0);
}

// Every `stride`-th combination; a stride that divides no number of values meets each of them. What differs on several
// ranks is the exchange: fewer combinations will do.
void expect_truncations(int stride, int stride_on_ranks) {
  const auto comm = comm::Communicator::world();
  if (comm.size() > 1) stride = stride_on_ranks;
  int number = 0;
  for (const ExactGrid& on : exact_grids())
    for (const Index lmax : degrees(on.lmax))
      for (const Index spin : {0, 1, 2})
        for (const auto resampling : kOnAndOff)
          if (number++ % stride == 0 && spin <= lmax && lmax <= on.lmax)
            expect_truncation(comm, on, lmax, spin, resampling);
}

TEST(TruncatedAnalysis, IsExactForAllFieldsThatTheGridDetermines) { expect_truncations(7, 47); }
TEST(TruncatedAnalysisSweep, IsExactForAllFieldsThatTheGridDetermines) { expect_truncations(1, 13); }

// Y_{l,0} = sqrt((2 l + 1) / (4 pi)) P_l(cos(theta)), with P_l from its recurrence.
double zonal_harmonic(Index l, double cosine) {
  double before = 0, value = 1;
  for (Index k = 0; k < l; ++k) {
    const auto degree = static_cast<double>(k);
    const double next = ((2 * degree + 1) * cosine * value - degree * before) / (degree + 1);
    before = value;
    value = next;
  }
  return std::sqrt(static_cast<double>(2 * l + 1) / (4 * core::kPi)) * value;
}

TEST(TruncatedAnalysis, FindsNothingOfAHarmonicAboveLmax) {
  const auto comm = comm::Communicator::world();
  const auto grid = std::make_shared<RingGrid>(grid::make_equiangular("cc", 361, 720));
  for (const auto resampling : kOnAndOff) {
    auto spec = test::make_spec(FieldKind::scalar(), grid, alm::AlmLayout(200, 200), comm.size());
    spec.options.theta_resampling = resampling;
    FieldTransform<double> transform(comm, spec);
    std::vector<double> of_ring;
    for (const grid::Ring& ring : grid->rings()) of_ring.push_back(zonal_harmonic(201, ring.cos_theta));
    MapField<double> map(spec.kind, spec.pixels, comm.rank(), 1);
    test::fill_map(map, [&](Index, Index, Index pixel) { return of_ring[static_cast<std::size_t>(pixel / 720)]; });
    AlmField<double> alm(spec.kind, spec.alm, comm.rank(), 1);
    test::poison(alm);
    transform.quadrature(map, alm);
    // The recurrence has 201 roundings of values of at most 5.7.
    for (const auto& coefficient : alm.data()) EXPECT_LT(std::abs(coefficient), 1e-13);
  }
}

}  // namespace
}  // namespace armilla::transform
