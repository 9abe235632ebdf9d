// Compiled once per instruction set by Highway's foreach_target; the best one is chosen at run time.
#include <armilla/core/highway_targets.hpp>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "armilla/nufft/place_points.cpp"

#include <armilla/nufft/place_points.hpp>

#include <cstdint>
#include <numbers>

#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace armilla::nufft::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr int kCellRowBits = hwy::FloorLog2(kCellRows);
constexpr int kCellColumnBits = hwy::FloorLog2(kCellColumns);
constexpr int kCellPitchBits = hwy::FloorLog2(kCellPitch);
static_assert(kCellRows == 1 << kCellRowBits && kCellColumns == 1 << kCellColumnBits);
static_assert(kCellPitch == 1 << kCellPitchBits);

using PlaceTag = hn::CappedTag<double, 8>;

// Vectors of what a placement says: loaded once for a block.
template <class D>
struct PlacementVectors {
  using V = hn::Vec<D>;
  V high, low, sum;  ///< samples per radian: its parts and what remains of an angle is multiplied by
  V fine_length, turns_per_sample;
  V theta_shift, phi_shift;

  PlacementVectors(D d, const Placement& p)
      : high(hn::Set(d, p.high)),
        low(hn::Set(d, p.low)),
        sum(hn::Set(d, p.high + p.low)),
        fine_length(hn::Set(d, p.fine_length)),
        turns_per_sample(hn::Set(d, 1 / p.fine_length)),
        theta_shift(hn::Set(d, p.theta_shift)),
        phi_shift(hn::Set(d, p.phi_shift)) {}
};

template <class D>
struct Placed {
  hn::Vec<D> first;
  hn::Vec<D> z;
};

// No fused operations: all instruction sets give the same position, which is the sum of `high` and `low`. That of
// periodic angles is reduced to one period.
template <bool kPeriodic, class D>
HWY_INLINE Placed<D> place(D d, const PlacementVectors<D>& placement, hn::Vec<D> angle) {
  using V = hn::Vec<D>;
  const hn::RebindToUnsigned<D> du;
  const auto leading = hn::Set(du, ~((std::uint64_t{1} << 27) - 1));
  const V start = hn::BitCast(d, hn::And(hn::BitCast(du, angle), leading));
  const V rest = hn::Sub(angle, start);
  const V product = hn::Mul(start, placement.high);
  V low = hn::Add(hn::Mul(start, placement.low), hn::Mul(rest, placement.sum));
  V shift = placement.theta_shift;
  if constexpr (kPeriodic) {
    const V turns = hn::Floor(hn::Mul(product, placement.turns_per_sample));
    shift = hn::Add(placement.phi_shift, hn::Mul(turns, placement.fine_length));
  }
  // The difference and its rounding error (Knuth's sum of two).
  const V high = hn::Sub(product, shift);
  const V taken = hn::Sub(high, product);
  low = hn::Add(low, hn::Sub(hn::Sub(product, hn::Sub(high, taken)), hn::Add(shift, taken)));
  const V first = hn::Ceil(hn::Add(high, low));
  const V offset = hn::Sub(hn::Sub(first, high), low);
  return {first, hn::Sub(hn::Add(offset, offset), hn::Set(d, 1.0))};
}

