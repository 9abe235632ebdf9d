#pragma once

#include <armilla/core/types.hpp>

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace armilla::doctor {

using core::Index;

/// How grave a finding is.
enum class Severity { kWarning, kError };

/// Something that somebody should look into: what, where, and what to do.
struct Finding {
  Severity severity = Severity::kWarning;
  std::string topic;  ///< "binding", "MPI", "GPU", "file system", "arithmetic"
  std::string text;
};

/// What one rank sees.
struct RankFacts {
  int rank = 0;
  std::string host;
  std::vector<int> cpus;        ///< that it may run on
  int cores = 0;                ///< physical ones of these CPUs
  int numa_nodes = 1;           ///< of the node
  int threads = 1;              ///< OpenMP threads
  std::string omp_binding;      ///< OMP_PROC_BIND, or empty
  std::string instruction_set;  ///< of the Legendre kernels
  std::string program;          ///< core::program_identity()
  int launched_ranks = 0;       ///< as the launcher says in the environment; 0 where it does not
  Index free_bytes = 0;         ///< memory that the rank's node has for all of its ranks; -1 where nothing limits it
  std::string memory_bound;     ///< what sets it
  int visible_devices = 0;
  std::string device;       ///< name of the one that it takes, or empty
  std::string device_uuid;  ///< in hexadecimal digits
  std::string no_device;    ///< why there is a driver, but no device
};

/// The MPI library in use.
struct MpiFacts {
  std::string library;
  std::string threads;                 ///< the level that it provides, such as MPI_THREAD_MULTIPLE
  bool claims_device_memory = false;   ///< comm::takes_device_memory()
  std::string device_exchange = "no";  ///< "no": no device, or not claimed; "right"; "wrong"
};

/// A folder, as seen by all ranks.
struct FileSystemFacts {
  std::string folder;
  std::string type;         ///< such as ext4, nfs, lustre
  Index free_bytes = 0;     ///< that this user may still write
  Index written_bytes = 0;  ///< of the file that all ranks wrote and read back; 0 where this failed
  double write_seconds = 0;
  double read_seconds = 0;
  std::string locks;  ///< "right", or what is wrong with them
};

/// A small transform whose result is known.
struct ArithmeticFacts {
  Index lmax = 0;
  double round_trip = 0;  ///< relative rms error of coefficients after synthesis and quadrature; largest of components
  double exact_map = 0;   ///< largest error of the map of Y_10, relative to its maximum
  double limit = 0;       ///< that both must keep
};

/// All of it. On the root; elsewhere only `exit_code`.
struct Report {
  std::vector<RankFacts> ranks;
  MpiFacts mpi;
  std::string device_check;  ///< what the check of devices said; empty without devices
  FileSystemFacts files;
  ArithmeticFacts arithmetic;
  std::vector<Finding> findings;
  int exit_code = 0;  ///< 0 without findings, 1 with warnings, core::kExitResource with errors
};

/// Exit code of a report with warnings, but without errors.
inline constexpr int kExitWarnings = 1;

/// One page for the terminal.
std::string report_text(const Report& report);
/// The same with the facts of every rank.
nlohmann::json report_json(const Report& report);

}  // namespace armilla::doctor
