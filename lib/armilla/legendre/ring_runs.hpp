#pragma once

#include <armilla/legendre/task.hpp>

#include <complex>
#include <vector>

namespace armilla::legendre {

/// Some of the fields (component * maps + map) of a task.
struct FieldSet {
  Index first;
  Index step;
  Index count;
};

/// Pairs begin .. end - 1 of a task, stored from index `first` on in an array that reserves `room` entries for them.
/// Entries are stored in blocks, [block][value][entry of the block]; a block is the whole array or one vector.
struct StoredPairs {
  Index begin, end;
  Index first, room;
  Index block;
};

/// Storage of Delta of the pairs of a task, as runs of neighbours. A run consists of pairs of one block whose northern
/// rings are consecutive and whose southern rings are consecutive in reverse, as on most grids. The halves of Delta are
/// even and odd under reflection at the equator: north is their sum, south their difference.
class RingRuns {
 public:
  /// `even`, `odd` [pair]: factors of the halves.
  RingRuns(const Task& task, std::vector<double> even, std::vector<double> odd);

  /// Computes Delta of the local m with index k at pairs begin .. end - 1 from halves[field of the set][4][padded]. The
  /// four rows are the real and imaginary parts of the even and of the odd half, each half times its factor.
  template <class T>
  void unpack(const Task& task, Index k, const FieldSet& fields, Index begin, Index end, Index padded,
              const double* halves, std::complex<T>* delta) const;
  /// The transpose, to blocks of halves [field of the set][4][entry of the block]; entries without a pair are set to
  /// zero.
  template <class T>
  void pack(const Task& task, Index k, const FieldSet& fields, const StoredPairs& pairs, const std::complex<T>* delta,
            double* halves) const;

  /// Lanes of the kernels' vectors.
  static Index vector_lanes();

 private:
  template <class Body>
  void for_each_run(const Task& task, Index k, Index begin, Index end, Body&& body) const;

  template <class Body>
  static void for_each_block(Index from, Index count, const FieldSet& fields, Body&& body);

  std::vector<double> even_, odd_;  ///< [pair]
  std::vector<Index> run_end_;      ///< [pair] the end of the run that contains it
};

}  // namespace armilla::legendre
