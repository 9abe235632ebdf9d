#include <armilla/comm/mailbox.hpp>

#include <utility>

namespace armilla::comm {

namespace {
constexpr int kTag = 7;
}  // namespace

Mailbox::Mailbox(const Communicator& comm)
    : comm_(comm.duplicate()), to_(static_cast<std::size_t>(comm.size()), Index{0}) {}

Mailbox::~Mailbox() {
  for (Letter& letter : sent_) MPI_Wait(&letter.request, MPI_STATUS_IGNORE);
}

void Mailbox::send(int rank, Index value) {
  if (rank == comm_.rank()) {
    to_self_.push_back(value);
    return;
  }
  ++to_[static_cast<std::size_t>(rank)];
  Letter& letter = sent_.emplace_back(Letter{value, MPI_REQUEST_NULL});
  check_mpi(MPI_Isend(&letter.value, 1, MPI_INT64_T, rank, kTag, comm_.native(), &letter.request), "MPI_Isend");
}

std::vector<Index> Mailbox::receive() {
  std::vector<Index> values = std::exchange(to_self_, {});
  while (comm_.size() > 1) {
    int waiting = 0;
    check_mpi(MPI_Iprobe(MPI_ANY_SOURCE, kTag, comm_.native(), &waiting, MPI_STATUS_IGNORE), "MPI_Iprobe");
    if (waiting == 0) break;
    Index value = 0;
    check_mpi(MPI_Recv(&value, 1, MPI_INT64_T, MPI_ANY_SOURCE, kTag, comm_.native(), MPI_STATUS_IGNORE), "MPI_Recv");
    values.push_back(value);
    ++received_;
  }
  while (!sent_.empty()) {
    int arrived = 0;
    check_mpi(MPI_Test(&sent_.front().request, &arrived, MPI_STATUS_IGNORE), "MPI_Test");
    if (arrived == 0) break;
    sent_.pop_front();
  }
  return values;
}

std::vector<Index> Mailbox::finish() {
  std::vector<Index> all = to_;
  comm_.sum(std::span<Index>(all));
  std::vector<Index> values = receive();
  while (received_ < all[static_cast<std::size_t>(comm_.rank())]) {
    const std::vector<Index> more = receive();
    values.insert(values.end(), more.begin(), more.end());
  }
  return values;
}

}  // namespace armilla::comm
