#pragma once

#include <armilla/comm/communicator.hpp>

#include <vector>

namespace armilla::comm {

/// Messages between pairs of ranks, sent during other work. Sender and receiver must post their messages in the same
/// order. Buffers, in host memory, must stay valid until wait() returns. For use by the main thread.
class Messages {
 public:
  /// Holds a reference to `comm`. Between send() or receive() and wait(), no other Messages may use the communicator.
  explicit Messages(const Communicator& comm) : comm_(comm) {}
  /// Calls wait().
  ~Messages();
  Messages(const Messages&) = delete;
  Messages& operator=(const Messages&) = delete;

  /// Returns immediately. `rank` is another rank. Messages of more than `largest` bytes are sent in parts of that size.
  void send(int rank, const void* data, Index bytes, Index largest = kLargest);
  /// Counterpart of send() on the receiving rank; `largest` must equal the sender's.
  void receive(int rank, void* data, Index bytes, Index largest = kLargest);
  /// Returns when all messages have been sent and received.
  void wait();

 private:
  static constexpr Index kLargest = Index{1} << 30;

  const Communicator& comm_;
  std::vector<MPI_Request> requests_;
};

}  // namespace armilla::comm
