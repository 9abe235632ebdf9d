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
static_assert(kCellRows == 1 << kCellRowBits && kCellColumns == 1 << kCellColumnBits);

using PlaceTag = hn::CappedTag<double, 8>;

// The parameters of a placement as vectors, loaded once per block.
template <class D>
struct PlacementVectors {
  using V = hn::Vec<D>;
  V high, low, sum;  ///< samples per radian: the two parts, and their sum, by which the rest of an angle is multiplied
  V fine_length, turns_per_sample;
  V theta_shift, phi_shift;
  hn::Vec<hn::RebindToUnsigned<D>> lanes;  ///< 0, 1, ...

  PlacementVectors(D d, const Placement& p)
      : high(hn::Set(d, p.high)),
        low(hn::Set(d, p.low)),
        sum(hn::Set(d, p.high + p.low)),
        fine_length(hn::Set(d, p.fine_length)),
        turns_per_sample(hn::Set(d, 1 / p.fine_length)),
        theta_shift(hn::Set(d, p.theta_shift)),
        phi_shift(hn::Set(d, p.phi_shift)),
        lanes(hn::Iota(hn::RebindToUnsigned<D>(), 0)) {}
};

template <class D>
struct Placed {
  hn::Vec<D> first;
  hn::Vec<hn::RebindToUnsigned<D>> q;  ///< as in PlacedPoint
};

// No FMA contraction, so that all instruction sets give the same position: the sum of `product`, which is exact, and
// `low`. The integer part is subtracted before rounding. `first` of a periodic angle is in -width .. fine_length.
template <bool kPeriodic, class D>
HWY_INLINE Placed<D> place(D d, const PlacementVectors<D>& placement, hn::Vec<D> angle) {
  using V = hn::Vec<D>;
  const hn::RebindToUnsigned<D> du;
  const auto leading = hn::Set(du, ~((std::uint64_t{1} << 27) - 1));
  const V start = hn::BitCast(d, hn::And(hn::BitCast(du, angle), leading));
  const V rest = hn::Sub(angle, start);
  const V product = hn::Mul(start, placement.high);
  const V low = hn::Add(hn::Mul(start, placement.low), hn::Mul(rest, placement.sum));
  const V whole = hn::Floor(product);
  const V shift = kPeriodic ? placement.phi_shift : placement.theta_shift;
  const V from_whole = hn::Add(hn::Sub(hn::Sub(product, whole), shift), low);
  const V steps = hn::Ceil(from_whole);
  V first = hn::Add(whole, steps);
  if constexpr (kPeriodic) {
    const V turns = hn::Floor(hn::Mul(product, placement.turns_per_sample));
    first = hn::Sub(first, hn::Mul(turns, placement.fine_length));
  }
  // z = 2 (steps - from_whole) - 1. q is rounded to the last bit of a number in [2^52, 2^53), and stays below 2^43.
  constexpr double kMost = 2 / PlacedPoint::kZStep, kBits = 0x1p52;
  const V scaled = hn::Mul(hn::Sub(steps, from_whole), hn::Set(d, kMost));
  const V with_bits = hn::Add(hn::Min(scaled, hn::Set(d, kMost - 1)), hn::Set(d, kBits));
  return {first, hn::And(hn::BitCast(du, with_bits), hn::Set(du, (std::uint64_t{1} << PlacedPoint::kZBits) - 1))};
}

// Stores PlacedPoints for windows that begin at `row` and `column` of their cells.
template <class D, class VQ = hn::Vec<hn::RebindToUnsigned<D>>, class VI = hn::Vec<hn::Rebind<std::int32_t, D>>>
HWY_INLINE void store_points(D, VQ q_theta, VQ q_phi, VI row, VI column, VQ numbers, PlacedPoint* points) {
  const hn::RebindToUnsigned<D> du;
  const hn::Rebind<std::uint32_t, D> du32;
  const auto place = hn::BitCast(du32, hn::Or(hn::ShiftLeft<PlacedPoint::kColumnBits>(row), column));
  const auto low_phi = hn::And(q_phi, hn::Set(du, (1U << PlacedPoint::kPlaceShift) - 1));
  const auto high_phi = hn::ShiftLeft<32>(hn::ShiftRight<PlacedPoint::kPlaceShift>(q_phi));
  const auto theta_word = hn::Or3(hn::ShiftLeft<PlacedPoint::kThetaShift>(q_theta),
                                  hn::ShiftLeft<PlacedPoint::kPlaceShift>(hn::PromoteTo(du, place)), low_phi);
  hn::StoreInterleaved2(theta_word, hn::Or(high_phi, numbers), du, &points->theta_word);
}

