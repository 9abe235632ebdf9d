#pragma once

#include <armilla/backend/point_tables.hpp>

namespace armilla::backend {

/// Sums at points over windows of a fine grid in device memory, using tables, and the exact transpose. Arrays are
/// [field][sample of the field], [field][sample stored beside the field] and [field][value]. Results are bitwise
/// identical in every run, for any workspace size and any number of fields. Calls are complete on return.
template <class T>
class PointEngine {
 public:
  virtual ~PointEngine() = default;
  /// Computes the values of all points. Writes rows beyond the poles to `beside`, which also holds rows of other ranks.
  virtual void interpolate(const T* fields, T* beside, T* values) = 0;
  /// Overwrites the fields. Overwrites `beside` with the contributions to rows of other ranks. Samples that no point
  /// reaches are set to zero.
  virtual void spread(const T* values, T* fields, T* beside) = 0;
};

}  // namespace armilla::backend
