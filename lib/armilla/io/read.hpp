#pragma once

#include <armilla/alm/spectra_table.hpp>
#include <armilla/dist/distribution.hpp>
#include <armilla/io/metadata.hpp>
#include <armilla/io/stated_header.hpp>

#include <complex>
#include <span>
#include <string>

namespace armilla::io {

/// Kind of the file, detected from its content, not from its name. Throws InputError for a missing, unreadable,
/// truncated or unknown file. Not collective, like all functions of this header.
FileKind file_kind(const std::string& path);

/// Header of a map file. Throws InputError, naming file and keyword, for inconsistent headers: NESTED nside not a power
/// of two, number of pixels not that of nside, truncated data, unknown ordering, a HEALPix map without NSIDE. Also
/// throws for a batch axis with BatchPolicy::kRefuse, and for a property in `stated` that contradicts the header.
/// Without `stated.hdu`, the map of a FITS file is the first that it has, with T, Q and U of later extensions
/// (open_fits_map()).
MapInfo open_map(const std::string& path, BatchPolicy policy = BatchPolicy::kRefuse, const StatedHeader& stated = {});

/// Header of a file of coefficients. Throws InputError if lmax, mmax and the number of coefficients are inconsistent,
/// and for a batch axis with BatchPolicy::kRefuse. `hdu`: the only extension of a FITS file to be read, if not empty.
AlmInfo open_alm(const std::string& path, BatchPolicy policy = BatchPolicy::kRefuse, const std::string& hdu = {});

/// Reads the pixel ranges (RING order of the grid) of one component, in the order of `ranges`, converted to RING order
/// and multiplied by `sign` (polarisation.hpp). Pixels absent from a file with explicit index are bad data. Bad pixels
/// are counted. With BadDataPolicy::kError they throw InputError with their counts, with kZero they become 0, with
/// kKeep they are unchanged (absent pixels are BAD_DATA), with kMark they become NaN.
template <class T>
BadPixels read_map(const MapInfo& info, Index component, std::span<const dist::PixelRange> ranges, std::span<T> out,
                   BadDataPolicy policy, Sign sign = Sign::kAsStored);

/// Reads the coefficients of one component that belong to `rank` of `target`, in its local order, converted from
/// info.convention. The lmax and mmax of `target` must not exceed those of the file (InputError otherwise). NaN or
/// infinite coefficients throw InputError.
template <class T>
void read_alm(const AlmInfo& info, Index component, const dist::AlmDistribution& target, int rank,
              std::span<std::complex<T>> out);

/// Spectra from a FITS C_l table (columns by name), an HDF5 file, or text: `#` and a line of column names (L, TT, EE,
/// ...) before rows of numbers. `is_dl`: columns are l (l + 1) / (2 pi) C_l. The result is C_l from l = 0, zero below
/// the first row. With `is_dl`, columns of the lensing potential P (PP, TP, EP) have a further factor sqrt(l (l + 1))
/// for each P, as CAMB writes them. `columns`: names of all columns in order, for files that do not name them or name
/// them otherwise. Throws InputError for columns without names, l with gaps, and values that are not finite.
alm::SpectraTable read_spectra(const std::string& path, bool is_dl, const std::vector<std::string>& columns = {});

/// A rings file: group `grid` with theta, phi0, nphi and optionally weight.
std::shared_ptr<const grid::RingGrid> read_rings(const std::string& path);

}  // namespace armilla::io
