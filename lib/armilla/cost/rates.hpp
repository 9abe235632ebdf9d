#pragma once

#include <armilla/cost/kernel.hpp>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace armilla::cost {

/// How ranks share the machines that they run on.
struct Occupancy {
  int ranks = 1;
  int ranks_per_node = 1;
  int threads = 1;  ///< of each rank
};

/// One measurement of a kernel.
struct Sample {
  double size = 0;     ///< as Item::size
  bool batch = false;  ///< of many maps together
  double rate = 0;     ///< units of work per second of one rank; of files, of all ranks together
};

/// What was measured with one occupancy. All ranks measured at the same time.
struct RateSet {
  Occupancy occupancy;
  int cores = 1;  ///< of a node
  std::map<Kernel, std::vector<Sample>> samples;
  double latency = 0;       ///< seconds that an all-to-all takes for each other rank
  double bandwidth = 0;     ///< bytes per second that one rank sends in an all-to-all; 0: not measured
  Index process_bytes = 0;  ///< resident memory of a rank before a job, MPI started
  Index peer_bytes = 0;     ///< what it grows by for each other rank of its node
};

/// Rates of one kind of machine, as `armilla bench --calibrate` writes them.
class Rates {
 public:
  /// Typical of cores of 2020 to 2025 with vectors of 8 doubles; not calibrated.
  static Rates built_in();
  /// Those of a file. Throws InputError, which names the file, where it cannot be read or is damaged.
  static Rates from_file(const std::string& file);
  /// Those of the cache for this machine, else built_in().
  static Rates of_this_machine();
  /// The file of the cache for machines of this kind: model of the processor and instruction set. Empty without cache.
  static std::filesystem::path cache_file();

  bool calibrated() const { return calibrated_; }
  /// For people: the file, or that they are not calibrated.
  const std::string& source() const { return source_; }
  const std::vector<RateSet>& sets() const { return sets_; }
  /// Puts a set in place of one with the same occupancy, or adds it.
  void put(const RateSet& set);
  /// Text of a file.
  std::string text() const;

  /// Units of work per second of one rank (of files: of all ranks) with an occupancy: of the set with the nearest one,
  /// in proportion to the threads of a rank, interpolated between sizes. Kernels that no set has take built-in rates.
  double rate(Kernel kernel, double size, Index maps, const Occupancy& occupancy) const;
  /// Seconds of one all-to-all in which a rank sends `bytes` to `partners` others (alpha-beta model, Szydlarski et al.
  /// 2013 eq. 17).
  double exchange_seconds(double bytes, int partners, const Occupancy& occupancy) const;
  /// Cores of a node.
  int cores(const Occupancy& occupancy) const { return nearest(occupancy, false).cores; }
  /// Resident memory of a rank before a job.
  Index process_bytes(const Occupancy& occupancy) const;

 private:
  const RateSet& nearest(const Occupancy& occupancy, bool with_exchange) const;

  std::string machine_, instruction_set_, source_;
  std::vector<RateSet> sets_;
  bool calibrated_ = false;
};

/// The model of the processors of this machine; "unknown" where the system does not say.
std::string processor_name();

}  // namespace armilla::cost
