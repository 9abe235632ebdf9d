#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/dist/distribution.hpp>

#include <complex>
#include <span>
#include <vector>

namespace armilla::io {

using core::Index;

/// Brings distributed pixels to the root, block by block in the order of the grid, for formats that one process writes.
template <class T>
class PixelStream {
 public:
  PixelStream(const comm::Communicator& comm, const dist::PixelDistribution& pixels);
  /// Of any numbers of which each rank holds one range.
  PixelStream(const comm::Communicator& comm, std::span<const dist::PixelRange> ranges);
  /// Collective. Pixels first .. first + count - 1 of one component, whose own part is `mine`, into `out` on the root.
  void gather(std::span<const T> mine, Index first, Index count, std::span<T> out);

 private:
  const comm::Communicator& comm_;
  std::vector<std::vector<dist::PixelRange>> ranges_;  // [rank]
  std::vector<T> sent_;
  std::vector<T> received_;
};

/// Brings distributed coefficients to the root in ascending (l, m): l by l, of each l all m.
template <class T>
class AlmStream {
 public:
  AlmStream(const comm::Communicator& comm, const dist::AlmDistribution& alm);
  /// Number of (l, m) with l < `l`: where degree l begins in the stream.
  Index begin_of(Index l) const;
  /// Collective. Degrees first .. last - 1 of one component, whose own part is `mine`, into `out` on the root.
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
