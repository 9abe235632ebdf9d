#pragma once

#include <armilla/core/types.hpp>

#include <any>
#include <memory>
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

/// A group of ranks, or a single process without MPI. Copies share one MPI communicator.
///
/// world() and duplicate_of() make a single duplicate of a communicator of the program, which MPI frees together with
/// that communicator. The destructor of these objects calls no MPI: ranks may destroy them in any order and at any
/// time, also after MPI_Finalize. Groups made by split() and duplicate() own their communicator.
class Communicator {
 public:
  /// All ranks: duplicate_of(MPI_COMM_WORLD). Its duplicate is freed by MPI_Finalize.
  static Communicator world();
  /// The ranks of a communicator of the program, with messages separate from those of the program. Collective over its
  /// ranks. The first call duplicates `comm`, and later calls return the same duplicate. After the program has freed
  /// `comm`, collective calls throw InputError. MPI must be initialised with at least MPI_THREAD_FUNNELED. Throws
  /// InputError for MPI_COMM_NULL, before MPI is initialised, and after it is finalised.
  static Communicator duplicate_of(MPI_Comm comm);
  /// This process only; never calls MPI, so it works without MPI.
  static Communicator self();

  /// Not collective. The copy shares the MPI communicator and its messages.
  Communicator(const Communicator&) = default;
  /// Replaces the communicator. Collective for the last copy of a group made by split() or duplicate().
  Communicator& operator=(const Communicator&) = default;
  /// Calls no MPI, except for the last copy of a group made by split() or duplicate(): that frees the communicator,
  /// which is collective and must happen before MPI_Finalize.
  ~Communicator() = default;

  int rank() const { return rank_; }           ///< of this process, starting at 0
  int size() const { return size_; }           ///< number of ranks
  bool is_root() const { return rank_ == 0; }  ///< whether this is rank 0
  /// The MPI communicator, for libraries that need one; MPI_COMM_NULL for self(). Programs send their messages through
  /// their own communicators, because objects of Armilla use this one. Throws InputError if it has been freed with a
  /// communicator of the program.
  MPI_Comm native() const;
  /// For Armilla's modules: an object kept for all copies until the communicator is freed, null at first. Not
  /// collective. Returns null for groups made by split(), duplicate() and alone(), which keep no object.
  std::shared_ptr<void>* attached() const;
  /// For Armilla's modules: a fact about this rank, empty at first. All copies share it, and groups made later by
  /// split(), duplicate() and alone() start with a copy. Not collective.
  std::any& inherited() const;

  // All calls below are collective.

  /// Position of this rank among the ranks on its machine, which share memory, in rank order, and their number.
  struct NodeRank {
    int rank;   ///< of this process, starting at 0
    int ranks;  ///< number of ranks on the machine
  };
  /// In a group created by split(), the rank is counted among all ranks that were split.
  NodeRank node_rank() const;
  /// The texts of all ranks on the machine of this rank, by NodeRank::rank. In a group created by split() or alone(),
  /// only those of its ranks, and std::nullopt for the others.
  std::vector<std::optional<std::string>> gather_on_node(const std::string& text) const;
  /// The ranks that pass the same `group`, in rank order; `group` is not negative. The last copy frees the
  /// communicator, which is collective over the group.
  Communicator split(int group) const;
  /// The same ranks with separate messages, for use by another thread. The last copy frees the communicator, which is
  /// collective.
  Communicator duplicate() const;
  /// This rank only, without MPI, with the same node_rank(). Its destruction is not collective.
  Communicator alone() const;
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
  struct Handle;
  static int free_duplicate(MPI_Comm comm, int key, void* value, void* extra);
  static const int& duplicate_key();

  /// The ranks of the communicator of the handle.
  explicit Communicator(std::shared_ptr<Handle> handle);
  /// The ranks of this communicator on the machine of this rank.
  Communicator on_node() const;

  std::shared_ptr<Handle> handle_;
  int rank_ = 0;
  int size_ = 1;
};

/// Throws InternalError with MPI's error text if `code` is not MPI_SUCCESS; `what` names the call.
void check_mpi(int code, const char* what);

}  // namespace armilla::comm
