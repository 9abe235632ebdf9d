#pragma once

#include <armilla/io/point_formats.hpp>

#include <span>
#include <string>

namespace armilla::io {

/// Not collective. True for text whose header line names two point coordinates.
bool is_text_points(const std::string& path);

/// See open_points(). Throws InputError, naming file and line.
PointsInfo open_text_points(const std::string& path, const PointColumns& columns);

/// See PointFunctions. Reads the file from the start to the last requested point.
template <class T>
void read_text_points(const PointsInfo& info, std::span<const Index> columns, Index first,
                      std::span<const std::span<T>> out);
/// Collective. Each rank writes its own points with full precision. Fields are separated by commas if the file name
/// ends in .csv, otherwise by blanks.
template <class T>
void write_text_points(const comm::Communicator& comm, const AtomicFile& file, const PointsWritten<T>& points);

Index text_points_bytes(Index points, Index components, Precision precision);

}  // namespace armilla::io
