#pragma once

#include <armilla/alm/spectra_table.hpp>
#include <armilla/dist/distribution.hpp>
#include <armilla/io/metadata.hpp>

#include <complex>
#include <span>
#include <string>
#include <vector>

namespace armilla::io {

/// What the file holds, judged by its content, not by its name. Throws InputError for a missing, unreadable, truncated
/// or unknown file. Not collective, like all of this header.
FileKind file_kind(const std::string& path);

/// Header of a map file. Throws InputError, naming file and keyword, for whatever does not fit together: nside not a
/// power of two, number of pixels against nside, truncated data, unknown ordering, a HEALPix map without NSIDE; and a
/// batch axis with BatchPolicy::kRefuse.
MapInfo open_map(const std::string& path, BatchPolicy policy = BatchPolicy::kRefuse);

/// Header of a file of coefficients. Throws InputError if lmax, mmax and the number of coefficients do not fit, and
/// a batch axis with BatchPolicy::kRefuse.
AlmInfo open_alm(const std::string& path, BatchPolicy policy = BatchPolicy::kRefuse);

/// The pixel ranges (RING order of the grid) of one component, in the order of `ranges`, converted to RING order and
/// COSMO polarisation; pixels that an explicit-index file lacks count as bad data. With BadDataPolicy::kError bad
/// pixels throw InputError with their counts; with kZero they become 0 and are counted; with kKeep they are counted and
/// stay as they are, pixels that the file lacks as BAD_DATA; with kMark they are counted and become NaN.
template <class T>
BadPixels read_map(const MapInfo& info, Index component, std::span<const dist::PixelRange> ranges, std::span<T> out,
                   BadDataPolicy policy);

/// The coefficients of one component that belong to `rank` of `target`, in its local order. The lmax and mmax of
/// `target` are at most the file's (InputError otherwise). Converted from info.convention. NaN or infinite coefficients
/// throw InputError.
template <class T>
void read_alm(const AlmInfo& info, Index component, const dist::AlmDistribution& target, int rank,
              std::span<std::complex<T>> out);

/// Spectra from a FITS C_l table (columns by name), an HDF5 file, or text: `#` and a line of column names (L, TT, EE,
/// ...) before rows of numbers. `is_dl`: columns hold l (l + 1) / (2 pi) C_l. Result is C_l from l = 0, zero where
/// absent below the first row. With `is_dl`, columns of the lensing potential P (PP, TP, EP) hold a further
/// sqrt(l (l + 1)) for each P, as CAMB writes them. Throws InputError for columns without names, l with gaps, and
/// values that are not finite.
alm::SpectraTable read_spectra(const std::string& path, bool is_dl);

/// A rings file (design: group `grid` with theta, phi0, nphi and perhaps weight).
std::shared_ptr<const grid::RingGrid> read_rings(const std::string& path);

}  // namespace armilla::io
