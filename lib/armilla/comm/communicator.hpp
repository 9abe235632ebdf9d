#pragma once

#include <armilla/core/types.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <mpi.h>

namespace armilla::comm {

using core::Index;

/// Initialises MPI, and finalises it on destruction; one per process. Calls are allowed from any thread if the library
/// supports it, otherwise only from the main thread (calls_from_any_thread). On an MPI error the whole run aborts with
/// MPI's error text.
class Session {
 public:
  /// Initialises MPI with the arguments of main(). Throws ResourceError if MPI does not support threads.
  Session(int& argc, char**& argv);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
};

/// Whether MPI is initialised and several threads may call it at once (MPI_THREAD_MULTIPLE).
bool calls_from_any_thread();

/// A group of ranks; wraps a duplicate of an MPI communicator, or is a single process without MPI.
class Communicator {
 public:
  /// All ranks. Collective. MPI must be initialised, by a Session or otherwise.
  static Communicator world();
  /// A duplicate of a communicator of the program. Collective over its ranks. MPI must be initialised with at least
  /// MPI_THREAD_FUNNELED.
  static Communicator duplicate_of(MPI_Comm comm);
  /// This process only; never calls MPI, so it works without MPI.
  static Communicator self();

  /// Moves; the source has no ranks afterwards.
  Communicator(Communicator&&) noexcept;
  /// Exchanges the communicators.
  Communicator& operator=(Communicator&&) noexcept;
  /// Collective. Frees the communicator; MPI must not be finalised yet.
  ~Communicator();

  int rank() const { return rank_; }           ///< of this process, starting at 0
  int size() const { return size_; }           ///< number of ranks
  bool is_root() const { return rank_ == 0; }  ///< whether this is rank 0
  /// The MPI communicator, for libraries that need one; MPI_COMM_NULL for self().
  MPI_Comm native() const { return comm_; }

  // All calls below are collective.

  /// Position of this rank among the ranks on its machine, which share memory, in rank order, and their number.
  struct NodeRank {
    int rank;   ///< of this process, starting at 0
    int ranks;  ///< number of ranks on the machine
  };
  /// In a group created by split(), the rank is counted among all ranks that were split.
  NodeRank node_rank() const;
  /// The ranks that pass the same `group`, in rank order; `group` is not negative.
  Communicator split(int group) const;
  /// The same ranks with separate messages, for use by another thread.
  Communicator duplicate() const;
  void barrier() const;                      ///< returns when all ranks have called it
  void sum(std::span<double> values) const;  ///< over ranks, in place, on all ranks; MPI chooses the summation order
  void sum(std::span<Index> values) const;   ///< over ranks, in place, on all ranks
  void max(std::span<double> values) const;  ///< over ranks, in place, on all ranks
  void max(std::span<Index> values) const;   ///< over ranks, in place, on all ranks
  void min(std::span<double> values) const;  ///< over ranks, in place, on all ranks
  /// The text of the root, on all ranks.
  std::string broadcast(std::string text, int root = 0) const;
  /// Copies the bytes of the root to `data` on all ranks; `bytes` is the same on all ranks.
  void broadcast(void* data, Index bytes, int root = 0) const;
  /// The texts of all ranks in rank order, on rank 0; empty elsewhere.
  std::vector<std::string> gather(const std::string& text) const;
  /// Concatenates `counts_bytes[r]` bytes of each rank r in `out` on rank 0 (`out` is not used elsewhere).
  void gather_bytes(const void* mine, Index bytes, std::span<const Index> counts_bytes, void* out) const;

 private:
  Communicator(MPI_Comm comm, int rank, int size) : comm_(comm), rank_(rank), size_(size) {}
  static Communicator take(MPI_Comm comm);

  MPI_Comm comm_;
  int rank_;
  int size_;
  std::optional<NodeRank> node_;  ///< only for a group created by split()
};

/// Throws InternalError with MPI's error text if `code` is not MPI_SUCCESS; `what` names the call.
void check_mpi(int code, const char* what);

}  // namespace armilla::comm
