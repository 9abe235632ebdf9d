#pragma once

#include <armilla/core/aligned_vector.hpp>
#include <armilla/legendre/ring_runs.hpp>
#include <armilla/legendre/scalar_call.hpp>
#include <armilla/legendre/scalar_tables.hpp>
#include <armilla/legendre/task.hpp>

#include <algorithm>
#include <complex>
#include <vector>

namespace armilla::legendre {

/// Memory of one thread for RingVectorStage.
struct FewWorkspace {
  core::AlignedVector<double> coefficients;  ///< [field][step][4]
  core::AlignedVector<double> equator;       ///< [field][step][4]
  core::AlignedVector<double> halves;        ///< [field][4][pair], or in the layout of scalar_adjoint
  ScalarKernelWorkspace kernel;
};

/// One m of the scalar kernels for few maps, one or two fields at a time; vectors run along the ring pairs.
template <class T>
class RingVectorStage {
 public:
  using Complex = std::complex<T>;

  /// `even`, `odd` [pair]: factors of the halves of Delta.
  RingVectorStage(const Task& task, std::vector<double> even, std::vector<double> odd)
      : task_(task), runs_(task, std::move(even), std::move(odd)) {}

  /// Computes Delta of the local m with index k, whose tables must be set, for some maps at the pairs of all calls.
  /// `for_each_call(body)` calls body(call) for each call; it is executed once for every two fields.
  template <class Calls>
  void synthesise(Index k, const MapRange& all, const Calls& for_each_call, ScalarTables& tables, const Complex* alm,
                  Complex* delta, FewWorkspace& work) const {
    for_each_chunk(all, [&](const MapRange& maps) {
      load(k, maps, tables, alm, work);
      for_each_call([&](const ScalarCall& call) { synthesise_call(k, maps, call, tables, delta, work); });
    });
  }

  /// The transpose: overwrites the coefficients of the local m with index k.
  template <class Calls>
  void apply_adjoint(Index k, const MapRange& all, const Calls& for_each_call, ScalarTables& tables,
                     const Complex* delta, Complex* alm, FewWorkspace& work) const {
    for_each_chunk(all, [&](const MapRange& maps) {
      bool first = true;
      for_each_call([&](const ScalarCall& call) {
        apply_adjoint_call(k, maps, call, tables, first, delta, work);
        first = false;
      });
      store(k, maps, tables, alm, work);
    });
  }

 private:
  template <class Body>
  void for_each_chunk(const MapRange& all, const Body& body) const {
    const Index most = 2 / task_.components;
    for (Index map = 0; map < all.count; map += most) body(MapRange{all.first + map, std::min(most, all.count - map)});
  }
  // The two fields of a spin are far apart in memory; those of two scalar maps are adjacent.
  FieldSet fields(const MapRange& maps) const {
    return {maps.first, task_.components == 1 ? 1 : task_.maps, task_.components * maps.count};
  }
  void load(Index k, const MapRange& maps, ScalarTables& tables, const Complex* alm, FewWorkspace& work) const;
  void store(Index k, const MapRange& maps, ScalarTables& tables, Complex* alm, FewWorkspace& work) const;
  void synthesise_call(Index k, const MapRange& maps, const ScalarCall& call, const ScalarTables& tables,
                       Complex* delta, FewWorkspace& work) const;
  // The first call of its form overwrites the sums; another one adds to them.
  void apply_adjoint_call(Index k, const MapRange& maps, const ScalarCall& call, const ScalarTables& tables, bool first,
                          const Complex* delta, FewWorkspace& work) const;

  Task task_;
  RingRuns runs_;
};

}  // namespace armilla::legendre
