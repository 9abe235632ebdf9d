#pragma once

#include <armilla/cost/kernel.hpp>
#include <armilla/dist/exchange_volume.hpp>

#include <span>
#include <vector>

namespace armilla::cost {

/// An amount of work over the ranks of a transform.
struct Load {
  double total = 0;    ///< of all ranks together
  double largest = 0;  ///< of the rank with the largest load
  /// Adds the work of ranks that synchronise after each of the two works.
  Load& operator+=(const Load& other) {
    total += other.total;
    largest += other.largest;
    return *this;
  }
  /// Ratio of the largest load to the mean; 1 if there is no work.
  double imbalance(int ranks) const { return total > 0 ? largest * ranks / total : 1; }
};

/// Load of the ranks with the given work, [rank].
Load over_ranks(std::span<const double> work);

/// Work of one kernel. Rates depend on `size` (lmax of a Legendre stage, pixels of the longest ring) and on whether
/// many maps are transformed together.
struct Item {
  Kernel kernel;
  double size = 0;
  Index maps = 1;
  Load load;
};

/// Whether the bytes of an exchange are exact. Those of Delta are exact, and reports of runs count them. Values at
/// points, whose positions are unknown before a run, neighbouring rings, and whole maps that ranks deal among
/// themselves are estimated, and reports do not count them.
enum class ExchangeKind { kDelta, kEstimated };

/// All-to-alls of one kind.
struct Exchange {
  double calls = 0;
  ExchangeKind kind = ExchangeKind::kDelta;
  double total_bytes = 0;         ///< sent to other ranks by all ranks in one call
  double largest_rank_bytes = 0;  ///< sent to or received from other ranks by one rank
  double largest_pair_bytes = 0;  ///< sent by one rank to one other rank
  Index largest_buffer = 0;       ///< complex values of the largest buffer of a rank
  int partners = 0;               ///< other ranks to which a rank sends
  Index orders = 0;               ///< m of a rank whose Legendre stage overlaps with the exchange; 0: no overlap
};

/// Work of the ranks. Items with the same kernel, size and number of maps are merged.
struct Work {
  std::vector<Item> items;
  std::vector<Exchange> exchanges;
  double fixed_seconds = 0;  ///< independent of the ranks, in the phase "prepare"

  void add(const Item& item);
  void add(const Exchange& exchange);
  void add(const Work& other, double times = 1);
  /// Total bytes sent to other ranks by exchanges of one kind.
  double exchanged_bytes(ExchangeKind kind) const;
  /// Load of all kernels of the phase with this name.
  Load load_of(const char* phase) const;
};

}  // namespace armilla::cost
