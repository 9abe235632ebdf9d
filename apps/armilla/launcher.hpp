#pragma once

#include <armilla/comm/communicator.hpp>

namespace armilla::app {

/// Whether this process has rank 0 according to the environment that the launcher sets (Open MPI, MPICH, Slurm). Can be
/// called before MPI is initialised. True without a launcher.
bool is_first_rank();

/// Initialises MPI. Collective. Without a launcher, the process is a single rank. Open MPI is then told to start no
/// daemon and to search for no networks, which would take 0.3 s. These settings do not replace variables that are set,
/// and processes that this one starts do not inherit them.
comm::Session start_mpi();

}  // namespace armilla::app
