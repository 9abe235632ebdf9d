#include <armilla/backend/cuda/device_legendre.hpp>
#include <armilla/core/instantiate.hpp>

#include <algorithm>

#include <kernels/core/device.hpp>
#include <kernels/legendre/scalar_choices.hpp>
#include <kernels/legendre/scalar_kernels.hpp>

namespace armilla::backend {

namespace {

using kernels::RowKind;
using kernels::ScalarChoices;

// Calls body(groups) for `fields` fields, in groups of `most`, a power of two, then of smaller powers for the
// remainder.
template <class Body>
void for_each_group(Index fields, int most, const Body& body) {
  Index first = 0;
  for (int together = most; together > 0; together /= 2) {
    const Index groups = (fields - first) / together;
    if (groups > 0) body(kernels::FieldGroups{first, together, groups});
    first += groups * together;
  }
}

// Like for_each_group(), for tensor cores: groups of eight, then of four for the remainder. The last group may be
// incomplete.
template <class Body>
void for_each_tensor_group(Index fields, const Body& body) {
  constexpr int kMax = ScalarChoices::kMaxTensorFields;
  constexpr int kMin = ScalarChoices::kMinTensorFields;
  const Index groups = fields / kMax;
  const Index first = groups * kMax;
  if (groups > 0) body(kernels::FieldGroups{0, kMax, groups});
  if (first < fields) body(kernels::FieldGroups{first, kMin, (fields - first + kMin - 1) / kMin});
}

}  // namespace

template <class T>
DeviceLegendre<T>::DeviceLegendre(const legendre::Task& task, core::Precision sums, Index work_bytes,
                                  const kernels::Stream& stream, Products products,
                                  const kernels::ScalarKernels& scalar)
    : scalar_(scalar),
      tables_(task, sums, products, scalar.limits),
      all_(OrderRange::all(task)),
      fields_(task.width()),
      tensor_cores_(shape().tensor_cores(kernels::has_tensor_cores())),
      adjoint_blocks_(tensor_cores_ ? shape().tensor_adjoint_blocks() : shape().adjoint_blocks()),
      synthesis_ranges_(shape().ranges(Direction::kSynthesis, work_bytes)),
      adjoint_ranges_(shape().ranges(Direction::kAdjoint, work_bytes)),
      rows_stay_(synthesis_ranges_.size() == 1 && adjoint_ranges_.size() == 1),
      plain_(arrays_.add_packed([&](const auto& add) { return tables_.stage<DevicePointer>(add); }, stream)),
      work_(shape().max_work(work_bytes)) {
  if (tensor_cores_ && shape().has(RowKind::kEquator)) side_.emplace();
  if (!rows_stay_) return;
  kernels::launch_rows(stage_of(synthesis_ranges_.front()), stream.get());
  stream.wait();
}

// Scratch holds rows first (of all local m if rows are kept), then coefficients or partial sums, which share memory.
template <class T>
kernels::DeviceScalarStage DeviceLegendre<T>::stage_of(const OrderRange& range) {
  kernels::DeviceScalarStage stage = plain_;
  tables_.select(range, stage);
  const OrderRange held = rows_stay_ ? all_ : range;
  const Index before = shape().steps({held.begin, range.begin});
  const Index steps = shape().steps(held);
  DevicePointer<kernels::Two> next = work_.data();
  for (const RowKind kind : {RowKind::kPolar, RowKind::kSquare, RowKind::kEquator}) {
    if (!shape().has(kind)) continue;
    const Index numbers = kind == RowKind::kEquator ? 2 : 1;
    stage.rows[static_cast<int>(kind)] = next + before * numbers;
    next += steps * numbers;
  }
  stage.coefficients = next;
  stage.partial_sums = next;
  if (shape().sums() == core::Precision::kSingle)
    stage.single_coefficients =
        kernels::device_cast<kernels::StepCoefficients<float>>(next + 2 * shape().steps(range) * stage.fields());
  return stage;
}

template <class T>
template <class Work>
void DeviceLegendre<T>::run_beside(const kernels::Stream& stream, const Work& work) {
  if (side_)
    side_->run(stream, work);
  else
    work(stream);
}

template <class T>
void DeviceLegendre<T>::launch_synthesis(kernels::DeviceScalarStage& stage, const kernels::DeviceDeltaNumbers& delta,
                                         const kernels::Stream& stream) {
  const Index orders = stage.k_end - stage.k_begin;
  if (tensor_cores_)
    return run_beside(stream, [&](const kernels::Stream& beside) {
      for_each_tensor_group(fields_, [&](const kernels::FieldGroups& groups) {
        stage.pair_blocks = shape().tensor_synthesis_blocks(groups.together, groups.groups, orders);
        kernels::launch_tensor_synthesis(stage, groups, delta, stream.get(), beside.get());
      });
    });
  for_each_group(fields_, ScalarChoices::max_fields_of_synthesis(shape().sums()),
                 [&](const kernels::FieldGroups& groups) {
                   stage.pair_blocks = shape().synthesis_blocks(groups.together, groups.groups, orders);
                   scalar_.synthesis(stage, groups, delta, stream.get());
                 });
}

template <class T>
void DeviceLegendre<T>::launch_adjoint(const kernels::DeviceScalarStage& stage,
                                       const kernels::DeviceDeltaNumbers& delta, const kernels::Stream& stream) {
  if (tensor_cores_)
    return run_beside(stream, [&](const kernels::Stream& beside) {
      for_each_tensor_group(fields_, [&](const kernels::FieldGroups& groups) {
        kernels::launch_tensor_adjoint(stage, groups, delta, stream.get(), beside.get());
      });
    });
  for_each_group(fields_, ScalarChoices::kMaxFieldsOfAdjoint,
                 [&](const kernels::FieldGroups& groups) { scalar_.adjoint(stage, groups, delta, stream.get()); });
}

template <class T>
void DeviceLegendre<T>::synthesis(const OrderRange& orders, DevicePointer<const Complex> alm,
                                  DevicePointer<Complex> delta, const kernels::Stream& stream) {
  for_each_range(synthesis_ranges_, orders, [&](const OrderRange& range) {
    kernels::DeviceScalarStage stage = stage_of(range);
    if (!rows_stay_) kernels::launch_rows(stage, stream.get());
    kernels::launch_load(stage, alm, stream.get());
    launch_synthesis(stage, kernels::delta_numbers(delta), stream);
  });
}

template <class T>
void DeviceLegendre<T>::adjoint(const OrderRange& orders, DevicePointer<const Complex> delta,
                                DevicePointer<Complex> alm, const kernels::Stream& stream) {
  for_each_range(adjoint_ranges_, orders, [&](const OrderRange& range) {
    kernels::DeviceScalarStage stage = stage_of(range);
    stage.pair_blocks = adjoint_blocks_;
    if (!rows_stay_) kernels::launch_rows(stage, stream.get());
    launch_adjoint(stage, kernels::delta_numbers(delta), stream);
    kernels::launch_store(stage, alm, stream.get());
  });
}

ARMILLA_INSTANTIATE_CLASS(DeviceLegendre);

}  // namespace armilla::backend
