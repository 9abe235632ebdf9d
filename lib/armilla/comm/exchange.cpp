#include <armilla/comm/exchange.hpp>
#include <armilla/comm/mpi_types.hpp>
#include <armilla/core/instantiate.hpp>

#include <algorithm>
#include <vector>

#ifdef ARMILLA_MPI_SAYS_WHERE
#include <mpi-ext.h>
#endif

namespace armilla::comm {

namespace {

// Processes one partner after the other, so that at most two ranks exchange messages with this one at a time. Messages
// are blocks of at most `limit` values.
template <class T>
void exchange_in_blocks(const Communicator& comm, const std::complex<T>* send, std::span<const Index> send_counts,
                        std::span<const Index> send_displacements, std::complex<T>* receive,
                        std::span<const Index> receive_counts, std::span<const Index> receive_displacements,
                        Index limit) {
  constexpr int tag = 2;
  const int size = comm.size();
  for (int step = 0; step < size; ++step) {
    const auto to = static_cast<std::size_t>((comm.rank() + step) % size);
    const auto from = static_cast<std::size_t>((comm.rank() - step + size) % size);
    std::vector<MPI_Request> requests;
    for (Index done = 0; done < receive_counts[from]; done += limit) {
      MPI_Irecv(receive + receive_displacements[from] + done,
                static_cast<int>(std::min(limit, receive_counts[from] - done)), complex_type<T>(),
                static_cast<int>(from), tag, comm.native(), &requests.emplace_back());
    }
    for (Index done = 0; done < send_counts[to]; done += limit) {
      MPI_Isend(send + send_displacements[to] + done, static_cast<int>(std::min(limit, send_counts[to] - done)),
                complex_type<T>(), static_cast<int>(to), tag, comm.native(), &requests.emplace_back());
    }
    check_mpi(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
  }
}

}  // namespace

bool takes_device_memory() {
#ifdef ARMILLA_MPI_SAYS_WHERE
  return MPIX_Query_cuda_support() == 1;
#else
  return false;
#endif
}

template <class T>
void exchange(const Communicator& comm, std::span<const std::complex<T>> send, std::span<const Index> send_counts,
              std::span<const Index> send_displacements, std::span<std::complex<T>> receive,
              std::span<const Index> receive_counts, std::span<const Index> receive_displacements, Index limit) {
  if (comm.native() == MPI_COMM_NULL) {
    std::copy_n(send.data() + send_displacements[0], send_counts[0], receive.data() + receive_displacements[0]);
    return;
  }
  Index largest = 0;
  for (const auto& values : {send_counts, send_displacements, receive_counts, receive_displacements})
    for (const Index value : values) largest = std::max(largest, value);
  comm.max(std::span<Index>(&largest, 1));
  if (largest > limit) {
    exchange_in_blocks(comm, send.data(), send_counts, send_displacements, receive.data(), receive_counts,
                       receive_displacements, limit);
    return;
  }
  const auto counts_out = narrow(send_counts);
  const auto displacements_out = narrow(send_displacements);
  const auto counts_in = narrow(receive_counts);
  const auto displacements_in = narrow(receive_displacements);
  check_mpi(MPI_Alltoallv(send.data(), counts_out.data(), displacements_out.data(), complex_type<T>(), receive.data(),
                          counts_in.data(), displacements_in.data(), complex_type<T>(), comm.native()),
            "MPI_Alltoallv");
}

ARMILLA_INSTANTIATE(exchange);

}  // namespace armilla::comm
