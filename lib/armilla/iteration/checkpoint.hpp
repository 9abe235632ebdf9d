#pragma once

#include <armilla/iteration/types.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace armilla::iteration {

/// Where a solver keeps its state between two iterations, so that a later run goes on from there: fields of
/// coefficients, and numbers of its own, which are the same on all ranks. All methods are collective.
template <class T>
class Checkpoint {
 public:
  virtual ~Checkpoint() = default;
  /// The state that an earlier run has kept for `solver`, which has as many fields: overwrites them, and returns the
  /// numbers. Nothing where there is none that can be used; the fields are then as they were, or zero.
  virtual std::optional<std::vector<double>> take(const std::string& solver, std::span<AlmField<T>* const> fields) = 0;
  /// Keeps the state after so many iterations where it is time to. Throws Stopped, the same on all ranks, where a
  /// signal or the limit of time asks for it, with the state kept.
  virtual void offer(const std::string& solver, Index iterations, std::span<AlmField<T>* const> fields,
                     std::span<const double> numbers) = 0;
};

}  // namespace armilla::iteration
