#pragma once

#include <armilla/backend/scalar_stage_shape.hpp>
#include <armilla/core/memory_estimate.hpp>
#include <armilla/legendre/degree_tables.hpp>
#include <armilla/legendre/pair_parts.hpp>
#include <armilla/legendre/task.hpp>

#include <bit>
#include <vector>

#include <kernels/legendre/scalar_stage.hpp>

namespace armilla::backend {

using core::Index;

/// Host tables of the Legendre stage by the scalar recurrence; devices copy them.
class ScalarStageTables {
 public:
  explicit ScalarStageTables(const legendre::Task& task, core::Precision sums = core::Precision::kDouble,
                             Products products = Products::kByTask,
                             const kernels::PairLimits& limits = kernels::PairLimits::of<kernels::Production>());

  /// The stage of all local m with pointers to these tables, or to copies of them; `add` as in WignerTables::task.
  /// Blocks of pairs and scratch are not set.
  template <template <class> class Pointer, class Add>
  kernels::ScalarStageOf<Pointer> stage(const Add& add) const;
  /// Restricts a stage to some local m.
  template <template <class> class Pointer>
  void select(const OrderRange& range, kernels::ScalarStageOf<Pointer>& stage) const;

  const ScalarStageShape& shape() const { return shape_; }

  /// Device memory.
  static core::MemoryEstimate memory(const legendre::Task& task);

 private:
  ScalarStageShape shape_;
  OrderRange all_;
  kernels::DeviceScalarStage plain_{};  ///< without pointers
  legendre::DegreeTables degrees_;
  legendre::HalfFactors factors_;
  std::vector<double> variable_, power_low_, power_high_, power_scale_, start_norm_;
  std::vector<Index> block_, north_slot_, south_slot_, m_, first_pair_, alm_offset_, block_shift_;
};

template <template <class> class Pointer, class Add>
kernels::ScalarStageOf<Pointer> ScalarStageTables::stage(const Add& add) const {
  using legendre::DegreeTables;
  auto stage = std::bit_cast<kernels::ScalarStageOf<Pointer>>(plain_);
  const auto product = [&](const DegreeTables::Product& from) {
    return kernels::StepProductOf<Pointer>{add(from.distance), {add(from.degree[0]), add(from.degree[1])}};
  };
  kernels::DegreeNumbersOf<Pointer>& degrees = stage.degrees;
  degrees.alpha = product(degrees_.alpha);
  degrees.low = product(degrees_.low);
  degrees.high = product(degrees_.high);
  degrees.row = product(degrees_.row);
  degrees.equator = product(degrees_.equator);
  for (int odd = 0; odd < 2; ++odd) degrees.row_b[odd] = add(degrees_.row_b[odd]);
  degrees.alpha_scale = add(degrees_.alpha_scale);
  degrees.row_scale = add(degrees_.row_scale);
  const auto from_front = [&](const auto& table) { return add(table) + DegreeTables::kFront; };
  if (!degrees_.root.empty()) degrees.root = from_front(degrees_.root);
  for (std::size_t level = 0; level < degrees_.bands.size(); ++level) {
    const DegreeTables::Band& band = degrees_.bands[level];
    degrees.bands[level] = {from_front(band.a), from_front(band.b), from_front(band.c)};
  }
  stage.pairs.variable = add(variable_);
  stage.pairs.even_factor = add(factors_.even);
  stage.pairs.odd_factor = add(factors_.odd);
  stage.pairs.power_low = add(power_low_);
  stage.pairs.power_high = add(power_high_);
  stage.pairs.power_scale = add(power_scale_);
  stage.pairs.start_norm = add(start_norm_);
  stage.pairs.block = add(block_);
  stage.pairs.north_slot = add(north_slot_);
  stage.pairs.south_slot = add(south_slot_);
  stage.orders = {add(m_), add(shape_.first_step()), add(first_pair_), add(alm_offset_), add(block_shift_)};
  select(all_, stage);
  return stage;
}

template <template <class> class Pointer>
void ScalarStageTables::select(const OrderRange& range, kernels::ScalarStageOf<Pointer>& stage) const {
  stage.k_begin = range.begin;
  stage.k_end = range.end;
  // The first m of a range is the lowest and has the most steps.
  stage.max_steps = range.count() > 0 ? shape_.steps({range.begin, range.begin + 1}) : 0;
}

}  // namespace armilla::backend
