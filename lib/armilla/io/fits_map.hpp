#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/dist/distribution.hpp>
#include <armilla/io/atomic_file.hpp>
#include <armilla/io/metadata.hpp>
#include <armilla/io/stated_header.hpp>
#include <armilla/io/write.hpp>

#include <span>
#include <string>

namespace armilla::io {

/// Opens a HEALPix map of a FITS file: the extension `stated.hdu` (move_to_hdu()), or the first that is a map, with T,
/// Q and U of later extensions that have the same pixels, where earlier ones lack them. Its components are the numeric
/// columns with one value per pixel of the sky. With an explicit index, they are the columns with one value per entry
/// of the PIXEL column. Throws InputError.
MapInfo open_fits_map(const std::string& path, const StatedHeader& stated);

/// Reads this rank's ranges of one component in RING order, with the values as stored. Pixels missing from the file are
/// set to kBadPixel. Throws InputError.
template <class T>
void read_fits_map(const MapInfo& info, Index component, std::span<const dist::PixelRange> ranges, std::span<T> out);

/// Collective; see write_map(). The other ranks send their data to the root, which writes it block by block. A partial
/// sky is written with an explicit index.
template <class T>
void write_fits_map(const comm::Communicator& comm, const AtomicFile& file, const FieldMetadata& metadata,
                    const dist::PixelDistribution& pixels, std::span<const T> local, const WriteOptions& options);

}  // namespace armilla::io
