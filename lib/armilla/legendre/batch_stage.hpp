#pragma once

#include <armilla/core/aligned_vector.hpp>
#include <armilla/legendre/batch_kernel.hpp>
#include <armilla/legendre/batch_rows.hpp>
#include <armilla/legendre/scalar_tables.hpp>
#include <armilla/legendre/task.hpp>

#include <complex>
#include <vector>

namespace armilla::legendre {

/// Memory of one thread for BatchStage.
struct BatchWorkspace {
  core::AlignedVector<double> coefficients;  ///< [panel][step][row]
  core::AlignedVector<double> equator;       ///< likewise
  core::AlignedVector<double> halves;        ///< [panel][place of a pair][row]
  core::AlignedVector<double> fields;        ///< [component][step][4]
  ScalarKernelWorkspace kernel;
};

/// One call of the scalar kernels: pairs begin .. middle - 1 of the grid are its low ones, middle .. end - 1 the
/// others.
struct ScalarCall {
  ScalarKernelTask kernel;
  Index begin, middle, end;
};

/// One m of the scalar kernels for a batch of maps: fields stand in panels, and vectors go along them. As many maps at
/// a time as the second-level cache holds; their number decides no bit of the results.
template <class T>
class BatchStage {
 public:
  using Complex = std::complex<T>;

  /// Fields from which on this is faster than vectors along pairs.
  static constexpr Index kFewest = 3;

  /// `even`, `odd` [pair]: factors of the halves of Delta.
  BatchStage(const Task& task, Index scalar_lmax, std::vector<double> even, std::vector<double> odd);

  /// Delta of own m number k, whose tables are set, at the pairs of all calls. `for_each_call(body)` calls body(call)
  /// for each of them; it is gone through once for each group of maps.
  template <class Calls>
  void synthesise(Index k, const Calls& for_each_call, ScalarTables& tables, const Complex* alm, Complex* delta,
                  BatchWorkspace& work) const {
    for (Index map = 0; map < task_.maps; map += group_) {
      const Maps maps{map, std::min(group_, task_.maps - map)};
      load(k, maps, tables, alm, work);
      for_each_call([&](const ScalarCall& call) { synthesise_call(k, maps, call, tables, delta, work); });
    }
  }

  /// The transpose: coefficients of own m number k, overwritten.
  template <class Calls>
  void adjoin(Index k, const Calls& for_each_call, ScalarTables& tables, const Complex* delta, Complex* alm,
              BatchWorkspace& work) const {
    for (Index map = 0; map < task_.maps; map += group_) {
      const Maps maps{map, std::min(group_, task_.maps - map)};
      bool first = true;
      for_each_call([&](const ScalarCall& call) {
        adjoin_call(k, maps, call, first, tables, delta, work);
        first = false;
      });
      store(k, maps, tables, alm, work);
    }
  }

 private:
  struct Maps {
    Index first, count;
  };

  // Components begin a panel of their own.
  Index panels(const Maps& maps) const { return task_.components * panels_of(maps.count); }
  FieldRun run(const Maps& maps, Index component) const {
    return {component * task_.maps + maps.first, component * panels_of(maps.count) * kPanelFields, maps.count};
  }
  Index coefficients(const Maps& maps, const ScalarTables& tables) const {
    return panels(maps) * kPanelFields * tables.field_stride();
  }
  // Rows of a map's field among them.
  double* rows(const Maps& maps, Index component, Index map, const ScalarTables& tables, BatchWorkspace& work) const;

  void load(Index k, const Maps& maps, ScalarTables& tables, const Complex* alm, BatchWorkspace& work) const;
  void store(Index k, const Maps& maps, ScalarTables& tables, Complex* alm, BatchWorkspace& work) const;
  void synthesise_call(Index k, const Maps& maps, const ScalarCall& call, const ScalarTables& tables, Complex* delta,
                       BatchWorkspace& work) const;
  // The first call overwrites the sums, others add to them.
  void adjoin_call(Index k, const Maps& maps, const ScalarCall& call, bool first, const ScalarTables& tables,
                   const Complex* delta, BatchWorkspace& work) const;
  // Of the low pairs of a call, then of the others.
  RowRange low_rows(const ScalarCall& call) const {
    return {call.begin, call.middle, 0, call.kernel.pairs, even_.data(), odd_.data()};
  }
  RowRange other_rows(const ScalarCall& call) const {
    return {call.middle, call.end, call.kernel.low_pairs, call.kernel.pairs, even_.data(), odd_.data()};
  }

  Task task_;
  std::vector<double> even_, odd_;
  Index group_;  ///< maps at a time
};

extern template class BatchStage<float>;
extern template class BatchStage<double>;

}  // namespace armilla::legendre
