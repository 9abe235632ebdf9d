#pragma once

#include <string>
#include <utility>
#include <vector>

namespace armilla::job {

/// Names and versions of the linked libraries, for `armilla --version` and reports: MPI, HDF5, CFITSIO, FFTW, Eigen.
std::vector<std::pair<std::string, std::string>> library_versions();

}  // namespace armilla::job