template <class D>
HWY_INLINE bool place_vector(D d, const Placement& placement, const PlacementVectors<D>& vectors, const double* theta,
                             const double* phi, Index i, PlacedBlock& block) {
  const hn::Rebind<std::int32_t, D> di;
  const hn::Vec<D> zero = hn::Zero(d);
  const hn::Vec<D> theta_i = hn::LoadU(d, theta + i), phi_i = hn::LoadU(d, phi + i);
  const auto good = hn::And(hn::And(hn::Ge(theta_i, zero), hn::Le(theta_i, hn::Set(d, core::kPi))),
                            hn::Le(hn::Abs(phi_i), hn::Set(d, kLargestAngle)));
  if (!hn::AllTrue(d, good)) return false;
  const Placed<D> in_theta = place<false>(d, vectors, theta_i);
  Placed<D> in_phi = place<true>(d, vectors, phi_i);
  in_phi.first = hn::IfThenElse(hn::Lt(in_phi.first, zero), hn::Add(in_phi.first, vectors.fine_length), in_phi.first);
  const auto row = hn::DemoteTo(di, in_theta.first), column = hn::DemoteTo(di, in_phi.first);
  const auto is_outside =
      hn::Or(hn::Lt(row, hn::Set(di, placement.first_row)), hn::Gt(row, hn::Set(di, placement.last_row)));
  if (!hn::AllFalse(di, is_outside)) return false;
  const auto grid_row = hn::Sub(row, hn::Set(di, placement.first_grid_row));
  const auto strip = hn::ShiftRight<kCellRowBits>(grid_row);
  const auto cell_column = hn::ShiftRight<kCellColumnBits>(column);
  const auto row_in_cell = hn::And(grid_row, hn::Set(di, std::int32_t{kCellRows - 1}));
  const auto column_in_cell = hn::And(column, hn::Set(di, std::int32_t{kCellColumns - 1}));
  hn::StoreU(in_theta.z, d, block.z_theta + i);
  hn::StoreU(in_phi.z, d, block.z_phi + i);
  hn::StoreU(hn::Add(hn::Mul(strip, hn::Set(di, placement.columns)), cell_column), di, block.cell + i);
  hn::StoreU(hn::Add(hn::ShiftLeft<kCellPitchBits>(row_in_cell), column_in_cell), di, block.offset + i);
  return true;
}

template <class D>
HWY_INLINE bool place_vectors(D d, const Placement& placement, const double* theta, const double* phi, Index begin,
                              Index end, PlacedBlock& block) {
  const PlacementVectors<D> vectors(d, placement);
  for (Index i = begin; i < end; i += static_cast<Index>(hn::MaxLanes(d))) {
    // Those of the next block: hardware stops at the end of a small page.
    hwy::Prefetch(theta + i + kPlaceBlock);
    hwy::Prefetch(phi + i + kPlaceBlock);
    if (!place_vector(d, placement, vectors, theta, phi, i, block)) return false;
  }
  return true;
}

// Fills run_end and runs.
void find_runs(Index count, PlacedBlock& block) {
  const hn::CappedTag<std::int32_t, 16> d;
  constexpr auto kLanes = static_cast<Index>(hn::MaxLanes(decltype(d)()));
  block.cell[count] = -1;  // the last run ends with the points
  Index runs = 0;
  for (Index i = 0; i < count; i += kLanes) {
    const auto last = hn::And(hn::Ne(hn::LoadU(d, block.cell + i), hn::LoadU(d, block.cell + i + 1)),
                              hn::FirstN(d, static_cast<std::size_t>(count - i)));
    runs += static_cast<Index>(
        hn::CompressBlendedStore(hn::Iota(d, static_cast<std::int32_t>(i + 1)), last, d, block.run_end + runs));
  }
  block.runs = runs;
}

bool place_points(const Placement& placement, const double* theta, const double* phi, Index count, PlacedBlock& block) {
  constexpr auto kLanes = static_cast<Index>(hn::MaxLanes(PlaceTag()));
  const Index whole = count / kLanes * kLanes;
  if (!place_vectors(PlaceTag(), placement, theta, phi, 0, whole, block) ||
      !place_vectors(hn::CappedTag<double, 1>(), placement, theta, phi, whole, count, block))
    return false;
  find_runs(count, block);
  return true;
}

}  // namespace armilla::nufft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace armilla::nufft {

HWY_EXPORT(place_points);

Placement::Placement(const CellGrid& grid, const Band& band)
    : fine_length(static_cast<double>(grid.fine_length)),
      theta_shift(0.5 * grid.width + kRowShift),
      phi_shift(0.5 * grid.width),
      first_grid_row(static_cast<std::int32_t>(grid.first_strip * kCellRows)),
      columns(static_cast<std::int32_t>(grid.columns)),
      first_row(static_cast<std::int32_t>(band.first_row)),
      last_row(static_cast<std::int32_t>(band.end_row() - grid.width)) {
  const long double scale = static_cast<long double>(grid.fine_length) / (2 * std::numbers::pi_v<long double>);
  high = static_cast<double>(static_cast<float>(scale));
  low = static_cast<double>(scale - static_cast<long double>(high));
}

bool place_points(const Placement& placement, const double* theta, const double* phi, Index count, PlacedBlock& block) {
  return HWY_DYNAMIC_DISPATCH(place_points)(placement, theta, phi, count, block);
}

}  // namespace armilla::nufft

#endif
