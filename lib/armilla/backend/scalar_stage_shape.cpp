#include <armilla/backend/scalar_stage_shape.hpp>
#include <armilla/core/error.hpp>

#include <algorithm>
#include <cmath>
#include <string>

#include <kernels/legendre/scalar_choices.hpp>

namespace armilla::backend {

namespace {

using core::at;

// Multiprocessors of the devices for which block sizes are optimised. Each has four warp schedulers.
constexpr double kMultiprocessors = 132;

// Errors of sums in float are about 2e-7 of rms. Spins divide them by sin^s. Near the equator, kTwoTerm computes even
// functions as differences of odd ones divided by cos(theta), with an error of 1.2e-8 / cos(theta) (measured at lmax
// 2047 to 8191). Rings where the error could reach 1e-6 use sums in double.
constexpr double kSingleLoss = 0.25;
constexpr double kSingleCosine = 0.04;

constexpr Index padded(Index steps) {
  return (steps + kernels::kStepPadding - 1) / kernels::kStepPadding * kernels::kStepPadding;
}

}  // namespace

ScalarStageShape::ScalarStageShape(const legendre::Task& task, core::Precision sums, Products products,
                                   const kernels::PairLimits& limits)
    : sums_(sums),
      products_(products),
      limits_(limits),
      parts_(task),
      fields_(task.width()),
      allow_tensor_cores_(task.allow_tensor_cores),
      own_m_(static_cast<Index>(task.m.size())),
      first_step_{0} {
  if (products == Products::kTensorCores && sums != core::Precision::kDouble)
    throw core::InternalError("the Legendre stage supports tensor cores in double precision only");
  if (task.spin > legendre::kMaxScalarSpin)
    throw core::InternalError("spin " + std::to_string(task.spin) + " does not use the scalar recurrence");
  for (const Index m : task.m) first_step_.push_back(first_step_.back() + padded((task.lmax + task.spin - m) / 2 + 1));
  single_begin_ = single_end_ = parts_.square;
  if (sums == core::Precision::kDouble) return;
  const auto power = [&](Index pair) { return std::pow(task.sin_theta[at(pair)], static_cast<double>(task.spin)); };
  single_begin_ = parts_.wigner;
  while (single_begin_ < parts_.square && power(single_begin_) < kSingleLoss) ++single_begin_;
  while (single_end_ > single_begin_ && std::abs(task.cos_theta[at(single_end_ - 1)]) < kSingleCosine) --single_end_;
}

kernels::PairBlocks ScalarStageShape::blocks_of(int pairs_per_thread, int max_threads) const {
  using kernels::RowKind;
  const Index most = std::max({parts_.polar - parts_.wigner, parts_.square - parts_.polar, Index{1}});
  const Index warps = (most + kernels::kWarp * pairs_per_thread - 1) / (kernels::kWarp * pairs_per_thread);
  kernels::PairBlocks blocks;
  blocks.sums = sums_;
  blocks.threads = std::min(max_threads, static_cast<int>(warps) * kernels::kWarp);
  blocks.pairs_per_thread = pairs_per_thread;
  const auto add = [&](RowKind rows, core::Precision sums, Index begin, Index end) {
    if (begin >= end) return;
    const int exact = sums_ == core::Precision::kDouble ? pairs_per_thread : kernels::exact_pairs(pairs_per_thread);
    const int each = rows == RowKind::kEquator ? 1 : sums == core::Precision::kDouble ? exact : pairs_per_thread;
    const Index block_pairs = blocks.threads * each;
    const Index count = (end - begin + block_pairs - 1) / block_pairs;
    blocks.sections[blocks.section_count++] = {rows, sums, begin, end, block_pairs, count, blocks.count};
    blocks.count += count;
  };
  using core::Precision;
  const auto add_rows = [&](RowKind rows, Index begin, Index end) {
    const Index single_begin = std::clamp(single_begin_, begin, end);
    const Index single_end = std::clamp(single_end_, begin, end);
    add(rows, Precision::kDouble, begin, single_begin);
    add(rows, Precision::kSingle, single_begin, single_end);
    add(rows, Precision::kDouble, single_end, end);
  };
  add_rows(RowKind::kPolar, parts_.wigner, parts_.polar);
  add_rows(RowKind::kSquare, parts_.polar, parts_.square);
  add(RowKind::kEquator, Precision::kDouble, parts_.square, parts_.end);
  return blocks;
}

namespace {

// Number of warps for a section of `pairs` pairs.
double warps_of(Index pairs, int pairs_per_thread) {
  const Index each = kernels::kWarp * pairs_per_thread;
  return static_cast<double>((pairs + each - 1) / each);
}

// The power of two, at most `most`, with the lowest cost(pairs per thread).
template <class Cost>
int best_pairs(int most, const Cost& cost) {
  int best = most;
  for (int pairs = most / 2; pairs > 0; pairs /= 2)
    if (cost(pairs) < cost(best)) best = pairs;
  return best;
}

}  // namespace

// Cost model for P pairs per lane and G fields. Per cycle, a multiprocessor completes two fused multiply-adds of a
// warp, if all four schedulers are busy, or four other instructions. A load of 16 bytes from shared memory takes at
// most four cycles, and two exchanges between lanes at most two.
// The time is the larger of two: that of all warps, which on average have half as many steps as the longest one, and
// that of the longest warp on its scheduler.
kernels::PairBlocks ScalarStageShape::synthesis_blocks(int together, Index groups, Index orders) const {
  const auto cost = [&](int pairs) {
    const double warps = warps_of(parts_.polar - parts_.wigner, pairs) + warps_of(parts_.square - parts_.polar, pairs);
    const double loads = sums_ == core::Precision::kSingle ? together : 2.0 * together;
    const double own = (1 + loads) * pairs;
    const double all = warps * static_cast<double>(orders * groups) * std::max(own, 4 * (1 + loads));
    return std::max(all / (2 * kMultiprocessors), 4 * own);
  };
  return blocks_of(best_pairs(limits_.synthesis_pairs, cost), limits_.synthesis_threads);
}

kernels::PairBlocks ScalarStageShape::adjoint_blocks() const {
  const auto cost = [&](int pairs) {
    const double warps = warps_of(parts_.polar - parts_.wigner, pairs) + warps_of(parts_.square - parts_.polar, pairs);
    const double cycles = sums_ == core::Precision::kSingle ? 2.0 * pairs + 1 : 3.0 * pairs + 2;
    return warps * std::max(cycles, 8.0);
  };
  return blocks_of(best_pairs(limits_.adjoint_pairs, cost), kernels::kMaxThreads);
}

// Cost model for a step of a warp. A scheduler takes eight cycles for 256 products on tensor cores and four for the
// recurrence of a lane; both are assumed to share a pipe. Shared memory of a multiprocessor transfers 128 bytes per
// cycle: four cycles for the values of 32 pairs, and a quarter of a cycle for the coefficients of a field.
kernels::PairBlocks ScalarStageShape::tensor_synthesis_blocks(int together, Index groups, Index orders) const {
  const auto cost = [&](int pairs) {
    const double warps = warps_of(parts_.polar - parts_.wigner, pairs) + warps_of(parts_.square - parts_.polar, pairs);
    const double pipe = (4.0 * together + 4) * pairs;
    const double own = std::max(pipe, 4 * (4.0 * pairs + 0.25 * together));
    return std::max(warps * static_cast<double>(orders * groups) * own / (8 * kMultiprocessors), pipe);
  };
  return blocks_of(best_pairs(kernels::ScalarChoices::kMaxTensorPairs, cost), kernels::kMaxThreads);
}

kernels::PairBlocks ScalarStageShape::tensor_adjoint_blocks() const {
  return blocks_of(kernels::ScalarChoices::kMaxTensorPairs, 2 * kernels::kMaxThreads);
}

bool ScalarStageShape::tensor_cores(bool has_them) const {
  if (products_ != Products::kByTask) return products_ == Products::kTensorCores;
  return has_them && sums_ == core::Precision::kDouble && allow_tensor_cores_;
}

bool ScalarStageShape::has(kernels::RowKind kind) const {
  switch (kind) {
    case kernels::RowKind::kPolar:
      return parts_.wigner < parts_.polar;
    case kernels::RowKind::kSquare:
      return parts_.polar < parts_.square;
    case kernels::RowKind::kEquator:
      break;
  }
  return parts_.square < parts_.end;
}

Index ScalarStageShape::rows_per_step() const {
  using kernels::RowKind;
  return (has(RowKind::kPolar) ? 1 : 0) + (has(RowKind::kSquare) ? 1 : 0) + (has(RowKind::kEquator) ? 2 : 0);
}

Index ScalarStageShape::steps(const OrderRange& range) const {
  return first_step_[at(range.end)] - first_step_[at(range.begin)];
}

Index ScalarStageShape::work(const OrderRange& range, Direction direction) const {
  const Index coefficients = sums_ == core::Precision::kSingle ? 3 : 2;
  Index blocks = tensor_cores(true) ? tensor_adjoint_blocks().count : 0;
  if (!tensor_cores(false)) blocks = std::max(blocks, adjoint_blocks().count);
  const Index numbers = direction == Direction::kSynthesis ? coefficients : 2 * blocks;
  return steps(range) * (rows_per_step() + fields_ * numbers);
}

std::vector<OrderRange> ScalarStageShape::ranges(Direction direction, Index bytes) const {
  const Index most = bytes / static_cast<Index>(sizeof(kernels::Two));
  std::vector<OrderRange> ranges;
  for (Index begin = 0; begin < own_m_;) {
    Index end = begin + 1;
    while (end < own_m_ && work({begin, end + 1}, direction) <= most) ++end;
    ranges.push_back({begin, end});
    begin = end;
  }
  return ranges;
}

Index ScalarStageShape::max_work(Index bytes) const {
  Index most = 0;
  for (const Direction direction : {Direction::kSynthesis, Direction::kAdjoint})
    for (const OrderRange& range : ranges(direction, bytes)) most = std::max(most, work(range, direction));
  return most;
}

ScalarStageShape::Bounds ScalarStageShape::work_bounds() const {
  Bounds bounds{0, 0};
  for (const Direction direction : {Direction::kSynthesis, Direction::kAdjoint}) {
    const auto bytes = [&](Index begin, Index end) {
      return work({begin, end}, direction) * static_cast<Index>(sizeof(kernels::Two));
    };
    for (Index k = 0; k < own_m_; ++k) bounds.single = std::max(bounds.single, bytes(k, k + 1));
    bounds.all = std::max(bounds.all, bytes(0, own_m_));
  }
  return bounds;
}

}  // namespace armilla::backend
