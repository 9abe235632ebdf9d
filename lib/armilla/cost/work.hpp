#pragma once

#include <armilla/cost/kernel.hpp>
#include <armilla/dist/exchange_volume.hpp>

#include <span>
#include <vector>

namespace armilla::cost {

/// An amount of work over the ranks of a transform.
struct Load {
  double total = 0;    ///< of all ranks
  double largest = 0;  ///< of the rank that has most
  /// Of ranks that wait for each other after each of two works.
  Load& operator+=(const Load& other) {
    total += other.total;
    largest += other.largest;
    return *this;
  }
  /// How much longer all wait for the slowest: largest over mean; 1 where there is no work.
  double imbalance(int ranks) const { return total > 0 ? largest * ranks / total : 1; }
};

/// [rank] to a load.
Load over_ranks(std::span<const double> work);

/// Work of one kernel. Rates depend on `size` (lmax of a Legendre stage, pixels of the longest ring) and on whether
/// many maps are transformed together.
struct Item {
  Kernel kernel;
  double size = 0;
  Index maps = 1;
  Load load;
};

/// Whether the bytes of an exchange are exact: those of Delta are, which reports of runs count; values at points, whose
/// places are not known before a run, and rings of neighbours are not counted by reports.
enum class ExchangeKind { kDelta, kEstimated };

/// All-to-alls of one kind.
struct Exchange {
  double calls = 0;
  ExchangeKind kind = ExchangeKind::kDelta;
  double total_bytes = 0;         ///< sent to other ranks by all of them, of one call
  double largest_rank_bytes = 0;  ///< sent to others, or received, by one rank
  double largest_pair_bytes = 0;  ///< sent by one rank to another
  Index largest_buffer = 0;       ///< complex numbers of the largest buffer of a rank
  int partners = 0;               ///< other ranks that a rank sends to
  Index orders = 0;               ///< m of a rank, under whose Legendre stage parts travel; 0: behind it
};

/// What ranks have to do. Items of one kernel, size and number of maps are joined.
struct Work {
  std::vector<Item> items;
  std::vector<Exchange> exchanges;
  double fixed_seconds = 0;  ///< whatever the ranks do, in the phase "prepare"

  void add(const Item& item);
  void add(const Exchange& exchange);
  void add(const Work& other, double times = 1);
  /// Bytes sent to other ranks in all, of one kind of exchanges.
  double exchanged_bytes(ExchangeKind kind) const;
  /// Of all kernels of a phase whose name this is.
  Load load_of(const char* phase) const;
};

}  // namespace armilla::cost
