#include <armilla/core/exception_collector.hpp>
#include <armilla/cost/radial_work.hpp>

#include <algorithm>

namespace armilla::cost {

namespace {

constexpr int kCountedRanks = 64;

Index pixels_of(const dist::PixelDistribution& pixels, dist::PairRange pairs) {
  Index count = 0;
  for (Index p = pairs.first; p < pairs.end; ++p)
    for (const Index ring : {pixels.grid().pairs()[core::at(p)].north, pixels.grid().pairs()[core::at(p)].south})
      if (ring >= 0) count += pixels.grid().rings()[core::at(ring)].nphi;
  return count;
}

/// FMA of all ranks, extrapolated from a sample if there are many.
Load count_rows(const std::vector<radial::ConvolutionTarget>& targets, const grid::RingGrid& in, int ranks) {
  const int counted = std::min(ranks, kCountedRanks);
  std::vector<double> counts(core::at(counted), 0.0);
  core::ExceptionCollector collect;
#pragma omp parallel for schedule(dynamic, 1)
  for (int i = 0; i < counted; ++i) {
    const int rank = counted == 1 ? 0 : static_cast<int>(static_cast<Index>(i) * (ranks - 1) / (counted - 1));
    collect([&] {
      for (const radial::ConvolutionTarget& target : targets)
        counts[core::at(i)] += radial::RowPlan(in, target.pixels->grid(), target.spec,
                                               {target.pixels->pair_begin(rank), target.pixels->pair_begin(rank + 1)})
                                   .count();
    });
  }
  collect.rethrow();
  Load load = over_ranks(counts);
  load.total *= static_cast<double>(ranks) / counted;
  return load;
}

}  // namespace

Work radial_work(const dist::PixelDistribution& in, const std::vector<radial::ConvolutionTarget>& targets, Index fields,
                 Index bytes_of_number) {
  Work work;
  Index longest = 1;
  for (const grid::Ring& ring : in.grid().rings()) longest = std::max(longest, ring.nphi);
  Load load = count_rows(targets, in.grid(), in.ranks());
  load.total *= static_cast<double>(fields);
  load.largest *= static_cast<double>(fields);
  work.add(Item{Kernel::kRadial, static_cast<double>(longest), 1, load});
  if (in.ranks() == 1) return work;
  const std::vector<dist::PairRange> needed = radial::needed_pairs(in, targets);
  Exchange halo{.calls = 1, .kind = ExchangeKind::kEstimated};
  for (int rank = 0; rank < in.ranks(); ++rank) {
    const dist::PairRange own{in.pair_begin(rank), in.pair_begin(rank + 1)};
    const dist::PairRange& want = needed[core::at(rank)];
    const Index missing =
        pixels_of(in, want) - pixels_of(in, {std::max(own.first, want.first),
                                             std::max(std::max(own.first, want.first), std::min(own.end, want.end))});
    const double bytes = static_cast<double>(missing * fields * bytes_of_number);
    halo.total_bytes += bytes;
    halo.largest_rank_bytes = std::max(halo.largest_rank_bytes, bytes);
  }
  halo.partners = std::min(2, in.ranks() - 1);
  halo.largest_pair_bytes = halo.largest_rank_bytes / halo.partners;
  work.add(halo);
  return work;
}

}  // namespace armilla::cost
