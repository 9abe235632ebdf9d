#include <armilla/backend/cuda/segment_legendre.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>

#include <algorithm>
#include <memory>

#include <kernels/legendre/scalar_kernels.hpp>
#include <kernels/legendre/segment_kernels.hpp>

namespace armilla::backend {

namespace {

using kernels::RowKind;

// Calls body(groups) for all fields: groups of eight, and for the remainder those of 8, 4, 2 and 1 fields that take the
// least time. A product of 16 by 8 values is for two fields, and each group computes the recurrences.
template <class Body>
void for_each_segment_group(Index fields, const Body& body) {
  constexpr Index kMost = 8;
  const Index whole = fields / kMost;
  if (whole > 0) body(kernels::FieldGroups{0, kMost, whole});
  for (Index first = whole * kMost; first < fields;) {
    const Index left = fields - first;
    const int together = left == 7 ? 8 : left >= 3 ? 4 : static_cast<int>(left);
    body(kernels::FieldGroups{first, together, 1});
    first += together;
  }
}

}  // namespace

template <class T>
SegmentLegendre<T>::SegmentLegendre(const legendre::Task& task, Index work_bytes, const kernels::Stream& stream)
    : shape_(task),
      scalar_tables_(task),
      memory_(shape_.memory(work_bytes)),
      first_step_(static_cast<Index>(task.m.size() * shape_.groups().size())),
      kept_(memory_.kept),
      work_(memory_.work) {
  plain_.scalar =
      arrays_.add_packed([&](const auto& add) { return scalar_tables_.template stage<DevicePointer>(add); }, stream);
  plain_.groups = arrays_.add(shape_.groups(), stream);
  plain_.two_term_groups = shape_.two_term_groups();
  plain_.all_groups = static_cast<Index>(shape_.groups().size());
  plain_.first_group = arrays_.add(shape_.first_group(), stream);
  plain_.first_slot = arrays_.add(shape_.first_slot(), stream);
  plain_.first_sum = arrays_.add(shape_.first_sum(), stream);
  plain_.first_step = first_step_.data();
  check_seeds(stream);
}

template <class T>
void SegmentLegendre<T>::check_seeds(const kernels::Stream& stream) {
  kernels::fill_zero(first_step_.data(), first_step_.size(), stream);
  for (const OrderRange& range : memory_.synthesis) {
    const kernels::DeviceSegmentStage stage = stage_of(range);
    kernels::launch_rows(stage.scalar, stream.get());
    kernels::launch_segment_seeds(stage, stream.get());
  }
  std::vector<Index> first_step(static_cast<std::size_t>(first_step_.size()));
  kernels::copy(first_step.data(), first_step_.data(), first_step_.size(), stream);
  stream.wait();
  if (std::any_of(first_step.begin(), first_step.end(), [](Index step) { return step < 0; }))
    throw core::InternalError("the pairs of a group of the Legendre stage by segments are too different");
}

// Rows come first, then seeds; in the second workspace, scratch follows: coefficients, or sums and their totals.
template <class T>
kernels::DeviceSegmentStage SegmentLegendre<T>::stage_of(const OrderRange& range, Index place) {
  kernels::DeviceSegmentStage stage = plain_;
  scalar_tables_.select(range, stage.scalar);
  const bool kept = range.begin < memory_.kept_orders;
  const OrderRange held = kept ? OrderRange{0, memory_.kept_orders} : range;
  const Index before = shape_.scalar().steps({held.begin, range.begin});
  const Index steps = shape_.scalar().steps(held);
  DevicePointer<kernels::Two> next = kept ? kept_.data() : work_.data() + place;
  for (const RowKind kind : {RowKind::kPolar, RowKind::kSquare, RowKind::kEquator}) {
    if (!shape_.scalar().has(kind)) continue;
    const Index numbers = kind == RowKind::kEquator ? 2 : 1;
    stage.scalar.rows[static_cast<int>(kind)] = next + before * numbers;
    next += steps * numbers;
  }
  stage.seeds = next + shape_.seeds({held.begin, range.begin});
  next += shape_.seeds(held);
  if (kept) next = work_.data() + place;
  stage.scalar.coefficients = next;
  stage.scalar.partial_sums = next;
  stage.sums = next + 2 * shape_.scalar().steps(range) * stage.scalar.fields();
  // Totals are partial sums of a single block of all pairs.
  kernels::PairBlocks& blocks = stage.scalar.pair_blocks;
  const Index pairs = stage.scalar.pairs.count;
  blocks.section_count = 1;
  blocks.count = 1;
  blocks.sections[0] = {RowKind::kSquare, core::Precision::kDouble, 0, pairs, pairs, 1, 0};
  return stage;
}

template <class T>
kernels::DeviceSegmentStage SegmentLegendre<T>::prepared(const OrderRange& range, const kernels::Stream& stream,
                                                         Index place) {
  const kernels::DeviceSegmentStage stage = stage_of(range, place);
  if (range.begin < memory_.kept_orders) return stage;
  kernels::launch_rows(stage.scalar, stream.get());
  kernels::launch_segment_seeds(stage, stream.get());
  return stage;
}

template <class T>
void SegmentLegendre<T>::synthesis(const OrderRange& orders, DevicePointer<const Complex> alm,
                                   DevicePointer<Complex> delta, const kernels::Stream& stream) {
  for_each_range(memory_.synthesis, orders, [&](const OrderRange& range) {
    const kernels::DeviceSegmentStage stage = prepared(range, stream);
    kernels::launch_load(stage.scalar, alm, stream.get());
    for_each_segment_group(stage.scalar.fields(), [&](const kernels::FieldGroups& groups) {
      kernels::launch_segment_synthesis(stage, groups, kernels::delta_numbers(delta), stream.get());
    });
  });
}

template <class T>
void SegmentLegendre<T>::adjoint(const OrderRange& orders, DevicePointer<const Complex> delta,
                                 DevicePointer<Complex> alm, const kernels::Stream& stream) {
  beside_.run(stream, [&](const kernels::Stream& beside) {
    int count = 0;
    for_each_range(memory_.adjoint, orders, [&](const OrderRange& range) {
      const int half = count % 2;
      if (count >= 2) stored_[half].hold(stream);
      const kernels::DeviceSegmentStage stage = prepared(range, stream, half * memory_.adjoint_half);
      for_each_segment_group(stage.scalar.fields(), [&](const kernels::FieldGroups& groups) {
        kernels::launch_segment_adjoint(stage, groups, kernels::delta_numbers(delta), stream.get());
      });
      summed_[half].record(stream);
      summed_[half].hold(beside);
      kernels::launch_segment_totals(stage, beside.get());
      kernels::launch_store(stage.scalar, alm, beside.get());
      stored_[half].record(beside);
      ++count;
    });
  });
}

ARMILLA_INSTANTIATE_CLASS(SegmentLegendre);

namespace {

template <class T>
std::unique_ptr<PairStage<T>> make(const legendre::Task& task, Index work_bytes, const kernels::Stream& stream) {
  return std::make_unique<SegmentLegendre<T>>(task, work_bytes, stream);
}

}  // namespace

PairStageMakers segment_makers() { return {&make<double>, &make<float>}; }

}  // namespace armilla::backend
