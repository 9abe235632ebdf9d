#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/core/partial_file.hpp>
#include <armilla/dist/distribution.hpp>
#include <armilla/io/metadata.hpp>

#include <complex>
#include <span>
#include <string>
#include <vector>

namespace armilla::io {

/// The state of a solver as a file holds it: several fields of coefficients of one shape, as an HDF5 file of
/// coefficients with a batch axis has them, and two further datasets, `about` (a text) and `numbers`.
template <class T>
struct SolverStateParts {
  std::string about;
  std::span<const double> numbers;
  std::span<const std::span<const std::complex<T>>> fields;  ///< each [component][own m, l]
};

/// Collective. Writes a state, whole or not at all, as the writers of write.hpp; the bytes do not depend on the number
/// of ranks. `components`: names of those of a field.
template <class T>
void write_solver_state(const comm::Communicator& comm, const core::OutputPath& output,
                        const std::vector<std::string>& components, const dist::AlmDistribution& alm,
                        const SolverStateParts<T>& state);

/// What a file says besides its coefficients, which read_alm() reads by `alm`, alm.batch.map being the field.
struct SolverStateInfo {
  AlmInfo alm;
  std::string about;
  std::vector<double> numbers;
};

/// Not collective. Throws InputError if the file is not there or damaged.
SolverStateInfo open_solver_state(const std::string& path);

}  // namespace armilla::io
