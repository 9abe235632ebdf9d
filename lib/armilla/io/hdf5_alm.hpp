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

/// Header of dataset `alm` [component][index], [index] or [map][component][index], compound {r, i}, as Armilla and h5py write it. LMAX and MMAX
/// may be absent where mmax = lmax. Throws InputError, also for other normalisations and phases.
AlmInfo open_hdf5_alm(const std::string& path);

/// Own coefficients of one component; see read_alm(). Throws InputError.
template <class T>
void read_hdf5_alm(const AlmInfo& info, Index component, const dist::AlmDistribution& target, int rank,
                   std::span<std::complex<T>> out);

/// What a file of coefficients holds; keeps references to all three.
Hdf5Plan hdf5_alm_plan(const FieldMetadata& metadata, const alm::AlmLayout& layout, const WriteOptions& options);

/// For each own m of `rank`, l = m .. target's lmax, where they stand in a row of layout `stored`.
std::vector<dist::PixelRange> alm_ranges(const dist::AlmDistribution& target, int rank, const alm::AlmLayout& stored);

/// Collective; see write_alm().
template <class T>
void write_hdf5_alm(const comm::Communicator& comm, const AtomicFile& file, const FieldMetadata& metadata,
                    const dist::AlmDistribution& alm, std::span<const std::complex<T>> local,
                    const WriteOptions& options);

}  // namespace armilla::io
