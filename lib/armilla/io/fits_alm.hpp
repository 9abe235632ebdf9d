#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/dist/distribution.hpp>
#include <armilla/io/atomic_file.hpp>
#include <armilla/io/metadata.hpp>
#include <armilla/io/write.hpp>

#include <complex>
#include <span>
#include <string>

namespace armilla::io {

/// Header of a FITS file of coefficients: tables of index l^2 + l + m + 1, real and imaginary part, one per component.
/// lmax and mmax are MAX-LPOL and MAX-MPOL, else those of the largest index. Throws InputError.
AlmInfo open_fits_alm(const std::string& path);

/// Own coefficients of one component, from rows in any order; see read_alm(). Throws InputError, also for an index that
/// is twice there or missing.
template <class T>
void read_fits_alm(const AlmInfo& info, Index component, const dist::AlmDistribution& target, int rank,
                   std::span<std::complex<T>> out);

/// Collective; see write_alm(). The root writes in ascending index, block by block, what the others send.
template <class T>
void write_fits_alm(const comm::Communicator& comm, const AtomicFile& file, const FieldMetadata& metadata,
                    const dist::AlmDistribution& alm, std::span<const std::complex<T>> local,
                    const WriteOptions& options);

/// l and m of index l^2 + l + m + 1.
struct Degree {
  Index l;
  Index m;
};
Degree degree_of_fits_index(Index index);
inline Index fits_index_of(Index l, Index m) { return l * l + l + m + 1; }

}  // namespace armilla::io
