#pragma once

#include <armilla/io/hdf5_handle.hpp>
#include <armilla/io/point_formats.hpp>

#include <span>
#include <string>
#include <vector>

namespace armilla::io {

/// Names of the objects in the root group. Throws InputError.
std::vector<std::string> hdf5_names(hid_t file, const std::string& path);

/// See open_points(). Throws InputError.
PointsInfo open_hdf5_points(const std::string& path, const PointColumns& columns);

/// See PointFunctions.
template <class T>
void read_hdf5_points(const PointsInfo& info, std::span<const Index> columns, Index first,
                      std::span<const std::span<T>> out);
/// Collective. Each rank writes its own points.
template <class T>
void write_hdf5_points(const comm::Communicator& comm, const AtomicFile& file, const PointsWritten<T>& points);

Index hdf5_points_bytes(Index points, Index components, Precision precision);

}  // namespace armilla::io
