#pragma once

namespace armilla::app {

/// Whether this process has rank 0 according to the environment that the launcher sets (Open MPI, MPICH, Slurm). Can be
/// called before MPI is initialised. True without a launcher.
bool is_first_rank();

}  // namespace armilla::app
