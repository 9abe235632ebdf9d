#pragma once

#include <kernels/core/arena_emulated.hpp>
#include <mpi.h>

// An MPI library that takes memory of the emulated device, as Open MPI with CUDA does: in MPI_Alltoallv, but not in
// MPI_Ialltoallv. It replaces these calls in the whole program, so only one source includes it.

namespace armilla::test {

/// What the library says, and what it was given.
struct DeviceMpi {
  bool takes_device_memory = false;  ///< MPIX_Query_cuda_support()
  int blocking = 0;                  ///< calls of MPI_Alltoallv with device memory
  int nonblocking = 0;               ///< calls of MPI_Ialltoallv with device memory: errors
};

/// Of this process.
inline DeviceMpi& device_mpi() {
  static DeviceMpi state;
  return state;
}

/// Whether an address is in memory of the emulated device.
inline bool is_on_device(const void* address) {
  const auto number = reinterpret_cast<std::uintptr_t>(address);
  const auto& arena = kernels::EmulatedArena::get();
  return number >= arena.begin() && number < arena.end();
}

/// The address at which MPI can access memory of either kind.
template <class T>
T* mpi_address(T* address) {
  if (!is_on_device(address)) return address;
  return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(address) + kernels::EmulatedArena::get().shift());
}

}  // namespace armilla::test

extern "C" int MPIX_Query_cuda_support() { return armilla::test::device_mpi().takes_device_memory ? 1 : 0; }

extern "C" int MPI_Alltoallv(const void* send, const int* send_counts, const int* send_displacements,
                             MPI_Datatype send_type, void* receive, const int* receive_counts,
                             const int* receive_displacements, MPI_Datatype receive_type, MPI_Comm comm) {
  using namespace armilla::test;
  if (is_on_device(send) || is_on_device(receive)) ++device_mpi().blocking;
  return PMPI_Alltoallv(mpi_address(send), send_counts, send_displacements, send_type, mpi_address(receive),
                        receive_counts, receive_displacements, receive_type, comm);
}

extern "C" int MPI_Ialltoallv(const void* send, const int* send_counts, const int* send_displacements,
                              MPI_Datatype send_type, void* receive, const int* receive_counts,
                              const int* receive_displacements, MPI_Datatype receive_type, MPI_Comm comm,
                              MPI_Request* request) {
  using namespace armilla::test;
  if (is_on_device(send) || is_on_device(receive)) ++device_mpi().nonblocking;
  return PMPI_Ialltoallv(mpi_address(send), send_counts, send_displacements, send_type, mpi_address(receive),
                         receive_counts, receive_displacements, receive_type, comm, request);
}
