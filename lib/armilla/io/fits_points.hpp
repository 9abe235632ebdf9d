#pragma once

#include <armilla/io/fits_handle.hpp>
#include <armilla/io/point_formats.hpp>

#include <span>
#include <string>
#include <vector>

namespace armilla::io {

/// True if two of the columns give point coordinates.
bool is_points_table(const std::vector<FitsColumn>& columns);

/// See open_points(). The values are the numeric and logical columns with one entry per point. Throws InputError.
PointsInfo open_fits_points(const std::string& path, const PointColumns& columns);

/// See PointFunctions.
template <class T>
void read_fits_points(const PointsInfo& info, std::span<const Index> columns, Index first,
                      std::span<const std::span<T>> out);
/// Collective. The other ranks send their data to the root, which writes it block by block.
template <class T>
void write_fits_points(const comm::Communicator& comm, const AtomicFile& file, const PointsWritten<T>& points);

Index fits_points_bytes(Index points, Index components, Precision precision);

}  // namespace armilla::io
