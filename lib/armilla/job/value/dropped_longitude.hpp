#pragma once

#include <armilla/io/metadata.hpp>
#include <armilla/transform/field.hpp>

namespace armilla::job {

using core::Index;

/// Not collective. Reads this rank's part of a component of a map in a file into component `c` of map `place`, which is
/// on grid::without_last_longitude() of the grid of the file. Bad pixels become NaN and are counted. Throws InputError
/// if the last pixel of a ring differs from the first.
template <class T>
io::BadPixels read_without_last_longitude(const io::MapInfo& info, Index component, io::Sign sign,
                                          transform::MapField<T>& map, Index place, Index c);

}  // namespace armilla::job
