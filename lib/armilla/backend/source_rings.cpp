#include <armilla/backend/source_rings.hpp>

#include <algorithm>

namespace armilla::backend {

std::vector<Index> first_source_pairs(const legendre::Task& task, std::span<const double> source_sin) {
  std::vector<Index> first_source;
  for (const Index first : task.first_pair) {
    if (first == task.pairs())
      first_source.push_back(static_cast<Index>(source_sin.size()));
    else if (first == 0)
      first_source.push_back(0);
    else
      first_source.push_back(
          std::upper_bound(source_sin.begin(), source_sin.end(), task.sin_theta[static_cast<std::size_t>(first - 1)]) -
          source_sin.begin());
  }
  return first_source;
}

SourceRings::SourceRings(const legendre::Task& task, std::span<const double> source_cos,
                         std::span<const double> source_sin, SourceDelta delta)
    : task_(task), first_pair_(first_source_pairs(task, source_sin)), pair_block_(source_sin.size(), 0) {
  const auto pairs = static_cast<Index>(source_sin.size());
  const Index of_order = 2 * pairs * task.width();
  for (Index p = 0; p < pairs; ++p) {
    north_slot_.push_back(2 * p);
    south_slot_.push_back(2 * p + 1);
  }
  for (std::size_t k = 0; k < task.m.size(); ++k)
    block_shift_.push_back(delta == SourceDelta::kAllOrders ? static_cast<Index>(k) * of_order : 0);
  delta_size_ = delta == SourceDelta::kAllOrders ? static_cast<Index>(task.m.size()) * of_order : of_order;
  task_.cos_theta = source_cos;
  task_.sin_theta = source_sin;
  task_.first_pair = first_pair_;
  task_.block_shift = block_shift_;
  task_.pair_block = pair_block_;
  task_.north_slot = north_slot_;
  task_.south_slot = south_slot_;
  task_.blocks = 1;
}

}  // namespace armilla::backend
