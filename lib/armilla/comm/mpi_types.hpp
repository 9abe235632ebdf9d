#pragma once

#include <armilla/core/types.hpp>

#include <span>
#include <vector>

#include <mpi.h>

namespace armilla::comm {

/// The MPI type of complex values of type std::complex<T>.
template <class T>
MPI_Datatype complex_type();
template <>
inline MPI_Datatype complex_type<float>() {
  return MPI_C_FLOAT_COMPLEX;
}
template <>
inline MPI_Datatype complex_type<double>() {
  return MPI_C_DOUBLE_COMPLEX;
}

/// Counts and displacements in MPI's type; each must fit.
inline std::vector<int> narrow(std::span<const core::Index> values) { return {values.begin(), values.end()}; }

}  // namespace armilla::comm
