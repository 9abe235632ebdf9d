#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/dist/distribution.hpp>
#include <armilla/io/atomic_file.hpp>
#include <armilla/io/hdf5_writer.hpp>
#include <armilla/io/metadata.hpp>
#include <armilla/io/write.hpp>

#include <complex>
#include <span>
#include <string>
#include <vector>

namespace armilla::io {

/// Opens dataset `alm` with axes [component][index], [index] or [map][component][index]. The type is compound {r, i},
/// as written by Armilla and h5py. LMAX and MMAX may be absent if mmax = lmax. Throws InputError, also for unsupported
/// normalisations and phases.
AlmInfo open_hdf5_alm(const std::string& path);

/// Reads this rank's coefficients of one component; see read_alm(). Throws InputError.
template <class T>
void read_hdf5_alm(const AlmInfo& info, Index component, const dist::AlmDistribution& target, int rank,
                   std::span<std::complex<T>> out);

/// Layout of a coefficient file. The plan keeps references to all three arguments.
Hdf5Plan hdf5_alm_plan(const FieldMetadata& metadata, const alm::AlmLayout& layout, const WriteOptions& options);

/// For each m owned by `rank`, the range of l = m .. lmax of `target` in a row with layout `stored`.
std::vector<core::IndexRange> alm_ranges(const dist::AlmDistribution& target, int rank, const alm::AlmLayout& stored);

/// Collective; see write_alm().
template <class T>
void write_hdf5_alm(const comm::Communicator& comm, const AtomicFile& file, const FieldMetadata& metadata,
                    const dist::AlmDistribution& alm, std::span<const std::complex<T>> local,
                    const WriteOptions& options);

}  // namespace armilla::io
