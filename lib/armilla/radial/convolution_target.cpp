#include <armilla/radial/convolution_target.hpp>

#include <algorithm>

namespace armilla::radial {

using core::at;

RowPlan::PairRange hull(RowPlan::PairRange a, RowPlan::PairRange b) {
  if (a.first >= a.end) return b;
  if (b.first >= b.end) return a;
  return {std::min(a.first, b.first), std::max(a.end, b.end)};
}

RowPlan::PairRange needed_pairs(const RowPlan& plan, RowPlan::PairRange out) {
  if (out.first >= out.end) return {0, 0};
  return {plan.reach(out.first).first, plan.reach(out.end - 1).end};  // both ends increase with the pair
}

std::vector<RowPlan::PairRange> needed_pairs(const dist::PixelDistribution& in,
                                             const std::vector<ConvolutionTarget>& targets) {
  std::vector<RowPlan::PairRange> needed(at(in.ranks()), RowPlan::PairRange{0, 0});
  for (const ConvolutionTarget& target : targets) {
    const RowPlan plan(in.grid(), target.pixels->grid(), target.spec, {0, 0});
    for (int rank = 0; rank < in.ranks(); ++rank)
      needed[at(rank)] = hull(needed[at(rank)], needed_pairs(plan, target.pixels->own_pairs(rank)));
  }
  return needed;
}

}  // namespace armilla::radial
