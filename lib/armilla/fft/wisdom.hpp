#pragma once

#include <armilla/core/types.hpp>

#include <filesystem>
#include <set>
#include <string>

namespace armilla::fft {

using core::Index;

/// Whether plans of this length are chosen by FFTW_MEASURE: 1, 3, 5, 7, 9 or 15 times a power of two, at least 512.
/// These are the lengths of most rings and of all padded chirps; measuring all other lengths would take too long.
bool is_measured(Index length);

/// The plans of one precision known to this process. Instances: float, double.
template <class T>
struct Wisdom {
  /// The file in core::cache_folder() for this precision, FFTW version and kind of processor; empty if there is no
  /// cache.
  static std::filesystem::path file();

  /// Adds to the process the results of FFTW_MEASURE for the measured lengths among `lengths`. They are taken from the
  /// file if available. Otherwise they are measured now, at most half a second each, and added to the file. Existing
  /// plans in the process or the file are not changed. One process at a time uses the file; others wait for some
  /// seconds. If the file cannot be read, locked or written, all lengths are measured for this process only, and a log
  /// message reports it.
  static void measure(const std::set<Index>& lengths);

  /// The plans of the process, as text for add() in another process on the same kind of machine.
  static std::string text();

  /// Adds text returned by text(). If it is damaged or of another version, returns false and changes nothing.
  static bool add(const std::string& text);

  /// Variant of measure() for one length, without the file; for plans that were not prepared.
  static void learn(Index length);
};

}  // namespace armilla::fft
