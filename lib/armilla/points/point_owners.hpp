#pragma once

#include <armilla/comm/item_exchange.hpp>
#include <armilla/dist/distribution.hpp>

#include <optional>
#include <span>
#include <vector>

namespace armilla::points {

using core::Index;

/// Assigns points to ranks by colatitude. A rank owns the points whose colatitude, folded to the north, is in its range
/// of row pairs of a fine grid. Ranges are balanced by points and rows. Points are sent to their owners once. Values
/// are exchanged in both directions, in the caller's order. Holds a reference to the communicator.
class PointOwners {
 public:
  /// Collective. `rows`: number of rows of the fine grid on 0 .. pi, even; row i is at pi (i + 1/2) / rows. `theta` in
  /// [0, pi] and `phi`, both [rad], are the points passed by this rank, any number. Throws InputError with the index of
  /// the first invalid point over all ranks.
  PointOwners(const comm::Communicator& comm, Index rows, std::span<const double> theta, std::span<const double> phi);
  /// For `count` points of a single rank whose coordinates are in device memory, and are not checked here.
  PointOwners(const comm::Communicator& comm, Index rows, Index count);

  /// Throws for the first invalid point; `offset`: index of the first one in messages.
  static void check(std::span<const double> theta, std::span<const double> phi, Index offset);

  /// Number of points passed by this rank.
  Index given() const { return given_; }
  /// Number of points owned by this rank.
  Index owned() const { return exchange_->received(); }
  /// Their coordinates; none if they are in device memory. A single rank refers to the coordinates it was passed, which
  /// must still exist.
  std::span<const double> theta() const { return theta_; }
  std::span<const double> phi() const { return phi_; }
  /// Row pairs that contain the points of a rank.
  dist::PairRange pairs(int rank) const { return {pair_begin_[core::at(rank)], pair_begin_[core::at(rank + 1)]}; }
  /// [rank] The first pair of each rank, and the end.
  std::span<const Index> pair_begin() const { return pair_begin_; }
  /// The row pair that contains a colatitude.
  static Index pair_of(double theta, Index rows);
  /// [rank] The first pair of each rank, and the end, for these numbers of points per pair. A pair is not split.
  static std::vector<Index> ranges(std::span<const Index> counts, int ranks);

  /// Collective. Values [field][owned point] -> [field][given point], and the transpose.
  template <class T>
  void give_back(std::span<const T* const> owned, std::span<T* const> given) const;
  template <class T>
  void take(std::span<const T* const> given, std::span<T* const> owned) const;

 private:
  int owner_of(double theta) const;
  /// [row pair] number of these points in it.
  std::vector<Index> count_pairs(std::span<const double> theta) const;
  void exchange_points(std::span<const double> theta, std::span<const double> phi);

  const comm::Communicator& comm_;
  Index rows_;
  Index given_;
  std::vector<Index> pair_begin_;  // [rank]
  std::optional<comm::ItemExchange> exchange_;
  std::vector<double> theta_here_, phi_here_;
  std::span<const double> theta_, phi_;
};

}  // namespace armilla::points
