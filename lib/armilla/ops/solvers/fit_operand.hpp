#pragma once

#include <armilla/comm/phase.hpp>
#include <armilla/ops/unit_scale.hpp>
#include <armilla/transform/field.hpp>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace armilla::ops {

using core::Index;

/// Index of the field [map][component] of an operand for a map and component of the data.
template <class T>
Index field_of(const transform::MapField<T>& operand, Index map, Index component) {
  const Index components = operand.kind().components();
  return std::min(map, operand.maps() - 1) * components + std::min(component, components - 1);
}

/// Values of an optional operand for the maps and components of the data. They are multiplied by a power of two that
/// brings the largest close to 1, because weights are relative (except for FitWeights::scale).
template <class T>
class Operand {
 public:
  /// Collective.
  Operand(const comm::Communicator& comm, const transform::MapField<T>* field) : field_(field) {
    if (field == nullptr) return;
    comm::phase(comm, [&] { values_ = transform::host_components(*field); });
    scales_.resize(static_cast<std::size_t>(field->maps()), 0.0);
    for (Index i = 0; i < static_cast<Index>(values_.size()); ++i) {
      double& largest = scales_[static_cast<std::size_t>(i / field->kind().components())];
      for (const T value : values_[static_cast<std::size_t>(i)])
        largest = std::max(largest, std::abs(static_cast<double>(value)));
    }
    comm.max(std::span<double>(scales_));
    for (double& scale : scales_) scale = unit_scale(scale);
  }
  /// The power of two for a map; 1 without operand.
  double scale(Index map) const {
    return field_ == nullptr ? 1 : scales_[static_cast<std::size_t>(std::min(map, field_->maps() - 1))];
  }
  explicit operator bool() const { return field_ != nullptr; }
  double value(Index map, Index component, std::size_t pixel) const {
    return scale(map) *
           static_cast<double>(values_[static_cast<std::size_t>(field_of(*field_, map, component))][pixel]);
  }

 private:
  const transform::MapField<T>* field_;
  std::vector<std::span<const T>> values_;
  std::vector<double> scales_;  // [map]
};

}  // namespace armilla::ops
