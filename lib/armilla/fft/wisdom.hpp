#pragma once

#include <armilla/core/types.hpp>

#include <filesystem>
#include <set>
#include <string>

namespace armilla::fft {

using core::Index;

/// Whether plans of this length are chosen by FFTW_MEASURE: 1, 3, 5, 7, 9 or 15 times a power of two, from 512 on.
/// These are the lengths of most rings and of all padded chirps; to time all others too would take long.
bool is_measured(Index length);

/// The plans of one precision that this process knows. Instances: float, double.
template <class T>
struct Wisdom {
  /// The file of this precision, this FFTW and this kind of processor in core::cache_folder(); empty where there is
  /// none.
  static std::filesystem::path file();

  /// Adds to the process what FFTW_MEASURE finds for those of `lengths` that are measured: from the file where it has
  /// them, else timed now, at most half a second each, and added to the file. What the process or the file knows
  /// already does not change. One process at a time works on the file, others wait for it for some seconds. Returns
  /// text(). Where the file cannot be read, locked or written, all is measured for this process alone, and the log says
  /// so.
  static std::string measure(const std::set<Index>& lengths);

  /// What the process knows, as text for add() in another process on the same kind of machine.
  static std::string text();

  /// Adds such text. Returns false, and changes nothing, where it is damaged or of another version.
  static bool add(const std::string& text);

  /// As measure(), for one length and without the file; for plans that nobody prepared.
  static void learn(Index length);
};

}  // namespace armilla::fft
