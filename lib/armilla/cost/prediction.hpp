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

/// Predicted wall-clock time of some work.
struct Prediction {
  std::vector<PhaseSeconds>
      phases;  ///< in the order of kernels(), "exchange" after "legendre"; omits phases without time
  double total() const;
  /// Time of that phase; 0 if it is absent.
  double of(const std::string& phase) const;
  void add(const std::string& phase, double seconds);
  void add(const Prediction& other, double times = 1);
};

/// The time of each kernel is its load on the slowest rank divided by its rate. Each all-to-all takes a latency for
/// each partner, plus the bytes of the slowest rank divided by its bandwidth (alpha-beta model, Szydlarski et al. 2013
/// eq. 17). Work on files is that of all ranks together.
/// `share`: of the machine, for work on files.
Prediction predict(const Work& work, const Occupancy& occupancy, const Rates& rates, const FileShare& share = {});

/// The rates that predict() uses for a work, one for each kernel: that of its item with the most work.
std::vector<RateUse> rates_used(const Work& work, const Occupancy& occupancy, const Rates& rates,
                                const FileShare& share = {});

}  // namespace armilla::cost
