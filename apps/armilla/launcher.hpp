#pragma once

namespace armilla::app {

/// Whether this is rank 0 as the launcher of the processes says in the environment (Open MPI, MPICH, Slurm), so that it
/// can be asked before MPI starts. True where there is no launcher.
bool is_first_rank();

}  // namespace armilla::app
