#pragma once

#include <armilla/core/types.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <mpi.h>

namespace armilla::comm {

using core::Index;

/// Starts MPI, for calls from any thread where the library can, else from the main thread alone (calls_from_any_thread),
/// and ends it; one per process. MPI errors abort the whole run with their text.
class Session {
 public:
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
  /// All ranks. Collective. Needs a Session.
  static Communicator world();
  /// This process alone; never calls MPI, so it works where MPI was not started.
  static Communicator self();

  Communicator(Communicator&&) noexcept;
  Communicator& operator=(Communicator&&) noexcept;
  ~Communicator();

  int rank() const { return rank_; }
  int size() const { return size_; }
  bool is_root() const { return rank_ == 0; }
  /// MPI_COMM_NULL for self(); for libraries that take a communicator.
  MPI_Comm native() const { return comm_; }

  // All below are collective.

  /// Place of this rank among those of its machine that share memory, in the order of ranks, and their number.
  struct NodePlace {
    int rank;
    int ranks;
  };
  /// Of a part made by split(), the place is that among all ranks that were split.
  NodePlace node_place() const;
  /// The ranks that give the same `group`, in the order of ranks; `group` is not negative.
  Communicator split(int group) const;
  /// The same ranks, whose messages do not mix with those of this communicator: for another thread.
  Communicator duplicate() const;
  void barrier() const;
  void sum(std::span<double> values) const;  ///< in place, on all ranks; order of summation is MPI's
  void sum(std::span<Index> values) const;
  void max(std::span<double> values) const;
  void max(std::span<Index> values) const;
  void min(std::span<double> values) const;
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
  static Communicator of(MPI_Comm comm);

  MPI_Comm comm_;
  int rank_;
  int size_;
  std::optional<NodePlace> node_;  ///< of a part
};

/// Throws InternalError with MPI's own text where `code` is not MPI_SUCCESS; `what` names the call.
void check_mpi(int code, const char* what);

}  // namespace armilla::comm
