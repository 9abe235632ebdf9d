#pragma once

#include <armilla/comm/communicator.hpp>

#include <complex>
#include <limits>
#include <span>

namespace armilla::comm {

/// Whether MPI takes pointers to device memory (Open MPI built with CUDA says so at run time; of others it is not
/// known, and so taken as no).
bool takes_device_memory();

/// Collective. All-to-all of complex numbers with 64-bit counts and displacements [rank], in units of complex numbers.
/// One MPI_Alltoallv where all counts and displacements of all ranks are at most `limit`, else messages of at most
/// `limit` numbers between pairs of ranks. `send` and `receive` do not overlap; they are in host memory, or in device
/// memory where takes_device_memory(). Without MPI it copies.
template <class T>
void exchange(const Communicator& comm, std::span<const std::complex<T>> send, std::span<const Index> send_counts,
              std::span<const Index> send_displacements, std::span<std::complex<T>> receive,
              std::span<const Index> receive_counts, std::span<const Index> receive_displacements,
              Index limit = std::numeric_limits<int>::max());

}  // namespace armilla::comm
