#pragma once

#include <armilla/cost/kernel.hpp>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace armilla::cost {

/// How ranks share machines.
struct Occupancy {
  int ranks = 1;
  int ranks_per_node = 1;
  int threads = 1;  ///< per rank
};

/// One measurement of a kernel.
struct Sample {
  double size = 0;     ///< as Item::size
  bool batch = false;  ///< for many maps together
  double rate = 0;     ///< units of work per second of one rank; for files, of all ranks together
};

/// Measurements with one occupancy. All ranks measured at the same time.
struct RateSet {
  Occupancy occupancy;
  int cores = 1;  ///< per node
  std::map<Kernel, std::vector<Sample>> samples;
  double latency = 0;       ///< time of an all-to-all per other rank [s]
  double bandwidth = 0;     ///< bytes per second that one rank sends in an all-to-all; 0: not measured
  Index process_bytes = 0;  ///< resident memory of a rank before a job, after MPI start
  Index peer_bytes = 0;     ///< its increase for each other rank of the node
};

/// Rates of one single-threaded rank on a node of one rank: typical of a core of 2020 to 2025 with AVX-512, and of a
/// network of 10 GB/s per node.
RateSet built_in_rates();

/// Rates of one kind of machine, as written by `armilla bench --calibrate`.
class Rates {
 public:
  /// Rates typical of cores of 2020 to 2025 with vectors of 8 doubles; not calibrated.
  static Rates built_in();
  /// Reads a file. Throws InputError, which names the file, if it cannot be read or is damaged.
  static Rates from_file(const std::string& file);
  /// The cached rates for this machine, otherwise built_in().
  static Rates of_this_machine();
  /// The cache file for machines of this kind: processor model and instruction set. Empty if there is no cache.
  static std::filesystem::path cache_file();

  bool calibrated() const { return calibrated_; }
  /// Source for display: the file name, or a note that the rates are not calibrated.
  const std::string& source() const { return source_; }
  const std::vector<RateSet>& sets() const { return sets_; }
  /// Adds a set, replacing one with the same occupancy.
  void put(const RateSet& set);
  /// Contents of a rates file.
  std::string text() const;

  /// Units of work per second of one rank (for files: of all ranks) with an occupancy. Uses the set with the nearest
  /// occupancy, scaled by the threads of a rank and interpolated between sizes. Kernels missing from all sets use
  /// built-in rates.
  double rate(Kernel kernel, double size, Index maps, const Occupancy& occupancy) const;
  /// Seconds of one all-to-all in which a rank sends `bytes` to `partners` other ranks (alpha-beta model, Szydlarski et
  /// al. 2013 eq. 17).
  double exchange_seconds(double bytes, int partners, const Occupancy& occupancy) const;
  /// Cores per node.
  int cores(const Occupancy& occupancy) const { return nearest(occupancy, false).cores; }
  /// Resident memory of a rank before a job.
  Index process_bytes(const Occupancy& occupancy) const;

 private:
  const RateSet& nearest(const Occupancy& occupancy, bool with_exchange) const;

  std::string machine_, instruction_set_, source_;
  std::vector<RateSet> sets_;
  bool calibrated_ = false;
};

/// The processor model of this machine; "unknown" if the system does not report it.
std::string processor_name();

}  // namespace armilla::cost
