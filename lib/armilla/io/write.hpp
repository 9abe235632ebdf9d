#pragma once

#include <armilla/alm/spectra_table.hpp>
#include <armilla/comm/communicator.hpp>
#include <armilla/core/partial_file.hpp>
#include <armilla/dist/distribution.hpp>
#include <armilla/io/metadata.hpp>

#include <complex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace armilla::io {

/// Options of an output. The format follows from the extension (.h5 .hdf5 .fits .fit, for points also .csv .txt .dat).
struct WriteOptions {
  Precision precision = Precision::kDouble;
  Ordering ordering = Ordering::kRing;  ///< HEALPix maps only; NESTED gathers one component on rank 0
  alm::Convention convention = {};      ///< alm in HDF5 only: FITS supports only the default
};

/// The format for the extension of a name. Throws InputError, which lists the supported extensions, for others.
Format format_of_name(const std::string& path);

/// The format of a file of spectra; std::nullopt for text.
std::optional<Format> spectra_format_of_name(const std::string& path);

/// The extensions of spectra as text.
std::span<const std::string_view> spectra_text_endings();

/// Throws InputError if `path` cannot become a file of this kind, because its extension is not supported, or its format
/// does not support the kind or the grid (`grid`: of maps, otherwise nullptr). Not collective; checks names only, so
/// that a job can be rejected before it computes.
void check_output(const std::string& path, FileKind kind, const grid::RingGrid* grid);

/// Throws the error of a later write if no file can be created at `output`: InputError for folders, special files,
/// names that are too long, folders that do not exist or are not writable. Creates and removes a partial file. Not
/// collective.
void check_output_place(const core::OutputPath& output);

// All writers are collective. They write a partial file next to the output, and sync and rename it when all ranks have
// succeeded. On failure the partial file is removed and all ranks throw the same error: that of check_output_place(),
// or ResourceError for a full disk. The bytes do not depend on the number of ranks.

/// `local`: [component][own pixel] of comm.rank() in `pixels`.
template <class T>
void write_map(const comm::Communicator& comm, const core::OutputPath& output, const FieldMetadata& metadata,
               const dist::PixelDistribution& pixels, std::span<const T> local, const WriteOptions& options);

/// `local`: [component][local m, l] of comm.rank() in `alm`.
template <class T>
void write_alm(const comm::Communicator& comm, const core::OutputPath& output, const FieldMetadata& metadata,
               const dist::AlmDistribution& alm, std::span<const std::complex<T>> local, const WriteOptions& options);

/// `spectra` is the same on all ranks; the root writes. FITS, HDF5, or text for .dat and .txt. The columns TT, EE, BB,
/// TE, EB, TB come first, in this order, which healpy reads.
void write_spectra(const comm::Communicator& comm, const core::OutputPath& output, const alm::SpectraTable& spectra);

/// Approximate bytes of such a file. Not collective. Throws InputError for an unsupported extension.
Index spectra_file_bytes(const std::string& path, const std::vector<std::string>& names, Index lmax);

/// Reorders the existing columns in that order. Not collective.
alm::SpectraTable in_file_order(const alm::SpectraTable& spectra);

/// Local coefficients [component][local m, l] of `rank` in another convention. Not collective.
template <class T>
std::vector<std::complex<T>> in_convention(const alm::Convention& convention, const dist::AlmDistribution& alm,
                                           int rank, std::span<const std::complex<T>> local);

/// Writes text or other bytes (a report, a picture) atomically; the root writes.
void write_text(const comm::Communicator& comm, const core::OutputPath& output, const std::string& text);

}  // namespace armilla::io
