#pragma once

#include <string>
#include <utility>
#include <vector>

namespace armilla::job {

/// Names and versions of the libraries in use, for `armilla --version` and reports: MPI, HDF5, CFITSIO, FFTW, Eigen.
std::vector<std::pair<std::string, std::string>> library_versions();

}  // namespace armilla::job
