#pragma once

#include <armilla/comm/communicator.hpp>

#include <complex>
#include <limits>
#include <span>

namespace armilla::comm {

/// Whether MPI accepts pointers to device memory. Open MPI built with CUDA reports it at run time; for other libraries
/// it is unknown and assumed false.
bool takes_device_memory();

/// Collective. All-to-all of complex values with 64-bit counts and displacements [rank], in units of complex values.
/// Uses one MPI_Alltoallv if all counts and displacements of all ranks are at most `limit`, otherwise messages of at
/// most `limit` values between pairs of ranks. `send` and `receive` do not overlap; they are in host memory, or in
/// device memory if takes_device_memory(). Without MPI, copies the data.
template <class T>
void exchange(const Communicator& comm, std::span<const std::complex<T>> send, std::span<const Index> send_counts,
              std::span<const Index> send_displacements, std::span<std::complex<T>> receive,
              std::span<const Index> receive_counts, std::span<const Index> receive_displacements,
              Index limit = std::numeric_limits<int>::max());

}  // namespace armilla::comm
