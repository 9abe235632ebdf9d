#pragma once

#include <armilla/ops/solvers/normal_equations.hpp>

#include <memory>
#include <span>
#include <vector>

namespace armilla::ops {

/// The vector u of maps that LSMR works with, one for each system of a batch, under the weights of a fit: pixels, or
/// ring modes where these say all that a fit asks. All methods are collective.
template <class T>
class FitVector {
 public:
  using Alm = transform::AlmField<T>;

  virtual ~FitVector() = default;
  /// u = Y a - minus[s] u for each system s; of systems that are not `active` nothing can be said afterwards.
  virtual void advance(const Alm& a, std::span<const double> minus, const std::vector<bool>& active) = 0;
  /// u = by[s] u.
  virtual void scale(std::span<const double> by) = 0;
  /// u^T W u of each system, bitwise identical on any number of ranks.
  virtual std::vector<double> squares() = 0;
  /// b = Y^T W u; overwrites b.
  virtual void adjoint(Alm& b) = 0;
};

/// Collective. u = map; with weights of rings, where the transform can, between coefficients and Delta (`map` is left
/// as it is), else `map` itself, which is worked in and must outlive it, as must the equations.
template <class T>
std::unique_ptr<FitVector<T>> make_fit_vector(NormalEquations<T>& equations, transform::MapField<T>& map);

}  // namespace armilla::ops
