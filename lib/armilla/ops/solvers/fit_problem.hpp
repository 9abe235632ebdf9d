#pragma once

#include <armilla/backend/memory.hpp>
#include <armilla/comm/communicator.hpp>
#include <armilla/transform/field.hpp>

#include <memory>
#include <span>
#include <vector>

namespace armilla::ops {

using core::Index;

/// The data vector u of LSMR, one for each system of a batch, under the weights W of a fit. All methods are collective.
template <class T>
class FitVector {
 public:
  using Alm = transform::AlmField<T>;

  virtual ~FitVector() = default;
  /// u = Y a - minus[s] u for each system s. The u of systems that are not `active` is unspecified afterwards.
  virtual void advance(const Alm& a, std::span<const double> minus, const std::vector<bool>& active) = 0;
  /// u = by[s] u.
  virtual void scale(std::span<const double> by) = 0;
  /// u^T W u of each system.
  virtual std::vector<double> squares() = 0;
  /// b = Y^T W u; overwrites b.
  virtual void adjoint(Alm& b) = 0;
};

/// A least-squares fit, min (data - Y alm)^T W (data - Y alm) for each system of a batch (batch_vectors.hpp), as an
/// interface for the solvers. The data are maps or values at points; the residual is stored here. Methods are
/// collective unless marked otherwise.
template <class T>
class FitProblem {
 public:
  using Alm = transform::AlmField<T>;

  virtual ~FitProblem() = default;
  virtual const comm::Communicator& comm() const = 0;           ///< not collective
  virtual std::shared_ptr<backend::Memory> memory() const = 0;  ///< holds the coefficients; not collective
  virtual std::size_t systems() const = 0;                      ///< not collective
  virtual Index maps() const = 0;                               ///< not collective
  /// Scratch coefficients, initialised to zero.
  virtual std::unique_ptr<Alm> make_alm() const = 0;

  /// b = Y^T W Y a; overwrites b. Like precondition(), may overwrite the residual of set_left().
  virtual void multiply(const Alm& a, Alm& b) = 0;
  /// b = P a, where P approximates the inverse of Y^T W Y; overwrites b.
  virtual void precondition(const Alm& a, Alm& b) = 0;
  /// left = data - Y alm, or left = data if `alm` is null; returns left^T W left for each system.
  virtual std::vector<double> set_left(const Alm* alm) = 0;
  /// b = Y^T W left; overwrites b. Call after set_left().
  virtual void adjoint_of_left(Alm& b) = 0;
  /// u = left; u may use the memory of `left` until the next set_left(). Call after set_left().
  virtual std::unique_ptr<FitVector<T>> vector_of_left() = 0;
  /// Called between iterations; releases resources that transforms need not keep.
  virtual void between_iterations() {}
};

}  // namespace armilla::ops
