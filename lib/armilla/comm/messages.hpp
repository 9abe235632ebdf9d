#pragma once

#include <armilla/comm/communicator.hpp>

#include <vector>

namespace armilla::comm {

/// Messages between pairs of ranks that travel while the ranks work. Both ends name all messages between them in the
/// same order. Bytes in host memory stay where they are until wait() returns. Used by the main thread.
class Messages {
 public:
  /// Holds a reference to `comm`; between construction and wait() nothing else goes through it.
  explicit Messages(const Communicator& comm) : comm_(comm) {}
  /// Waits.
  ~Messages();
  Messages(const Messages&) = delete;
  Messages& operator=(const Messages&) = delete;

  /// Returns at once. `rank` is another one. Messages of more than `largest` bytes go in parts of that size.
  void send(int rank, const void* data, Index bytes, Index largest = kLargest);
  /// Likewise; `largest` is the sender's.
  void receive(int rank, void* data, Index bytes, Index largest = kLargest);
  /// Returns when everything has arrived and is sent.
  void wait();

 private:
  static constexpr Index kLargest = Index{1} << 30;

  const Communicator& comm_;
  std::vector<MPI_Request> requests_;
};

}  // namespace armilla::comm
