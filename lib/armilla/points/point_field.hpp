#pragma once

#include <armilla/core/types.hpp>
#include <armilla/transform/field_kind.hpp>

#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace armilla::points {

using core::Index;

/// The points of a catalogue held by one rank: a range of its rows, possibly empty.
struct LocalPoints {
  Index first = 0;                 ///< index of the first point in the catalogue
  std::vector<double> theta, phi;  ///< [rad]
  Index size() const { return static_cast<Index>(theta.size()); }
};

/// The first row held by `rank` of `ranks`, for a catalogue of `points` rows.
inline Index first_point(Index points, int ranks, int rank) { return points * rank / ranks; }

/// Values of fields at the points of one rank: [map, component][point]. Without components, it holds the points only.
template <class T>
class PointField {
 public:
  PointField(transform::FieldKind kind, std::shared_ptr<const LocalPoints> points, Index maps = 1)
      : kind_(std::move(kind)),
        points_(std::move(points)),
        maps_(maps),
        data_(static_cast<std::size_t>(maps * kind_.components() * points_->size())) {}

  const transform::FieldKind& kind() const { return kind_; }
  const std::shared_ptr<const LocalPoints>& points() const { return points_; }
  Index maps() const { return maps_; }
  Index local_size() const { return points_->size(); }
  std::span<T> component(Index map, Index component) { return std::span(data_).subspan(start(map, component), size()); }
  std::span<const T> component(Index map, Index component) const {
    return std::span(data_).subspan(start(map, component), size());
  }
  std::span<T> data() { return data_; }
  std::span<const T> data() const { return data_; }

 private:
  std::size_t size() const { return static_cast<std::size_t>(local_size()); }
  std::size_t start(Index map, Index component) const {
    return static_cast<std::size_t>((map * kind_.components() + component) * local_size());
  }

  transform::FieldKind kind_;
  std::shared_ptr<const LocalPoints> points_;
  Index maps_;
  std::vector<T> data_;
};

}  // namespace armilla::points
