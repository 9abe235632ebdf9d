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

/// The state of a solver, as stored in a file: several coefficient fields of equal shape, in the layout of an HDF5
/// coefficient file with a batch axis. Two further datasets are `about` (a string) and `numbers`.
template <class T>
struct SolverStateParts {
  std::string about;
  std::span<const double> numbers;
  std::span<const std::span<const std::complex<T>>> fields;  ///< each [component][local m, l]
};

/// Collective. Writes a state atomically, like the writers of write.hpp; the bytes do not depend on the number of
/// ranks. `components`: component names of a field.
template <class T>
void write_solver_state(const comm::Communicator& comm, const core::OutputPath& output,
                        const std::vector<std::string>& components, const dist::AlmDistribution& alm,
                        const SolverStateParts<T>& state);

/// Header of such a file. read_alm() reads its coefficients with `alm`, where alm.batch.map is the index of the field.
struct SolverStateInfo {
  AlmInfo alm;
  std::string about;
  std::vector<double> numbers;
};

/// Not collective. Throws InputError if the file is missing or damaged.
SolverStateInfo open_solver_state(const std::string& path);

}  // namespace armilla::io
