#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/dist/distribution.hpp>
#include <armilla/io/atomic_file.hpp>
#include <armilla/io/hdf5_writer.hpp>
#include <armilla/io/metadata.hpp>
#include <armilla/io/stated_header.hpp>
#include <armilla/io/write.hpp>

#include <span>
#include <string>

namespace armilla::io {

/// Opens dataset `map` with axes [component][pixel], [pixel] or [map][component][pixel], as written by Armilla and
/// TOAST. Throws InputError.
MapInfo open_hdf5_map(const std::string& path, const StatedHeader& stated);

/// Reads this rank's ranges of one component in RING order, with the values as stored. Throws InputError.
template <class T>
void read_hdf5_map(const MapInfo& info, Index component, std::span<const dist::PixelRange> ranges, std::span<T> out);

/// Layout of a map file. The plan keeps references to all three arguments.
Hdf5Plan hdf5_map_plan(const FieldMetadata& metadata, const grid::RingGrid& grid, const WriteOptions& options);

/// Collective; see write_map().
template <class T>
void write_hdf5_map(const comm::Communicator& comm, const AtomicFile& file, const FieldMetadata& metadata,
                    const dist::PixelDistribution& pixels, std::span<const T> local, const WriteOptions& options);

}  // namespace armilla::io
