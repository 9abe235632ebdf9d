#pragma once

#include <armilla/cost/rates.hpp>
#include <armilla/cost/work.hpp>

#include <string>
#include <vector>

namespace armilla::cost {

struct PhaseSeconds {
  std::string phase;
  double seconds;
};

/// Predicted wall clock of some work.
struct Prediction {
  std::vector<PhaseSeconds>
      phases;  ///< in the order of kernels(), "exchange" behind "legendre"; those of no time left out
  double total() const;
  /// Of that phase; 0 where there is none.
  double of(const std::string& phase) const;
  void add(const std::string& phase, double seconds);
  void add(const Prediction& other, double times = 1);
};

/// Each kernel takes its load on the slowest rank over its rate; each all-to-all a latency for each partner, and the
/// bytes of the slowest rank over its bandwidth (alpha-beta model, Szydlarski et al. 2013 eq. 17). Work of files counts
/// as that of all ranks together.
Prediction predict(const Work& work, const Occupancy& occupancy, const Rates& rates);

}  // namespace armilla::cost
