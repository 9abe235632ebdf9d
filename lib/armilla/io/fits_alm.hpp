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

/// Opens a FITS file of coefficients: one table per component, with index l^2 + l + m + 1, real part and imaginary
/// part. lmax and mmax come from MAX-LPOL and MAX-MPOL, otherwise from the largest index. With `hdu`, this table alone
/// (move_to_hdu()). Throws InputError.
AlmInfo open_fits_alm(const std::string& path, const std::string& hdu);

/// Reads this rank's coefficients of one component; see read_alm(). The rows may be in any order. Throws InputError,
/// also if an index is duplicated or missing.
template <class T>
void read_fits_alm(const AlmInfo& info, Index component, const dist::AlmDistribution& target, int rank,
                   std::span<std::complex<T>> out);

/// Collective; see write_alm(). The other ranks send their data to the root, which writes it block by block in
/// ascending index order.
template <class T>
void write_fits_alm(const comm::Communicator& comm, const AtomicFile& file, const FieldMetadata& metadata,
                    const dist::AlmDistribution& alm, std::span<const std::complex<T>> local,
                    const WriteOptions& options);

/// l and m for index l^2 + l + m + 1.
struct Degree {
  Index l;
  Index m;
};
Degree degree_of_fits_index(Index index);
inline Index fits_index_of(Index l, Index m) { return l * l + l + m + 1; }

}  // namespace armilla::io
