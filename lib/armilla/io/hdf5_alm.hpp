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

/// Header of dataset `alm` [component][index] or [index], compound {r, i}, as Armilla and h5py write it. LMAX and MMAX
/// may be absent where mmax = lmax. Throws InputError, also for other normalisations and phases.
AlmInfo open_hdf5_alm(const std::string& path);

/// Own coefficients of one component; see read_alm(). Throws InputError.
template <class T>
void read_hdf5_alm(const AlmInfo& info, Index component, const dist::AlmDistribution& target, int rank,
                   std::span<std::complex<T>> out);

/// Collective; see write_alm().
template <class T>
void write_hdf5_alm(const comm::Communicator& comm, const AtomicFile& file, const FieldMetadata& metadata,
                    const dist::AlmDistribution& alm, std::span<const std::complex<T>> local,
                    const WriteOptions& options);

}  // namespace armilla::io
