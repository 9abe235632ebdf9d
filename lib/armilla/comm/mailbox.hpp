#pragma once

#include <armilla/comm/communicator.hpp>

#include <deque>
#include <vector>

namespace armilla::comm {

/// Integers that ranks send each other during other work, without waiting for each other. Created, used and finished by
/// the main thread.
class Mailbox {
 public:
  /// Collective.
  explicit Mailbox(const Communicator& comm);
  /// Waits until all sends have completed. finish() must be called first, unless the run fails with an error that only
  /// some ranks have detected.
  ~Mailbox();
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;

  /// Not collective; returns immediately. `rank` may be the calling rank.
  void send(int rank, Index value);
  /// Not collective. Returns all values received since the last call; the order between senders is unspecified.
  std::vector<Index> receive();
  /// Collective. Returns all values still in transit to this rank; no values may be sent afterwards.
  std::vector<Index> finish();

 private:
  struct Letter {
    Index value;
    MPI_Request request;
  };

  Communicator comm_;
  std::deque<Letter> sent_;     // must not move while MPI reads it
  std::vector<Index> to_;       // [rank] number of messages sent
  std::vector<Index> to_self_;  // not yet received
  Index received_ = 0;
};

}  // namespace armilla::comm
