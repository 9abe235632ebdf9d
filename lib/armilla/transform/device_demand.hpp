#pragma once

#include <armilla/backend/device_need.hpp>
#include <armilla/transform/field_transform.hpp>

#include <vector>

namespace armilla::transform {

/// What a FieldTransform takes of a device on one rank, in bytes, found without making it: upper bounds by counting.
struct DeviceDemand {
  Index alm = 0;    ///< one field of coefficients of the transform
  Index map = 0;    ///< one field of pixels
  Index delta = 0;  ///< on both sides of the exchange
  std::vector<backend::StageNeed> stages;

  /// Without fields, with `work_bytes` for each working space.
  Index total(Index work_bytes) const;
  /// Of these: Delta with copies that stages make, tables, working space.
  Index arrays() const;
  Index tables() const;
  Index work(Index work_bytes) const;
  /// With which each working space works at all.
  Index min_work() const;
};

/// Not collective; any rank can ask for any other.
template <class T>
DeviceDemand device_demand(const FieldTransformSpec& spec, int rank);

extern template DeviceDemand device_demand<float>(const FieldTransformSpec&, int);
extern template DeviceDemand device_demand<double>(const FieldTransformSpec&, int);

}  // namespace armilla::transform
