#pragma once

#include <armilla/api/names.hpp>

#include <memory>
#include <span>
#include <vector>

namespace armilla {

namespace api {
struct Access;
}
namespace points {
template <class T>
class PointField;
}

/// Points on the sphere, and values of fields at them: a catalogue, of which each rank holds some points. T is float or
/// double. Moving is the only copy; a moved-from object can only be assigned to or destroyed.
template <class T = double>
class PointValues {
 public:
  /// Collective. `theta` in [0, pi] and `phi`, any finite value, both in rad: the points of this rank; there may be
  /// none, but not on all ranks. `fields`: of the values, all 0 at first; without components for points alone. Throws
  /// InputError for points that are not valid, and maps < 1.
  PointValues(const Communicator& comm, std::vector<double> theta, std::vector<double> phi, FieldKind fields = {},
              Index maps = 1);
  /// Moves the values; spans of them remain valid.
  PointValues(PointValues&& other) noexcept = default;
  /// Moves the values; spans of them remain valid.
  PointValues& operator=(PointValues&& other) noexcept = default;

  const FieldKind& fields() const;         ///< names and spins of the components
  Index maps() const;                      ///< number of maps
  int ranks() const { return ranks_; }     ///< number of ranks that hold points
  Index points() const { return total_; }  ///< number of points of all ranks
  std::span<const double> theta() const;   ///< of the points of this rank [rad]
  std::span<const double> phi() const;     ///< of the points of this rank [rad]
  /// The values at the points of this rank, [map][component][point].
  std::span<T> data();
  /// Read-only overload of data().
  std::span<const T> data() const;

 private:
  friend struct api::Access;
  PointValues(std::shared_ptr<points::PointField<T>> field, Index total, int ranks);

  std::shared_ptr<points::PointField<T>> field_;
  Index total_;
  int ranks_;
};

}  // namespace armilla
