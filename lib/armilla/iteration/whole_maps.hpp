#pragma once

#include <armilla/iteration/types.hpp>

#include <span>
#include <vector>

namespace armilla::iteration {

/// Distributes the maps of a batch to the ranks as whole maps, map k to rank k modulo ranks, for methods that process
/// the m of a map sequentially. Holds a reference to `comm`.
template <class T>
class WholeMaps {
 public:
  /// Throws ResourceError if the fields do not fit in memory.
  WholeMaps(const comm::Communicator& comm, const FieldTransformSpec& spec);

  /// Parameters of a transform of the rank's own whole maps; spec().maps may be 0.
  const FieldTransformSpec& spec() const { return whole_; }
  const MapField<T>& map() const { return map_; }
  AlmField<T>& alm() { return alm_; }

  /// Collective. Copies the maps of a batch to map().
  void take(const MapField<T>& map);
  /// Collective. Returns alm() to the owners of m; overwrites alm.
  void give(AlmField<T>& alm);

  /// spec() of any rank.
  static FieldTransformSpec whole_spec(const FieldTransformSpec& spec, int rank);
  /// Memory on `rank`.
  static core::MemoryEstimate memory(const FieldTransformSpec& spec, int rank);

 private:
  using Complex = std::complex<T>;

  Index maps_of(int rank) const;
  void exchange(const std::vector<Index>& send_counts, const std::vector<Index>& receive_counts);

  const comm::Communicator& comm_;
  FieldTransformSpec spec_, whole_;
  MapField<T> map_;
  AlmField<T> alm_;
  std::vector<Complex> send_, receive_;
};

}  // namespace armilla::iteration
