// Compiled once per instruction set by Highway's foreach_target; the best one is chosen at run time.
#include <armilla/core/highway_targets.hpp>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "armilla/nufft/place_points.cpp"

#include <armilla/nufft/place_points.hpp>

#include <cstdint>
#include <numbers>

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
using PlaceVec = hn::Vec<PlaceTag>;

template <class D>
struct Placed {
  hn::Vec<D> first;
  hn::Vec<D> z;
};

// No fused operations: all instruction sets give the same position, which is the sum of `high` and `low`. That of
// periodic angles is reduced to one period.
template <bool kPeriodic, class D>
HWY_INLINE Placed<D> place(D d, const Placement& placement, double angle_shift, hn::Vec<D> angle) {
  using V = hn::Vec<D>;
  const hn::RebindToUnsigned<D> du;
  const auto leading = hn::Set(du, ~((std::uint64_t{1} << 27) - 1));
  const V start = hn::BitCast(d, hn::And(hn::BitCast(du, angle), leading));
  const V rest = hn::Sub(angle, start);
  const V product = hn::Mul(start, hn::Set(d, placement.high));
  V low = hn::Add(hn::Mul(start, hn::Set(d, placement.low)), hn::Mul(rest, hn::Set(d, placement.high + placement.low)));
  V shift = hn::Set(d, angle_shift);
  if constexpr (kPeriodic) {
    const V turns = hn::Floor(hn::Mul(product, hn::Set(d, 1 / placement.fine_length)));
    shift = hn::Add(shift, hn::Mul(turns, hn::Set(d, placement.fine_length)));
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
HWY_INLINE bool place_vector(D d, const Placement& placement, const double* theta, const double* phi, Index i,
                             PlacedBlock& block) {
  const hn::Rebind<std::int32_t, D> di;
  const hn::Vec<D> zero = hn::Zero(d);
  const hn::Vec<D> theta_i = hn::LoadU(d, theta + i), phi_i = hn::LoadU(d, phi + i);
  const auto good = hn::And(hn::And(hn::Ge(theta_i, zero), hn::Le(theta_i, hn::Set(d, core::kPi))),
                            hn::Le(hn::Abs(phi_i), hn::Set(d, kLargestAngle)));
  if (!hn::AllTrue(d, good)) return false;
  const Placed<D> in_theta = place<false>(d, placement, placement.theta_shift, theta_i);
  Placed<D> in_phi = place<true>(d, placement, placement.phi_shift, phi_i);
  in_phi.first = hn::IfThenElse(hn::Lt(in_phi.first, zero), hn::Add(in_phi.first, hn::Set(d, placement.fine_length)),
                                in_phi.first);
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

bool place_points(const Placement& placement, const double* theta, const double* phi, Index count, PlacedBlock& block) {
  constexpr auto kLanes = static_cast<Index>(hn::MaxLanes(PlaceTag()));
  Index i = 0;
  for (; i + kLanes <= count; i += kLanes)
    if (!place_vector(PlaceTag(), placement, theta, phi, i, block)) return false;
  for (; i < count; ++i)
    if (!place_vector(hn::CappedTag<double, 1>(), placement, theta, phi, i, block)) return false;
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
