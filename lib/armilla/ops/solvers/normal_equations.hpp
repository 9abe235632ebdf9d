#pragma once

#include <armilla/iteration/ring_modes.hpp>
#include <armilla/ops/solvers/batch_vectors.hpp>
#include <armilla/ops/solvers/fit_weights.hpp>
#include <armilla/transform/field_transform.hpp>

#include <memory>
#include <vector>

namespace armilla::ops {

/// The normal equations Y^T W Y alm = Y^T W map of a least-squares fit, and their preconditioner P, for a batch. Keeps
/// references to the transform and the weights.
template <class T>
class NormalEquations {
 public:
  using Alm = transform::AlmField<T>;
  using Map = transform::MapField<T>;

  /// Collective. Allocates one map.
  NormalEquations(transform::FieldTransform<T>& transform, const FitWeights<T>& weights);

  transform::FieldTransform<T>& transform() { return transform_; }
  const comm::Communicator& comm() const { return transform_.comm(); }
  std::shared_ptr<backend::Memory> memory() const { return transform_.memory(); }
  /// Number of systems of the batch: maps times spin fields.
  std::size_t systems() const { return systems_of(*scratch_); }
  /// True for per-ring weights. The operator and P then map between coefficients and Delta, and maps can be ring modes.
  bool by_ring() const { return weights_.by_ring(); }
  const FitWeights<T>& weights() const { return weights_; }
  /// Weight of a pixel of each own ring; for weights that are constant on rings.
  std::span<const double> ring_weights() const { return weights_.rings(); }
  /// Collective. Scratch fields, initialised to zero.
  std::unique_ptr<Alm> make_alm() const;
  std::unique_ptr<Map> make_map() const;

  /// Collective. b = Y^T W Y a; overwrites b. Like precondition(), uses scratch() unless by_ring().
  void multiply(const Alm& a, Alm& b);
  /// Collective. b = Y^T W map; overwrites b. The map may be scratch().
  void adjoint(const Map& map, Alm& b);
  /// Collective. left = map - Y a; overwrites left.
  void subtract(const Map& map, const Alm& a, Map& left);
  /// Collective. b = P a; overwrites b.
  void precondition(const Alm& a, Alm& b);
  /// Collective. Sum of W map^2 of each system.
  std::vector<double> squares(const Map& map) const { return weights_.squares(comm(), map); }
  /// A scratch map that the calls above overwrite; free for other use between calls.
  Map& scratch() { return *scratch_; }

 private:
  transform::FieldTransform<T>& transform_;
  iteration::RingNormal<T> ring_normal_;
  const FitWeights<T>& weights_;
  std::unique_ptr<Map> scratch_;
};

}  // namespace armilla::ops
