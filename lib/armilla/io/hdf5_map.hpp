#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/dist/distribution.hpp>
#include <armilla/io/atomic_file.hpp>
#include <armilla/io/hdf5_writer.hpp>
#include <armilla/io/metadata.hpp>
#include <armilla/io/write.hpp>

#include <span>
#include <string>

namespace armilla::io {

/// Header of dataset `map` [component][pixel], [pixel] or [map][component][pixel], as Armilla and TOAST write it. Throws InputError.
MapInfo open_hdf5_map(const std::string& path);

/// Own ranges of one component, in RING order, as the numbers stand in the file. Throws InputError.
template <class T>
void read_hdf5_map(const MapInfo& info, Index component, std::span<const dist::PixelRange> ranges, std::span<T> out);

/// What a file of maps holds; keeps references to all three.
Hdf5Plan hdf5_map_plan(const FieldMetadata& metadata, const grid::RingGrid& grid, const WriteOptions& options);

/// Collective; see write_map().
template <class T>
void write_hdf5_map(const comm::Communicator& comm, const AtomicFile& file, const FieldMetadata& metadata,
                    const dist::PixelDistribution& pixels, std::span<const T> local, const WriteOptions& options);

}  // namespace armilla::io
