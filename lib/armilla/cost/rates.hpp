#pragma once

#include <armilla/cost/kernel.hpp>

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
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

/// FMAs per second of the core that the built-in rates assume: two units with vectors of 4 doubles (AVX2) at 2.5 GHz.
inline constexpr double kBuiltInFmaPeak = 2e10;
/// Assumed rate of a file system for all ranks together [bytes/s].
inline constexpr double kBuiltInFileSystem = 1e10;
/// Description of the machine that the built-in rates assume.
inline constexpr const char* kBuiltInMachine = "cores with AVX2 at 2.5 GHz";

/// Rates of one single-threaded rank on a node of one rank, for kBuiltInMachine.
RateSet built_in_rates();

/// Rates that a user knows of a machine; they replace measured and built-in ones.
struct GivenRates {
  std::optional<double> file_system;  ///< of all ranks together, reading or writing [bytes/s]
  std::optional<double> fma_peak;     ///< of one core [FMA/s]
};

/// Parses "20G" or "5e9": a positive number, optionally followed by k, M, G or T (powers of 1000). Throws InputError
/// for any other text.
double parse_rate(const std::string& text);

/// How the ranks that access a file share the machine with others.
struct FileShare {
  double nodes = 0;  ///< whose network they have; 0: all nodes of the occupancy
  int groups = 1;    ///< that access files at the same time
};

/// A rate in use, for display.
struct RateUse {
  Kernel kernel;
  double rate;         ///< of one rank; for files, of the ranks of a group together
  double of_cores;     ///< for files: the rate at which processes keep a core busy, which may be more
  std::string source;  ///< of what limits `rate`: "built in: ...", "measured on ...", "given: ..."
};

/// Rates of an all-to-all.
struct ExchangeRate {
  double latency;      ///< time per partner [s]
  double bandwidth;    ///< of one rank [bytes/s]
  std::string source;  ///< "assumed" or "measured on ..."
};

/// Rates of one kind of machine, as written by `armilla bench --calibrate`.
class Rates {
 public:
  /// Rates of kBuiltInMachine; not calibrated.
  static Rates built_in();
  /// Reads a file. Throws InputError, which names the file, if it cannot be read or is damaged.
  static Rates from_file(const std::string& file);
  /// The cached rates for this machine, otherwise built_in().
  static Rates of_this_machine();
  /// The cache file for machines of this kind: processor model and instruction set. Empty if there is no cache.
  static std::filesystem::path cache_file();

  bool calibrated() const { return calibrated_; }
  /// Source for display: the file name, or a note that the rates are not calibrated; also the rates that are given.
  std::string source() const;
  const std::vector<RateSet>& sets() const { return sets_; }
  /// Adds a set, replacing one with the same occupancy.
  void put(const RateSet& set);
  /// Replaces rates by those given.
  void give(const GivenRates& given) { given_ = given; }
  /// Contents of a rates file.
  std::string text() const;

  /// Units of work per second of one rank (for files: of all ranks of the occupancy) with an occupancy. Uses the set
  /// with the nearest occupancy, scaled by the threads of a rank and interpolated between sizes. Kernels missing from
  /// all sets use built-in rates. A rank reads or writes at the rate of its process, up to the network of the nodes and
  /// the share of the file system; FITS files are written, and text is read, by one process only.
  double rate(Kernel kernel, double size, Index maps, const Occupancy& occupancy, const FileShare& share = {}) const {
    return use(kernel, size, maps, occupancy, share).rate;
  }
  /// rate() and its source.
  RateUse use(Kernel kernel, double size, Index maps, const Occupancy& occupancy, const FileShare& share = {}) const;
  /// Bytes per second of the file system for all ranks together, and its source.
  double file_system() const { return given_.file_system.value_or(kBuiltInFileSystem); }
  bool knows_file_system() const { return given_.file_system.has_value(); }
  std::string file_system_source() const { return knows_file_system() ? "given" : "assumed"; }
  /// Bytes per second of the network of a node, and its source.
  double node_network(const Occupancy& occupancy) const;
  std::string node_network_source(const Occupancy& occupancy) const;
  /// An exchange between nodes uses only sets that were measured on several nodes, or the assumed network.
  ExchangeRate exchange(const Occupancy& occupancy) const;
  /// Why a forecast for an occupancy is far from what was measured; empty if it is not.
  std::string extrapolation(const Occupancy& occupancy) const;
  /// Seconds of one all-to-all in which a rank sends `bytes` to `partners` other ranks (alpha-beta model, Szydlarski et
  /// al. 2013 eq. 17).
  double exchange_seconds(double bytes, int partners, const Occupancy& occupancy) const;
  /// Cores per node.
  int cores(const Occupancy& occupancy) const;
  /// Resident memory of a rank before a job.
  Index process_bytes(const Occupancy& occupancy) const;

 private:
  enum class FileLimit { kProcesses, kNetwork, kFileSystem };
  struct FileRate {
    double rate;
    FileLimit limit;
  };
  FileRate file_rate(double of_processes, const Occupancy& occupancy, const FileShare& share) const;
  /// The nearest of the sets that fit; the assumed one if none fits.
  const RateSet& nearest(const Occupancy& occupancy, const std::function<bool(const RateSet&)>& fits) const;
  std::string source_of(const RateSet& set) const;
  std::string network_source(const RateSet& set) const;
  /// The set with a rate of the network between nodes.
  const RateSet& network(const Occupancy& occupancy) const;
  const RateSet& exchange_set(const Occupancy& occupancy) const;
  /// The set that has the rate of a kernel.
  const RateSet& set_of(Kernel kernel, const Occupancy& occupancy) const;

  GivenRates given_;
  std::string machine_, instruction_set_, source_;
  std::vector<RateSet> sets_;
  bool calibrated_ = false;
};

/// The processor model of this machine; "unknown" if the system does not report it.
std::string processor_name();

}  // namespace armilla::cost
