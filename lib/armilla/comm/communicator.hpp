#pragma once

#include <armilla/core/types.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <mpi.h>

namespace armilla::comm {

using core::Index;

/// Starts MPI, for calls from any thread where the library can, else from the main thread alone
/// (calls_from_any_thread), and ends it; one per process. MPI errors abort the whole run with their text.
class Session {
 public:
  /// Starts MPI, with the arguments of main(). Throws ResourceError where MPI cannot run beside threads.
  Session(int& argc, char**& argv);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
};

/// Whether MPI runs and lets several threads call it at once (MPI_THREAD_MULTIPLE).
bool calls_from_any_thread();

/// A group of ranks; wraps a duplicate of an MPI communicator, or is a single process without MPI.
class Communicator {
 public:
  /// All ranks. Collective. MPI runs, by a Session or otherwise.
  static Communicator world();
  /// The ranks of a communicator of the program's, of which this is a duplicate. Collective over them. MPI was started
  /// with MPI_THREAD_FUNNELED at least.
  static Communicator duplicate_of(MPI_Comm comm);
  /// This process alone; never calls MPI, so it works where MPI was not started.
  static Communicator self();

  /// Moves; the other stands for no ranks afterwards.
  Communicator(Communicator&&) noexcept;
  /// Exchanges the communicators.
  Communicator& operator=(Communicator&&) noexcept;
  /// Collective. Frees the communicator; MPI must not have ended.
  ~Communicator();

  int rank() const { return rank_; }           ///< of this process, from 0 on
  int size() const { return size_; }           ///< number of ranks
  bool is_root() const { return rank_ == 0; }  ///< whether this is rank 0
  /// MPI_COMM_NULL for self(); for libraries that take a communicator.
  MPI_Comm native() const { return comm_; }

  // All below are collective.

  /// Position of this rank among those of its machine that share memory, in the order of ranks, and their number.
  struct NodeRank {
    int rank;   ///< of this process, from 0 on
    int ranks;  ///< of the machine
  };
  /// In a group made by split(), the rank is that among all ranks that were split.
  NodeRank node_rank() const;
  /// The ranks that give the same `group`, in the order of ranks; `group` is not negative.
  Communicator split(int group) const;
  /// The same ranks, whose messages do not mix with those of this communicator: for another thread.
  Communicator duplicate() const;
  void barrier() const;                      ///< returns when all ranks have called it
  void sum(std::span<double> values) const;  ///< over ranks, in place, on all ranks; order of summation is MPI's
  void sum(std::span<Index> values) const;   ///< over ranks, in place, on all ranks
  void max(std::span<double> values) const;  ///< over ranks, in place, on all ranks
  void max(std::span<Index> values) const;   ///< over ranks, in place, on all ranks
  void min(std::span<double> values) const;  ///< over ranks, in place, on all ranks
  /// Root's text, on all ranks.
  std::string broadcast(std::string text, int root = 0) const;
  /// Root's bytes into everyone's `data`, of equal length on all ranks.
  void broadcast(void* data, Index bytes, int root = 0) const;
  /// Every rank's text in order of ranks, on rank 0; empty elsewhere.
  std::vector<std::string> gather(const std::string& text) const;
  /// `counts[r]` values of each rank r laid one after the other in `out` on rank 0 (`out` is not used elsewhere).
  void gather_bytes(const void* mine, Index bytes, std::span<const Index> counts_bytes, void* out) const;

 private:
  Communicator(MPI_Comm comm, int rank, int size) : comm_(comm), rank_(rank), size_(size) {}
  static Communicator take(MPI_Comm comm);

  MPI_Comm comm_;
  int rank_;
  int size_;
  std::optional<NodeRank> node_;  ///< of a group made by split()
};

/// Throws InternalError with MPI's own text where `code` is not MPI_SUCCESS; `what` names the call.
void check_mpi(int code, const char* what);

}  // namespace armilla::comm
