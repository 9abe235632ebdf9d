#pragma once

#include <armilla/backend/point_tables.hpp>

namespace armilla::backend {

/// Sums at points over windows of a fine grid in the memory of a device, by tables, and the exact transpose. Arrays are
/// [field][sample of the field], [field][sample beside it] and [field][value]. Results are bitwise identical in every
/// run, for any working space and any fields at once. Calls are complete when they return.
template <class T>
class PointEngine {
 public:
  virtual ~PointEngine() = default;
  /// Values of all points; writes rows past the poles to `beside`, where rows of other ranks are.
  virtual void interpolate(const T* fields, T* beside, T* values) = 0;
  /// Overwrites the fields, and `beside` with what belongs to rows of other ranks; samples that no point reaches are
  /// zero.
  virtual void spread(const T* values, T* fields, T* beside) = 0;
};

}  // namespace armilla::backend
