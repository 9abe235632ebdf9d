#pragma once

#include <armilla/backend/memory.hpp>
#include <armilla/comm/communicator.hpp>
#include <armilla/transform/field.hpp>

#include <memory>
#include <span>
#include <vector>

namespace armilla::ops {

using core::Index;

/// The vector u of data that LSMR works with, one for each system of a batch, under the weights W of a fit. All methods
/// are collective.
template <class T>
class FitVector {
 public:
  using Alm = transform::AlmField<T>;

  virtual ~FitVector() = default;
  /// u = Y a - minus[s] u for each system s; of systems that are not `active` nothing can be said afterwards.
  virtual void advance(const Alm& a, std::span<const double> minus, const std::vector<bool>& active) = 0;
  /// u = by[s] u.
  virtual void scale(std::span<const double> by) = 0;
  /// u^T W u of each system.
  virtual std::vector<double> squares() = 0;
  /// b = Y^T W u; overwrites b.
  virtual void adjoint(Alm& b) = 0;
};

/// A least-squares fit, min (data - Y alm)^T W (data - Y alm) for each system of a batch (batch_vectors.hpp), as the
/// solvers see it: its data are maps, or values at points, and what is left of them is kept here. All methods are
/// collective but those that say so.
template <class T>
class FitProblem {
 public:
  using Alm = transform::AlmField<T>;

  virtual ~FitProblem() = default;
  virtual const comm::Communicator& comm() const = 0;           ///< not collective
  virtual std::shared_ptr<backend::Memory> memory() const = 0;  ///< where coefficients are computed; not collective
  virtual std::size_t systems() const = 0;                      ///< not collective
  virtual Index maps() const = 0;                               ///< not collective
  /// Coefficients to work in, filled with zeros.
  virtual std::unique_ptr<Alm> make_alm() const = 0;

  /// b = Y^T W Y a; overwrites b. May work in what set_left() made, as precondition().
  virtual void multiply(const Alm& a, Alm& b) = 0;
  /// b = P a, P near the inverse of Y^T W Y; overwrites b.
  virtual void precondition(const Alm& a, Alm& b) = 0;
  /// left = data - Y alm, or the data for null; returns left^T W left of each system.
  virtual std::vector<double> set_left(const Alm* alm) = 0;
  /// b = Y^T W left; overwrites b. After set_left().
  virtual void adjoint_of_left(Alm& b) = 0;
  /// u = left, whose memory it may use until the next set_left(). After set_left().
  virtual std::unique_ptr<FitVector<T>> vector_of_left() = 0;
  /// Between iterations, for what transforms need not keep.
  virtual void between_iterations() {}
};

}  // namespace armilla::ops
