#pragma once

#include <armilla/dist/distribution.hpp>
#include <armilla/io/atomic_file.hpp>
#include <armilla/io/points.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace armilla::io {

/// The points of a catalogue that is written, as its ranks hold them: in the order of ranks.
template <class T>
struct PointsWritten {
  const FieldMetadata& metadata;  ///< names all components
  std::span<const double> theta, phi;
  std::span<const T> values;                  ///< [component][own point]
  std::vector<dist::PixelRange> ranges = {};  ///< [rank], of the points
  Precision precision = Precision::kDouble;   ///< of values in the file

  Index components() const { return static_cast<Index>(metadata.fields.size()); }
  Index points() const { return ranges.back().first + ranges.back().count; }
  /// Of this rank.
  std::span<const T> component(Index c) const {
    const std::size_t own = theta.size();
    return values.subspan(static_cast<std::size_t>(c) * own, own);
  }
};

/// What a format does with values of type T. Readers are called on any rank alone; the writer is collective.
template <class T>
struct PointFunctions {
  /// Points from `first` on of some columns: 0 and 1 are the places as they stand in the file, from 2 on components.
  void (*read)(const PointsInfo&, std::span<const Index> columns, Index first, std::span<const std::span<T>> out);
  void (*write)(const comm::Communicator&, const AtomicFile&, const PointsWritten<T>&);
};

/// One row per format of catalogues: all that the rest of the program knows of it.
struct PointFormatRow {
  PointFormat format;
  std::vector<std::string_view> endings;  ///< the first one is the usual one
  bool (*recognises)(const std::string& path);
  PointsInfo (*open)(const std::string& path, const PointColumns& columns);
  /// Disk space, at most [bytes].
  Index (*bytes)(Index points, Index components, Precision precision);
  PointFunctions<float> single_precision;
  PointFunctions<double> double_precision;

  template <class T>
  const PointFunctions<T>& of() const {
    if constexpr (std::is_same_v<T, float>)
      return single_precision;
    else
      return double_precision;
  }
};

std::span<const PointFormatRow> point_formats();

/// The format that has this extension, in lower case with its dot.
std::optional<PointFormat> point_format_with(const std::string& ending);
const PointFormatRow& point_format_row(PointFormat format);

}  // namespace armilla::io
