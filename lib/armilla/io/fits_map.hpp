#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/dist/distribution.hpp>
#include <armilla/io/atomic_file.hpp>
#include <armilla/io/metadata.hpp>
#include <armilla/io/write.hpp>

#include <span>
#include <string>

namespace armilla::io {

/// Header of the first table of a FITS file as a HEALPix map. The components are its numeric columns that have as many
/// values as the sky has pixels or, with an explicit index, as the PIXEL column. Throws InputError.
MapInfo open_fits_map(const std::string& path);

/// Own ranges of one component, in RING order, as the numbers stand in the file; pixels that the file lacks are
/// kBadPixel. Throws InputError.
template <class T>
void read_fits_map(const MapInfo& info, Index component, std::span<const dist::PixelRange> ranges, std::span<T> out);

/// Collective; see write_map(). The root writes, block by block, what the others send. A part of the sky gets an
/// explicit index.
template <class T>
void write_fits_map(const comm::Communicator& comm, const AtomicFile& file, const FieldMetadata& metadata,
                    const dist::PixelDistribution& pixels, std::span<const T> local, const WriteOptions& options);

}  // namespace armilla::io
