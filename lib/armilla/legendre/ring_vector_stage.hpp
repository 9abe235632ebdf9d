#pragma once

#include <armilla/core/aligned_vector.hpp>
#include <armilla/legendre/order_tables.hpp>
#include <armilla/legendre/ring_runs.hpp>
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
  SpinScratch spin;
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

  /// Computes Delta of the local m with index k for some maps at the pairs of all calls of its tables.
  void synthesise(Index k, const MapRange& all, const OrderTables& order, const Complex* alm, Complex* delta,
                  FewWorkspace& work) const {
    for_each_chunk(all, [&](const MapRange& maps) {
      load(k, maps, order.scalar(), alm, work);
      for (const ScalarCall& call : order.calls()) synthesise_call(k, maps, call, order.scalar(), delta, work);
    });
  }

  /// The transpose: overwrites the coefficients of the local m with index k.
  void apply_adjoint(Index k, const MapRange& all, const OrderTables& order, const Complex* delta, Complex* alm,
                     FewWorkspace& work) const {
    for_each_chunk(all, [&](const MapRange& maps) {
      for (const ScalarCall& call : order.calls())
        apply_adjoint_call(k, maps, call, order.scalar(), &call == order.calls().data(), delta, work);
      store(k, maps, order.scalar(), alm, work);
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
  void load(Index k, const MapRange& maps, const ScalarTables& tables, const Complex* alm, FewWorkspace& work) const;
  void store(Index k, const MapRange& maps, const ScalarTables& tables, Complex* alm, FewWorkspace& work) const;
  void synthesise_call(Index k, const MapRange& maps, const ScalarCall& call, const ScalarTables& tables,
                       Complex* delta, FewWorkspace& work) const;
  // The first call of its form overwrites the sums; another one adds to them.
  void apply_adjoint_call(Index k, const MapRange& maps, const ScalarCall& call, const ScalarTables& tables, bool first,
                          const Complex* delta, FewWorkspace& work) const;

  Task task_;
  RingRuns runs_;
};

}  // namespace armilla::legendre
