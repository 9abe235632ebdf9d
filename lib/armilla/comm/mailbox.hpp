#pragma once

#include <armilla/comm/communicator.hpp>

#include <deque>
#include <vector>

namespace armilla::comm {

/// Numbers that ranks tell each other while they work, without waiting for each other. Made, used and finished by the
/// main thread.
class Mailbox {
 public:
  /// Collective.
  explicit Mailbox(const Communicator& comm);
  /// Waits for what it sent. finish() comes before, unless the run ends in an error that not all ranks know of.
  ~Mailbox();
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;

  /// Not collective; returns at once. `rank` may be the own one.
  void send(int rank, Index value);
  /// Not collective. What has arrived since the last call, in no order between senders.
  std::vector<Index> receive();
  /// Collective. What is still on its way to this rank; nothing may be sent afterwards.
  std::vector<Index> finish();

 private:
  struct Letter {
    Index value;
    MPI_Request request;
  };

  Communicator comm_;
  std::deque<Letter> sent_;     // stays where it is while MPI reads it
  std::vector<Index> to_;       // [rank] how many were sent
  std::vector<Index> to_self_;  // not received yet
  Index received_ = 0;
};

}  // namespace armilla::comm
