#pragma once

#include <armilla/iteration/types.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace armilla::iteration {

/// Stores the state of a solver between two iterations, so that a later run can resume. The state consists of
/// coefficient fields and of scalars that are the same on all ranks. All methods are collective.
template <class T>
class Checkpoint {
 public:
  virtual ~Checkpoint() = default;
  /// Loads the state that an earlier run stored for `solver`, which must have the same number of fields. Overwrites the
  /// fields and returns the scalars, or std::nullopt if no usable state exists; the fields are then unchanged or zero.
  virtual std::optional<std::vector<double>> take(const std::string& solver, std::span<AlmField<T>* const> fields) = 0;
  /// Stores the state after this number of iterations if a checkpoint is due. If a signal or the time limit requests a
  /// stop, stores the state and throws Stopped, identically on all ranks.
  virtual void offer(const std::string& solver, Index iterations, std::span<AlmField<T>* const> fields,
                     std::span<const double> numbers) = 0;
};

}  // namespace armilla::iteration
