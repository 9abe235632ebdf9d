#include <armilla/core/instantiate.hpp>
#include <armilla/legendre/ring_vector_stage.hpp>

#include <algorithm>

namespace armilla::legendre {

namespace {

using core::at;

ScalarKernelTask with_fields(ScalarKernelTask task, Index fields) {
  task.fields = fields;
  return task;
}

}  // namespace

template <class T>
void RingVectorStage<T>::load(Index k, const MapRange& maps, const ScalarTables& tables, const Complex* alm,
                              FewWorkspace& work) const {
  const Index stride = tables.field_stride();
  work.coefficients.resize(at(fields(maps).count * stride));
  double* field = work.coefficients.data();
  if (task_.spin != 0) {
    tables.load(task_.coefficients(alm, k, 0, maps.first), task_.coefficients(alm, k, 1, maps.first), work.spin, field,
                field + stride);
    return;
  }
  for (Index map = 0; map < maps.count; ++map)
    tables.load(task_.coefficients(alm, k, 0, maps.first + map), field + map * stride);
}

template <class T>
void RingVectorStage<T>::store(Index k, const MapRange& maps, const ScalarTables& tables, Complex* alm,
                               FewWorkspace& work) const {
  const Index stride = tables.field_stride();
  const double* field = work.coefficients.data();
  if (task_.spin != 0) {
    tables.store(field, field + stride, work.spin, task_.coefficients(alm, k, 0, maps.first),
                 task_.coefficients(alm, k, 1, maps.first));
    return;
  }
  for (Index map = 0; map < maps.count; ++map)
    tables.store(field + map * stride, task_.coefficients(alm, k, 0, maps.first + map));
}

template <class T>
void RingVectorStage<T>::synthesise_call(Index k, const MapRange& maps, const ScalarCall& call,
                                         const ScalarTables& tables, Complex* delta, FewWorkspace& work) const {
  const FieldSet set = fields(maps);
  const ScalarKernelTask kernel = with_fields(call.kernel, set.count);
  const double* coefficients = work.coefficients.data();
  if (kernel.form == ScalarForm::kEquator) {
    work.equator.resize(work.coefficients.size());
    for (Index field = 0; field < set.count; ++field)
      tables.scale_equator(coefficients + field * kernel.field_stride, 4,
                           &work.equator[at(field * kernel.field_stride)], false);
    coefficients = work.equator.data();
  }
  work.halves.resize(at(set.count * 4 * kernel.pairs));
  scalar_synthesis(kernel, coefficients, work.halves.data(), work.kernel);
  const auto unpack = [&](Index begin, Index end, Index place) {
    if (begin < end) runs_.unpack(task_, k, set, begin, end, kernel.pairs, work.halves.data() + place, delta);
  };
  unpack(call.begin, call.middle, 0);
  unpack(call.middle, call.end, kernel.low_pairs);
}

template <class T>
void RingVectorStage<T>::apply_adjoint_call(Index k, const MapRange& maps, const ScalarCall& call,
                                            const ScalarTables& tables, bool first, const Complex* delta,
                                            FewWorkspace& work) const {
  const FieldSet set = fields(maps);
  const ScalarKernelTask kernel = with_fields(call.kernel, set.count);
  work.halves.resize(at(set.count * 4 * kernel.pairs));
  const auto pack = [&](const StoredPairs& pairs) {
    if (pairs.begin < pairs.end) runs_.pack(task_, k, set, pairs, delta, work.halves.data());
  };
  const Index lanes = RingRuns::vector_lanes();
  pack({call.begin, call.middle, 0, kernel.low_pairs, lanes});
  pack({call.middle, call.end, kernel.low_pairs, kernel.pairs - kernel.low_pairs, lanes});
  work.coefficients.resize(at(set.count * kernel.field_stride));
  if (kernel.form != ScalarForm::kEquator) {
    scalar_adjoint(kernel, work.halves.data(), work.coefficients.data(), work.kernel);
    return;
  }
  work.equator.resize(work.coefficients.size());
  scalar_adjoint(kernel, work.halves.data(), work.equator.data(), work.kernel);
  for (Index field = 0; field < set.count; ++field)
    tables.scale_equator(&work.equator[at(field * kernel.field_stride)], 4,
                         &work.coefficients[at(field * kernel.field_stride)], !first);
}

ARMILLA_INSTANTIATE_CLASS(RingVectorStage);

}  // namespace armilla::legendre
