#pragma once

#include <armilla/dist/distribution.hpp>
#include <armilla/io/atomic_file.hpp>
#include <armilla/io/points.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace armilla::io {

/// The points of a catalogue being written, as distributed over the ranks, in rank order.
template <class T>
struct PointsWritten {
  const FieldMetadata& metadata;  ///< names all components
  std::span<const double> theta, phi;
  std::span<const T> values;                  ///< [component][own point]
  std::vector<core::IndexRange> ranges = {};  ///< [rank], of the points
  Precision precision = Precision::kDouble;   ///< of values in the file

  Index components() const { return static_cast<Index>(metadata.fields.size()); }
  Index points() const { return ranges.back().first + ranges.back().count; }
  /// Values of one component on this rank.
  std::span<const T> component(Index c) const {
    const std::size_t own = theta.size();
    return values.subspan(static_cast<std::size_t>(c) * own, own);
  }
};

/// Functions of a format for values of type T. Readers are not collective and can be called on any rank; the writer is
/// collective.
template <class T>
struct PointFunctions {
  /// Reads points starting at `first` of some columns: 0 and 1 are the coordinates as stored in the file, higher
  /// indices the components.
  void (*read)(const PointsInfo&, std::span<const Index> columns, Index first, std::span<const std::span<T>> out);
  void (*write)(const comm::Communicator&, const AtomicFile&, const PointsWritten<T>&);
};

/// One row per catalogue format: its interface to the rest of the program.
struct PointFormatRow {
  PointFormat format;
  std::vector<std::string_view> endings;  ///< the first one is the default
  bool (*recognises)(const std::string& path);
  PointsInfo (*open)(const std::string& path, const PointColumns& columns);
  /// Upper bound on the disk space [bytes].
  Index (*bytes)(Index points, Index components, Precision precision);
  std::tuple<PointFunctions<float>, PointFunctions<double>> functions;

  template <class T>
  const PointFunctions<T>& of() const {
    return std::get<PointFunctions<T>>(functions);
  }
};

std::span<const PointFormatRow> point_formats();

/// The format with this extension, in lower case with its dot.
std::optional<PointFormat> point_format_with(const std::string& ending);
const PointFormatRow& point_format_row(PointFormat format);

}  // namespace armilla::io
