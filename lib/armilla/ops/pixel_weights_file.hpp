#pragma once

#include <armilla/comm/communicator.hpp>

#include <filesystem>
#include <span>
#include <vector>

namespace armilla::ops {

using core::Index;

/// A file of the cache with the corrections of pixel weights, of all orbits in order: a line of text that says what
/// they are, the numbers, a checksum of both. Rank 0 alone touches it; parts go to those who need them a few MB at a
/// time.
struct PixelWeightsFile {
  std::filesystem::path path;  ///< empty if there is no cache
  Index nside = 0;
  Index degree = 0;
  Index count = 0;  ///< of orbits

  /// Collective. Fills `own`, the orbits from `first` on. False, with a warning where there is a file, where it is not
  /// all that it should be; `own` is undefined then.
  bool read(const comm::Communicator& comm, Index first, std::span<double> own) const;

  /// Collective. Writes what the ranks hold, rank r the orbits begin[r] .. begin[r + 1] - 1 in `mine`, and fills `own`,
  /// the orbits from `first` on. Where the file cannot be written, `own` is filled all the same, and the log says so.
  void write(const comm::Communicator& comm, std::span<const Index> begin, std::span<const double> mine, Index first,
             std::span<double> own) const;
};

}  // namespace armilla::ops
