#include <armilla/backend/scalar_stage_shape.hpp>
#include <armilla/core/error.hpp>

#include <algorithm>
#include <string>

#include <kernels/legendre/scalar_choices.hpp>

namespace armilla::backend {

namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// Warps below which a device has not enough to do: two for each of four schedulers of some 130 multiprocessors.
constexpr double kEnoughWarps = 1056;
constexpr int kMostThreads = 128;

constexpr Index padded(Index steps) {
  return (steps + kernels::kStepPadding - 1) / kernels::kStepPadding * kernels::kStepPadding;
}

}  // namespace

ScalarStageShape::ScalarStageShape(const legendre::Task& task)
    : parts_(task), fields_(task.width()), own_m_(static_cast<Index>(task.m.size())), first_step_{0} {
  if (task.spin > legendre::kMostScalarSpin)
    throw core::InternalError("spin " + std::to_string(task.spin) + " does not take the scalar recurrence");
  for (const Index m : task.m) first_step_.push_back(first_step_.back() + padded((task.lmax + task.spin - m) / 2 + 1));
}

kernels::PairBlocks ScalarStageShape::blocks_of(int pairs_per_thread) const {
  using kernels::RowKind;
  const Index most = std::max({parts_.polar - parts_.wigner, parts_.square - parts_.polar, Index{1}});
  const Index warps = (most + kernels::kWarp * pairs_per_thread - 1) / (kernels::kWarp * pairs_per_thread);
  kernels::PairBlocks blocks;
  blocks.threads = std::min(kMostThreads, static_cast<int>(warps) * kernels::kWarp);
  blocks.pairs_per_thread = pairs_per_thread;
  const auto add = [&](RowKind rows, Index begin, Index end) {
    if (begin == end) return;
    const Index block_pairs = blocks.threads * (rows == RowKind::kEquator ? 1 : pairs_per_thread);
    const Index count = (end - begin + block_pairs - 1) / block_pairs;
    blocks.sections[blocks.section_count++] = {rows, begin, end, block_pairs, count, blocks.count};
    blocks.count += count;
  };
  add(RowKind::kPolar, parts_.wigner, parts_.polar);
  add(RowKind::kSquare, parts_.polar, parts_.square);
  add(RowKind::kEquator, parts_.square, parts_.end);
  return blocks;
}

namespace {

// Warps of a section of `pairs` pairs.
double warps_of(Index pairs, int pairs_per_thread) {
  const Index each = kernels::kWarp * pairs_per_thread;
  return static_cast<double>((pairs + each - 1) / each);
}

// The power of two up to `most` of least cost(pairs per thread).
template <class Cost>
int best_pairs(int most, const Cost& cost) {
  int best = most;
  for (int pairs = most / 2; pairs > 0; pairs /= 2)
    if (cost(pairs) < cost(best)) best = pairs;
  return best;
}

}  // namespace

// Cycles of a multiprocessor for a step of a warp, P pairs per lane, G fields: two fused multiply-adds of a lane take
// one where all four schedulers are busy; a load of two numbers from shared memory, or two exchanges between lanes,
// take four and two at most.
kernels::PairBlocks ScalarStageShape::synthesis_blocks(int together, Index groups) const {
  const auto cost = [&](int pairs) {
    const double warps = warps_of(parts_.polar - parts_.wigner, pairs) + warps_of(parts_.square - parts_.polar, pairs);
    const double all = std::max(warps * static_cast<double>(own_m_ * groups), 1.0);
    const double cycles = std::max((1.0 + 2.0 * together) * pairs, 4.0 * (1 + 2 * together));
    return warps * cycles * std::max(1.0, kEnoughWarps / all);
  };
  return blocks_of(best_pairs(kernels::ScalarChoices::most_pairs_of_synthesis(together), cost));
}

kernels::PairBlocks ScalarStageShape::adjoint_blocks() const {
  const auto cost = [&](int pairs) {
    const double warps = warps_of(parts_.polar - parts_.wigner, pairs) + warps_of(parts_.square - parts_.polar, pairs);
    return warps * std::max(3.0 * pairs + 2, 8.0);
  };
  return blocks_of(best_pairs(kernels::ScalarChoices::kMostPairsOfAdjoint, cost));
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
  const Index sums = direction == Direction::kSynthesis ? 1 : adjoint_blocks().count;
  return steps(range) * (rows_per_step() + 2 * fields_ * sums);
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

Index ScalarStageShape::most_work(Index bytes) const {
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
