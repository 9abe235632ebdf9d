#pragma once

#include <armilla/comm/communicator.hpp>

#include <deque>
#include <vector>

namespace armilla::comm {

/// Numbers that ranks send each other during other work, without waiting for each other. Created, used and finished by
/// the main thread.
class Mailbox {
 public:
  /// Collective.
  explicit Mailbox(const Communicator& comm);
  /// Waits until sent messages have left. finish() must be called first, unless the run fails with an error that only
  /// some ranks have detected.
  ~Mailbox();
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;

  /// Not collective; returns at once. `rank` may be the calling rank.
  void send(int rank, Index value);
  /// Not collective. Everything received since the last call; the order between senders is unspecified.
  std::vector<Index> receive();
  /// Collective. Everything still in transit to this rank; nothing may be sent afterwards.
  std::vector<Index> finish();

 private:
  struct Letter {
    Index value;
    MPI_Request request;
  };

  Communicator comm_;
  std::deque<Letter> sent_;     // must not move while MPI reads it
  std::vector<Index> to_;       // [rank] number of messages sent
  std::vector<Index> to_self_;  // not received yet
  Index received_ = 0;
};

}  // namespace armilla::comm
