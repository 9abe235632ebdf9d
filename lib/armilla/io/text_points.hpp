#pragma once

#include <armilla/io/point_formats.hpp>

#include <span>
#include <string>

namespace armilla::io {

/// True for text whose line of names has two that are coordinates of points. Not collective.
bool is_text_points(const std::string& path);

/// See open_points(). Throws InputError that names file and line.
PointsInfo open_text_points(const std::string& path, const PointColumns& columns);

/// See PointFunctions. Reads the file from its begin to the last of these points.
template <class T>
void read_text_points(const PointsInfo& info, std::span<const Index> columns, Index first,
                      std::span<const std::span<T>> out);
/// Collective. Every rank writes its own points, with all digits; between commas where the name ends in .csv, else
/// between blanks.
template <class T>
void write_text_points(const comm::Communicator& comm, const AtomicFile& file, const PointsWritten<T>& points);

Index text_points_bytes(Index points, Index components, Precision precision);

}  // namespace armilla::io
