#include <armilla/comm/messages.hpp>

#include <algorithm>

namespace armilla::comm {

namespace {

constexpr int kMessageTag = 8;

/// Calls start(offset, count) for each part of a message.
template <class Start>
void in_parts(Index bytes, Index largest, const Start& start) {
  for (Index offset = 0; offset < bytes; offset += largest)
    start(offset, static_cast<int>(std::min(largest, bytes - offset)));
}

}  // namespace

Messages::~Messages() {
  if (!requests_.empty()) MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
}

void Messages::send(int rank, const void* data, Index bytes, Index largest) {
  in_parts(bytes, largest, [&](Index offset, int count) {
    check_mpi(MPI_Isend(static_cast<const char*>(data) + offset, count, MPI_BYTE, rank, kMessageTag, comm_.native(),
                        &requests_.emplace_back(MPI_REQUEST_NULL)),
              "MPI_Isend");
  });
}

void Messages::receive(int rank, void* data, Index bytes, Index largest) {
  in_parts(bytes, largest, [&](Index offset, int count) {
    check_mpi(MPI_Irecv(static_cast<char*>(data) + offset, count, MPI_BYTE, rank, kMessageTag, comm_.native(),
                        &requests_.emplace_back(MPI_REQUEST_NULL)),
              "MPI_Irecv");
  });
}

void Messages::wait() {
  if (requests_.empty()) return;
  check_mpi(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
  requests_.clear();
}

}  // namespace armilla::comm
