#pragma once

#include <armilla/comm/communicator.hpp>

#include <filesystem>
#include <span>
#include <vector>

namespace armilla::ops {

using core::Index;

/// A cache file with the corrections of pixel weights, of all orbits in order. It consists of a text line that
/// describes them, the values, and a checksum of both. Only rank 0 accesses it; parts are sent to the other ranks a few
/// MB at a time.
struct PixelWeightsFile {
  std::filesystem::path path;  ///< empty if there is no cache
  Index nside = 0;
  Index degree = 0;
  Index count = 0;  ///< of orbits

  /// Collective. Fills `own`, the orbits starting at `first`. Returns false if there is no valid file, with a warning
  /// if the file is damaged; `own` is unspecified then.
  bool read(const comm::Communicator& comm, Index first, std::span<double> own) const;

  /// Collective. Writes the orbits of all ranks; rank r passes the orbits begin[r] .. begin[r + 1] - 1 in `mine`. Fills
  /// `own`, the orbits starting at `first`. If the file cannot be written, `own` is filled nevertheless, and a log
  /// message says so.
  void write(const comm::Communicator& comm, std::span<const Index> begin, std::span<const double> mine, Index first,
             std::span<double> own) const;
};

}  // namespace armilla::ops
