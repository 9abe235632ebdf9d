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

/// Pairs begin .. end - 1 of a task, which take places from `first` on; `room` places are theirs. Places stand in
/// blocks, [block][number][place of the block]: all of them, or vectors.
struct PairPlaces {
  Index begin, end;
  Index first, room;
  Index block;
};

/// Where Delta of the pairs of a task stands, as runs of neighbours: pairs of one block whose northern rings follow
/// each other, and whose southern rings go backwards, as they do on most grids. Halves of Delta are even and odd under
/// the mirror at the equator: north is their sum, south their difference.
class RingRuns {
 public:
  /// `even`, `odd` [pair]: factors of the halves.
  RingRuns(const Task& task, std::vector<double> even, std::vector<double> odd);

  /// Delta of own m number k at pairs begin .. end - 1 from halves[field of the set][4][padded]: real and imaginary
  /// part of the even and of the odd half, each half times its factor.
  template <class T>
  void unpack(const Task& task, Index k, const FieldSet& fields, Index begin, Index end, Index padded,
              const double* halves, std::complex<T>* delta) const;
  /// The transpose, to blocks of halves [field of the set][4][place of the block]; zeros at places without a pair.
  template <class T>
  void pack(const Task& task, Index k, const FieldSet& fields, const PairPlaces& places, const std::complex<T>* delta,
            double* halves) const;

  /// Lanes of the vectors of the kernels.
  static Index vector_lanes();

 private:
  template <class Body>
  void for_each_run(const Task& task, Index k, Index begin, Index end, Body&& body) const;

  template <class Body>
  static void for_each_block(Index from, Index count, const FieldSet& fields, Body&& body);

  std::vector<double> even_, odd_;  ///< [pair]
  std::vector<Index> run_end_;      ///< [pair] the pair behind the run that this one is in
};

}  // namespace armilla::legendre