// Without kPack the points themselves are not stored.
template <bool kPack, class D>
HWY_INLINE bool place_vector(D d, const Placement& placement, const PlacementVectors<D>& vectors, const double* theta,
                             const double* phi, Index i, std::uint32_t number, PlacedBlock& block) {
  const hn::Rebind<std::int32_t, D> di;
  const hn::RebindToUnsigned<D> du;
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
  hn::StoreU(hn::Add(hn::Mul(strip, hn::Set(di, placement.columns)), cell_column), di, block.cell + i);
  if constexpr (kPack)
    store_points(d, in_theta.q, in_phi.q, hn::And(grid_row, hn::Set(di, std::int32_t{kCellRows - 1})),
                 hn::And(column, hn::Set(di, std::int32_t{kCellColumns - 1})),
                 hn::Add(hn::Set(du, number + static_cast<std::uint64_t>(i)), vectors.lanes), block.points() + i);
  return true;
}

template <bool kPack, class D>
HWY_INLINE bool place_vectors(D d, const Placement& placement, const double* theta, const double* phi, Index begin,
                              Index end, std::uint32_t number, PlacedBlock& block) {
  const PlacementVectors<D> vectors(d, placement);
  for (Index i = begin; i < end; i += static_cast<Index>(hn::MaxLanes(d))) {
    // Prefetches the angles of the next block, because hardware prefetchers stop at the end of a small page.
    hwy::Prefetch(theta + i + kPlaceBlock);
    hwy::Prefetch(phi + i + kPlaceBlock);
    if (!place_vector<kPack>(d, placement, vectors, theta, phi, i, number, block)) return false;
  }
  return true;
}

// Sets run_end and runs.
void find_runs(Index count, PlacedBlock& block) {
  const hn::CappedTag<std::int32_t, 16> d;
  constexpr auto kLanes = static_cast<Index>(hn::MaxLanes(decltype(d)()));
  block.cell[count] = -1;  // terminates the last run
  Index runs = 0;
  for (Index i = 0; i < count; i += kLanes) {
    const auto last = hn::And(hn::Ne(hn::LoadU(d, block.cell + i), hn::LoadU(d, block.cell + i + 1)),
                              hn::FirstN(d, static_cast<std::size_t>(count - i)));
    runs += static_cast<Index>(
        hn::CompressBlendedStore(hn::Iota(d, static_cast<std::int32_t>(i + 1)), last, d, block.run_end + runs));
  }
  block.runs = runs;
}

template <bool kPack>
bool place_block(const Placement& placement, const double* theta, const double* phi, Index count, std::uint32_t number,
                 PlacedBlock& block) {
  constexpr auto kLanes = static_cast<Index>(hn::MaxLanes(PlaceTag()));
  const Index whole = count / kLanes * kLanes;
  if (!place_vectors<kPack>(PlaceTag(), placement, theta, phi, 0, whole, number, block) ||
      !place_vectors<kPack>(hn::CappedTag<double, 1>(), placement, theta, phi, whole, count, number, block))
    return false;
  find_runs(count, block);
  return true;
}

bool find_cells(const Placement& placement, const double* theta, const double* phi, Index count, PlacedBlock& block) {
  return place_block<false>(placement, theta, phi, count, 0, block);
}

bool place_points(const Placement& placement, const double* theta, const double* phi, Index count, std::uint32_t number,
                  PlacedBlock& block) {
  return place_block<true>(placement, theta, phi, count, number, block);
}

}  // namespace armilla::nufft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace armilla::nufft {

HWY_EXPORT(find_cells);
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

bool find_cells(const Placement& placement, const double* theta, const double* phi, Index count, PlacedBlock& block) {
  return HWY_DYNAMIC_DISPATCH(find_cells)(placement, theta, phi, count, block);
}

bool place_points(const Placement& placement, const double* theta, const double* phi, Index count, std::uint32_t number,
                  PlacedBlock& block) {
  return HWY_DYNAMIC_DISPATCH(place_points)(placement, theta, phi, count, number, block);
}

}  // namespace armilla::nufft

#endif
