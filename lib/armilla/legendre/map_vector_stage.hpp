#pragma once

#include <armilla/core/aligned_vector.hpp>
#include <armilla/legendre/batch_kernel.hpp>
#include <armilla/legendre/batch_rows.hpp>
#include <armilla/legendre/engine.hpp>
#include <armilla/legendre/order_tables.hpp>
#include <armilla/legendre/panel_coefficients.hpp>
#include <armilla/legendre/task.hpp>

#include <algorithm>
#include <complex>
#include <vector>

namespace armilla::legendre {

/// Memory of one thread for MapVectorStage.
struct BatchWorkspace {
  core::AlignedVector<double> coefficients;  ///< [panel][step][row]
  core::AlignedVector<double> equator;       ///< [panel][step][row]
  core::AlignedVector<double> halves;        ///< adjoint: [panel][place of a pair][row]
  std::vector<PairRings> rings;              ///< synthesis: [padded pair of a call]
  core::AlignedVector<double> fields;        ///< [component][step][4]
  SpinScratch spin;
  ScalarKernelWorkspace kernel;
};

/// One m of the scalar kernels for a batch of maps: fields are stored in panels, and vectors run along them. Maps are
/// processed in chunks that fit in the L2 cache; the chunk size does not affect results.
template <class T>
class MapVectorStage {
 public:
  using Complex = std::complex<T>;

  /// `even`, `odd` [pair]: factors of the halves of Delta.
  MapVectorStage(const Task& task, Index scalar_lmax, std::vector<double> even, std::vector<double> odd);

  /// Whether this number of maps forms a single chunk, as hooks require.
  bool is_one_chunk(Index maps) const { return maps <= chunk_; }

  /// Computes Delta of the local m with index k for some maps at the pairs of all calls of its tables. `written`, if
  /// set, is called for groups of pairs in order.
  void synthesise(Index k, const MapRange& all, const OrderTables& order, const Complex* alm, Complex* delta,
                  const PairHook& written, BatchWorkspace& work) const {
    for (Index map = 0; map < all.count; map += chunk_) {
      const MapRange maps{all.first + map, std::min(chunk_, all.count - map)};
      load(k, maps, order.scalar(), alm, work);
      for (const ScalarCall& call : order.calls()) synthesise_call(k, maps, call, order.scalar(), delta, written, work);
    }
  }

  /// The transpose: overwrites the coefficients of the local m with index k. `wanted` is called before some pairs are
  /// read.
  void apply_adjoint(Index k, const MapRange& all, const OrderTables& order, const Complex* delta, Complex* alm,
                     const PairHook& wanted, BatchWorkspace& work) const {
    for (Index map = 0; map < all.count; map += chunk_) {
      const MapRange maps{all.first + map, std::min(chunk_, all.count - map)};
      for (const ScalarCall& call : order.calls())
        apply_adjoint_call(k, maps, call, &call == order.calls().data(), order.scalar(), delta, wanted, work);
      store(k, maps, order.scalar(), alm, work);
    }
  }

 private:
  PanelFields fields(const MapRange& maps) const {
    return {maps.first, maps.count, task_.maps, task_.components * maps.count};
  }
  Index panels(const MapRange& maps) const { return panels_of(task_.components * maps.count); }
  Index coefficients(const MapRange& maps, const ScalarTables& tables) const {
    return panels(maps) * kPanelFields * tables.field_stride();
  }
  // Rows of the field of a map.
  double* rows(const MapRange& maps, Index component, Index map, const ScalarTables& tables,
               BatchWorkspace& work) const;

  void load(Index k, const MapRange& maps, const ScalarTables& tables, const Complex* alm, BatchWorkspace& work) const;
  void store(Index k, const MapRange& maps, const ScalarTables& tables, Complex* alm, BatchWorkspace& work) const;
  void synthesise_call(Index k, const MapRange& maps, const ScalarCall& call, const ScalarTables& tables,
                       Complex* delta, const PairHook& written, BatchWorkspace& work) const;
  // The first call overwrites the sums; later ones add to them.
  void apply_adjoint_call(Index k, const MapRange& maps, const ScalarCall& call, bool first, const ScalarTables& tables,
                          const Complex* delta, const PairHook& wanted, BatchWorkspace& work) const;
  PairRings rings_of(Index k, Index pair) const;
  // Calls body(slice, whether it is the last) for slices of `rows`: one slice, or, with `hook` set, slices that fit in
  // the L1 cache.
  template <class Body>
  void for_each_slice(const RowRange& rows, const PairHook& hook, const Body& body) const;
  // The low pairs of a call, then the others.
  RowRange low_rows(const ScalarCall& call) const {
    return {call.begin, call.middle, 0, call.kernel.pairs, even_.data(), odd_.data()};
  }
  RowRange other_rows(const ScalarCall& call) const {
    return {call.middle, call.end, call.kernel.low_pairs, call.kernel.pairs, even_.data(), odd_.data()};
  }

  Task task_;
  std::vector<double> even_, odd_;
  Index chunk_;  ///< maps per chunk
};

}  // namespace armilla::legendre
