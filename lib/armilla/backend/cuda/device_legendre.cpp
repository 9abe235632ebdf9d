#include <armilla/backend/cuda/device_legendre.hpp>

#include <algorithm>

#include <kernels/legendre/scalar_choices.hpp>
#include <kernels/legendre/scalar_kernels.hpp>

namespace armilla::backend {

namespace {

using kernels::RowKind;
using kernels::ScalarChoices;

// Calls body(groups) for `fields` fields in groups of `most`, a power of two, and of smaller powers for the rest.
template <class Body>
void for_each_group(Index fields, int most, const Body& body) {
  Index first = 0;
  for (int together = most; together > 0; together /= 2) {
    const Index groups = (fields - first) / together;
    if (groups > 0) body(kernels::FieldGroups{first, together, groups});
    first += groups * together;
  }
}

Index most_steps(const ScalarStageTables& tables, const std::vector<OrderRange>& ranges) {
  Index most = 0;
  for (const OrderRange& range : ranges) most = std::max(most, tables.steps(range));
  return most;
}

// Two of a step.
Index synthesis_work(const ScalarStageTables& tables, Index fields) { return tables.rows_per_step() + 2 * fields; }
Index adjoint_work(const ScalarStageTables& tables, Index fields) {
  return tables.rows_per_step() + 2 * fields * tables.adjoint_blocks().count;
}

}  // namespace

template <class T>
DeviceLegendre<T>::DeviceLegendre(const legendre::Task& task, Index work_bytes, const kernels::Stream& stream)
    : tables_(task),
      fields_(task.width()),
      adjoint_blocks_(tables_.adjoint_blocks()),
      synthesis_ranges_(tables_.ranges(synthesis_work(tables_, fields_), work_bytes)),
      adjoint_ranges_(tables_.ranges(adjoint_work(tables_, fields_), work_bytes)),
      numbers_(kernels::upload<double>(tables_.numbers(), stream)),
      indices_(kernels::upload<Index>(tables_.indices(), stream)),
      work_(std::max(most_steps(tables_, synthesis_ranges_) * synthesis_work(tables_, fields_),
                     most_steps(tables_, adjoint_ranges_) * adjoint_work(tables_, fields_))) {}

// Rows first, then coefficients or partial sums, which share their place.
template <class T>
kernels::ScalarStage DeviceLegendre<T>::stage(const OrderRange& range) {
  kernels::ScalarStage stage = tables_.stage(range, numbers_.data(), indices_.data());
  const Index steps = tables_.steps(range);
  kernels::Two* place = work_.data();
  for (const RowKind kind : {RowKind::kPolar, RowKind::kSquare, RowKind::kEquator}) {
    if (!tables_.has(kind)) continue;
    stage.rows[static_cast<int>(kind)] = place;
    place += steps * (kind == RowKind::kEquator ? 2 : 1);
  }
  stage.coefficients = place;
  stage.partial_sums = place;
  return stage;
}

template <class T>
void DeviceLegendre<T>::synthesis(const Complex* alm, Complex* delta, const kernels::Stream& stream) {
  for (const OrderRange& range : synthesis_ranges_) {
    kernels::ScalarStage part = stage(range);
    kernels::launch_rows(part, stream.get());
    kernels::launch_load(part, alm, stream.get());
    for_each_group(fields_, ScalarChoices::kMostFieldsOfSynthesis, [&](const kernels::FieldGroups& groups) {
      part.pair_blocks = tables_.synthesis_blocks(groups.together, groups.groups);
      kernels::launch_scalar_synthesis(part, groups, kernels::delta_numbers(delta), stream.get());
    });
  }
}

template <class T>
void DeviceLegendre<T>::adjoint(const Complex* delta, Complex* alm, const kernels::Stream& stream) {
  for (const OrderRange& range : adjoint_ranges_) {
    kernels::ScalarStage part = stage(range);
    part.pair_blocks = adjoint_blocks_;
    kernels::launch_rows(part, stream.get());
    for_each_group(fields_, ScalarChoices::kMostFieldsOfAdjoint, [&](const kernels::FieldGroups& groups) {
      kernels::launch_scalar_adjoint(part, groups, kernels::delta_numbers(delta), stream.get());
    });
    kernels::launch_store(part, alm, stream.get());
  }
}

template <class T>
Index DeviceLegendre<T>::bytes(const legendre::Task& task, Index work_bytes) {
  return ScalarStageTables::bytes(task) + work_bytes;
}

template class DeviceLegendre<float>;
template class DeviceLegendre<double>;

}  // namespace armilla::backend
