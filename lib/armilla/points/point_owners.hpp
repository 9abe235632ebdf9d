#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/dist/distribution.hpp>

#include <span>
#include <vector>

namespace armilla::points {

using core::Index;

/// Which rank works on which points: those whose colatitude, folded to the north, lies in its range of pairs of rows of
/// a fine grid. Ranges are balanced by points and rows. Points come to their owners once; values go there and back in
/// the order of the caller. Holds a reference to the communicator.
class PointOwners {
 public:
  /// Collective. `rows`: of the fine grid on 0 .. pi, even, row i at pi (i + 1/2) / rows. `theta` in [0, pi] and `phi`,
  /// both [rad], are the points that this rank gives, any number. Throws InputError with the number of the first
  /// invalid point of all ranks.
  PointOwners(const comm::Communicator& comm, Index rows, std::span<const double> theta, std::span<const double> phi);

  /// Points that this rank gives.
  Index given() const { return given_; }
  /// Points that it works on, and their coordinates; for one rank alone those that it gave, which must still be there.
  Index owned() const { return static_cast<Index>(theta_.size()); }
  std::span<const double> theta() const { return theta_; }
  std::span<const double> phi() const { return phi_; }
  /// Pairs of rows that the points of a rank lie in.
  dist::PairRange pairs(int rank) const { return {pair_begin_[core::at(rank)], pair_begin_[core::at(rank + 1)]}; }
  /// [rank] The first pair of each rank, and the end.
  std::span<const Index> pair_begin() const { return pair_begin_; }
  /// The pair of rows that a colatitude lies in.
  static Index pair_of(double theta, Index rows);
  /// [rank] The first pair of each rank, and the end, for so many points in each pair. A pair is not split.
  static std::vector<Index> ranges(std::span<const Index> counts, int ranks);

  /// Collective. Values [field][owned point] -> [field][given point], and the transpose.
  template <class T>
  void give_back(std::span<const T* const> owned, std::span<T* const> given) const;
  template <class T>
  void take(std::span<const T* const> given, std::span<T* const> owned) const;

 private:
  /// Either end of an exchange of values: points, how many of each rank, and in which order (empty: as they are).
  struct End {
    Index points;
    const std::vector<Index>& counts;
    std::span<const Index> order;

    Index place(Index i) const { return order.empty() ? i : order[core::at(i)]; }
  };
  template <class T>
  void carry(const End& from, std::span<const T* const> values, const End& to, std::span<T* const> results) const;
  int owner_of(double theta) const;
  /// [pair of rows] how many of these points lie in it.
  std::vector<Index> count_pairs(std::span<const double> theta) const;
  /// Finds who owns the given points: order_ and sent_.
  void order_by_owner(std::span<const double> theta);
  void exchange_points(std::span<const double> theta, std::span<const double> phi);

  const comm::Communicator& comm_;
  Index rows_;
  Index given_;
  std::vector<Index> pair_begin_;       // [rank]
  std::vector<Index> order_;            // numbers of the given points, by owner
  std::vector<Index> sent_, received_;  // [rank] points
  std::vector<double> theta_here_, phi_here_;
  std::span<const double> theta_, phi_;
};

}  // namespace armilla::points
