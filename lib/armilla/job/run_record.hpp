#pragma once

#include <armilla/core/timer.hpp>
#include <armilla/core/types.hpp>
#include <armilla/io/metadata.hpp>

#include <string>
#include <utility>
#include <vector>

namespace armilla::job {

using core::Index;

/// What a step `compare` found.
struct Comparison {
  std::string step, alm, reference;
  std::vector<std::pair<std::string, double>> relative_rms;  ///< per component
};

/// What a step `leakage` found: the lines through maps of B against their templates.
struct LeakageFits {
  std::string step, map;
  std::vector<double> slope, intercept;  ///< per map; the intercept has the unit of the map
};

/// Pixels of an input map that were set to zero.
struct ZeroedPixels {
  std::string input, file;
  io::BadPixels pixels;  ///< over all ranks and components
};

struct StepTime {
  std::string step;
  double seconds;  ///< of this rank
};

/// What a run leaves behind on one rank besides its files.
struct RunRecord {
  std::string backend;  ///< the one in use; empty where no step transformed
  core::PhaseTimers timers;
  Index bytes_sent = 0;
  std::vector<StepTime> steps;
  std::vector<Comparison> comparisons;
  std::vector<LeakageFits> leakage;
  std::vector<ZeroedPixels> zeroed;
};

}  // namespace armilla::job
