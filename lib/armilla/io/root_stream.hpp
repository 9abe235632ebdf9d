#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/dist/distribution.hpp>

#include <complex>
#include <span>
#include <vector>

namespace armilla::io {

using core::Index;

/// Gathers distributed pixels on the root, block by block in grid order, for formats that a single process writes.
template <class T>
class PixelStream {
 public:
  /// Collective.
  PixelStream(const comm::Communicator& comm, const dist::PixelDistribution& pixels);
  /// Not collective. For any values of which each rank holds one range: `ranges` has those of all ranks.
  PixelStream(const comm::Communicator& comm, std::span<const dist::PixelRange> ranges);
  /// Collective. Gathers pixels first .. first + count - 1 of one component into `out` on the root. `mine` holds this
  /// rank's pixels of that component.
  void gather(std::span<const T> mine, Index first, Index count, std::span<T> out);

 private:
  const comm::Communicator& comm_;
  std::vector<std::vector<dist::PixelRange>> ranges_;  // [rank]
  std::vector<T> sent_;
  std::vector<T> received_;
};

/// Gathers distributed coefficients on the root in ascending (l, m) order: all m of l = 0, then of l = 1, and so on.
template <class T>
class AlmStream {
 public:
  /// Collective.
  AlmStream(const comm::Communicator& comm, const dist::AlmDistribution& alm);
  /// Number of pairs (l, m) with l < `l`: the offset of degree l in the stream.
  Index begin_of(Index l) const;
  /// Collective. Gathers degrees first .. last - 1 of one component into `out` on the root. `mine` holds this rank's
  /// coefficients of that component.
  void gather(std::span<const std::complex<T>> mine, Index first, Index last, std::span<std::complex<T>> out);

 private:
  const comm::Communicator& comm_;
  alm::AlmLayout layout_;
  std::vector<std::vector<Index>> own_m_;  // [rank]
  std::vector<Index> offsets_;             // of this rank
  std::vector<std::complex<T>> sent_;
  std::vector<std::complex<T>> received_;
};

}  // namespace armilla::io
