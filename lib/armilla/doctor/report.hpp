#pragma once

#include <armilla/core/types.hpp>

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace armilla::doctor {

using core::Index;

/// Severity of a finding.
enum class Severity { kWarning, kError };

/// A problem for the user: what, where, and what to do.
struct Finding {
  Severity severity = Severity::kWarning;
  std::string topic;  ///< "binding", "MPI", "GPU", "file system", "arithmetic"
  std::string text;
};

/// Facts about one rank.
struct RankFacts {
  int rank = 0;
  std::string host;
  std::vector<int> cpus;        ///< CPUs on which it may run
  int cores = 0;                ///< physical cores of these CPUs
  int numa_nodes = 1;           ///< of the node
  int threads = 1;              ///< OpenMP threads
  std::string omp_binding;      ///< OMP_PROC_BIND, or empty
  std::string instruction_set;  ///< of the Legendre kernels
  std::string program;          ///< core::program_identity()
  int launched_ranks = 0;       ///< as reported by the launcher in the environment; 0 if unknown
  Index free_bytes = 0;         ///< memory of the rank's node for all of its ranks; -1 if unlimited
  std::string memory_bound;     ///< what determines it
  int visible_devices = 0;
  std::string device;       ///< name of its device, or empty
  std::string device_uuid;  ///< in hexadecimal digits
  std::string no_device;    ///< why there is no device although there is a driver
};

/// The MPI library in use.
struct MpiFacts {
  std::string library;
  std::string threads;                 ///< the level that it provides, such as MPI_THREAD_MULTIPLE
  bool claims_device_memory = false;   ///< comm::takes_device_memory()
  std::string device_exchange = "no";  ///< "no": no device, or no reported support; "right"; "wrong"
  std::string device_path = {};        ///< transform::ExchangePath by name; empty without devices
  std::string why_not_peers = {};      ///< transform::ExchangeChoice::why_not_peers
};

/// A folder, as seen by all ranks.
struct FileSystemFacts {
  std::string folder;
  std::string type;         ///< such as ext4, nfs, lustre
  Index free_bytes = 0;     ///< space that this user can still write
  Index written_bytes = 0;  ///< size of the file that all ranks wrote and read back; 0 on failure
  double write_seconds = 0;
  double read_seconds = 0;
  std::string locks;  ///< "right", or the problem
};

/// A small transform with a known result.
struct ArithmeticFacts {
  Index lmax = 0;
  double round_trip = 0;  ///< relative rms error of coefficients after synthesis and quadrature; largest component
  double exact_map = 0;   ///< largest error of the map of Y_10, relative to its maximum
  double limit = 0;       ///< upper limit for both
};

/// The complete report, on the root; other ranks have only `exit_code`.
struct Report {
  std::vector<RankFacts> ranks;
  MpiFacts mpi;
  std::string device_check;  ///< message of the device check; empty without devices
  FileSystemFacts files;
  ArithmeticFacts arithmetic;
  std::vector<Finding> findings;
  int exit_code = 0;  ///< 0 without findings, 1 with warnings, core::kExitResource with errors
};

/// Exit code of a report with warnings but no errors.
inline constexpr int kExitWarnings = 1;

/// Formats the report as one page for the terminal.
std::string report_text(const Report& report);
/// Formats the report as JSON, with the facts of every rank.
nlohmann::json report_json(const Report& report);

}  // namespace armilla::doctor
