#include <armilla/backend/cuda/segment_shape.hpp>
#include <armilla/backend/scalar_stage_tables.hpp>

#include <algorithm>
#include <cmath>

namespace armilla::backend {

namespace {

using core::at;
using kernels::RowKind;
using kernels::SegmentGroup;

constexpr auto kTwo = static_cast<Index>(sizeof(kernels::Two));

Index rounded_up(Index count, Index unit) { return (count + unit - 1) / unit * unit; }

}  // namespace

SegmentShape::SegmentShape(const legendre::Task& task)
    : scalar_(task), fields_(task.width()), rows_per_step_(scalar_.rows_per_step()) {
  const legendre::PairParts& parts = scalar_.parts();
  add_groups(task, RowKind::kPolar, parts.wigner, parts.polar);
  add_groups(task, RowKind::kSquare, parts.polar, parts.square);
  two_term_groups_ = static_cast<Index>(groups_.size());
  add_groups(task, RowKind::kEquator, parts.square, parts.end);
  const Index all = groups_.empty() ? 0 : groups_.back().first_slot + groups_.back().slots;
  for (std::size_t k = 0; k < task.m.size(); ++k) {
    const auto first = std::find_if(groups_.begin(), groups_.end(),
                                    [&](const SegmentGroup& group) { return group.end > task.first_pair[k]; });
    first_group_.push_back(first - groups_.begin());
    first_slot_.push_back(first_slot_.back() + (first == groups_.end() ? 0 : all - first->first_slot));
    const auto order = static_cast<Index>(k);
    first_sum_.push_back(first_sum_.back() + (groups_.end() - first) * scalar_.steps({order, order + 1}));
  }
}

// Functions grow between the first step of a group and the steps at which its other pairs start to contribute. With 128
// pairs of a Gauss grid, they are above 2^-310 where a long segment starts in which they contribute, for lmax 383 to
// 20000. The angle between the first and the last pair is limited accordingly.
void SegmentShape::add_groups(const legendre::Task& task, RowKind rows, Index begin, Index end) {
  const bool equator = rows == RowKind::kEquator;
  const Index most = equator ? kernels::kEquatorPairs : kernels::kGroupPairs;
  const Index unit = equator ? kernels::kEquatorPairs : kernels::kGroupUnit;
  const double angle = core::kPi * kernels::kGroupPairs / static_cast<double>(task.lmax + 1);
  const auto theta = [&](Index pair) { return std::asin(std::min(1.0, task.sin_theta[at(pair)])); };
  while (begin < end) {
    Index next = begin + 1;
    while (next < end && next < begin + most && theta(next) <= theta(begin) + angle) ++next;
    const Index first_slot = groups_.empty() ? 0 : groups_.back().first_slot + groups_.back().slots;
    groups_.push_back({rows, begin, next, rounded_up(next - begin, unit), first_slot});
    begin = next;
  }
}

Index SegmentShape::seeds(const OrderRange& range) const {
  return kernels::kSegments * (first_slot_[at(range.end)] - first_slot_[at(range.begin)]);
}

Index SegmentShape::scratch(const OrderRange& range, Direction direction) const {
  const Index coefficients = 2 * fields_ * scalar_.steps(range);  // or totals
  if (direction == Direction::kSynthesis) return coefficients;
  return coefficients + 2 * fields_ * (first_sum_[at(range.end)] - first_sum_[at(range.begin)]);
}

SegmentShape::Memory SegmentShape::memory(Index bytes) const {
  const Index most = bytes / kTwo;
  const auto fixed = [&](const OrderRange& range) { return rows(range) + seeds(range); };
  Index kept = 0;
  while (kept < all_orders() && fixed({0, kept + 1}) <= most) ++kept;
  Memory memory{kept, fixed({0, kept}), 0, 0, {}, {}};
  // Ranges whose arrays have at most `limit` values, or of one m; returns the largest number of values.
  const auto divide = [&](Direction direction, Index limit, std::vector<OrderRange>& ranges) {
    const auto need = [&](const OrderRange& range) {
      return scratch(range, direction) + (range.begin < kept ? 0 : fixed(range));
    };
    Index largest = 0;
    for (Index begin = 0; begin < all_orders();) {
      const Index last = begin < kept ? kept : all_orders();
      Index end = begin + 1;
      while (end < last && need({begin, end + 1}) <= limit) ++end;
      ranges.push_back({begin, end});
      largest = std::max(largest, need(ranges.back()));
      begin = end;
    }
    return largest;
  };
  memory.work = std::max(divide(Direction::kSynthesis, most, memory.synthesis),
                         divide(Direction::kAdjoint, most, memory.adjoint));
  if (memory.adjoint.size() > 1) {
    memory.adjoint.clear();
    memory.adjoint_half = divide(Direction::kAdjoint, most / 2, memory.adjoint);
    memory.work = std::max(memory.work, 2 * memory.adjoint_half);
  }
  return memory;
}

Index SegmentShape::tables() const {
  const Index orders = all_orders();
  return static_cast<Index>(sizeof(Index)) *
             (static_cast<Index>(first_group_.size() + first_slot_.size() + first_sum_.size()) +
              orders * static_cast<Index>(groups_.size())) +
         static_cast<Index>(sizeof(SegmentGroup) * groups_.size());
}

DeviceEstimate SegmentShape::estimate(const legendre::Task& task) {
  const SegmentShape shape(task);
  const OrderRange all{0, shape.all_orders()};
  const Index kept = kTwo * (shape.rows(all) + shape.seeds(all));
  WorkSpace work;
  for (const Direction direction : {Direction::kSynthesis, Direction::kAdjoint}) {
    const Index at_once = direction == Direction::kAdjoint ? 2 : 1;
    for (Index k = 0; k < all.end; ++k) {
      const OrderRange one{k, k + 1};
      const Index need = shape.scratch(one, direction) + shape.rows(one) + shape.seeds(one);
      work.least = std::max(work.least, kTwo * at_once * need);
    }
    work.most = std::max(work.most, kept + kTwo * shape.scratch(all, direction));
  }
  DeviceEstimate memory{ScalarStageTables::memory(task), {{0, kept}, work}};
  memory.held.tables += shape.tables();
  return memory;
}

}  // namespace armilla::backend
