#include <armilla/backend/scalar_stage_tables.hpp>
#include <armilla/legendre/degree_tables.hpp>
#include <armilla/legendre/start_values.hpp>

#include <bit>

namespace armilla::backend {

namespace {

using legendre::DegreeTables;

using core::at;

}  // namespace

template <class T>
Index ScalarStageTables::append(std::vector<T>& all, std::span<const T> part) {
  const auto place = static_cast<Index>(all.size());
  all.insert(all.end(), part.begin(), part.end());
  return place;
}

ScalarStageTables::ScalarStageTables(const legendre::Task& task, core::Precision sums, Products products)
    : shape_(task, sums, products) {
  plain_.degrees.spin = task.spin;
  plain_.degrees.lmax = task.lmax;
  plain_.pairs.count = task.pairs();
  plain_.components = task.components;
  plain_.maps = task.maps;
  plain_.component_stride = task.component_stride;
  plain_.map_stride = task.map_stride;
  plain_.blocks = task.blocks;
  append_degrees(task);
  append_pairs(task);
  append_orders(task);
}

void ScalarStageTables::append_degrees(const legendre::Task& task) {
  const DegreeTables degrees(task.spin, task.lmax);
  const auto number = [&](std::span<const double> part) { return append<double>(numbers_, part); };
  const auto product = [&](const DegreeTables::Product& from) {
    return ProductPlaces{number(from.distance), {number(from.degree[0]), number(from.degree[1])}};
  };
  places_.alpha = product(degrees.alpha);
  places_.low = product(degrees.low);
  places_.high = product(degrees.high);
  places_.row = product(degrees.row);
  places_.equator = product(degrees.equator);
  for (std::size_t odd = 0; odd < 2; ++odd) places_.row_b[odd] = number(degrees.row_b[odd]);
  places_.alpha_scale = number(degrees.alpha_scale);
  places_.row_scale = number(degrees.row_scale);
  places_.root = number(degrees.root) + (degrees.root.empty() ? 0 : DegreeTables::kFront);
  for (std::size_t level = 0; level < degrees.bands.size(); ++level) {
    places_.band_a[level] = number(degrees.bands[level].a) + DegreeTables::kFront;
    places_.band_b[level] = number(degrees.bands[level].b) + DegreeTables::kFront;
    places_.band_c[level] = number(degrees.bands[level].c) + DegreeTables::kFront;
  }
}

void ScalarStageTables::append_pairs(const legendre::Task& task) {
  constexpr Index kLow = legendre::PowerTable::kLow;
  const Index pairs = task.pairs();
  const Index mmax = task.m.empty() ? 0 : task.m.back();
  const auto number = [&](std::span<const double> part) { return append<double>(numbers_, part); };
  std::vector<double> variable;
  for (Index p = 0; p < pairs; ++p) {
    const double s = task.sin_theta[at(p)];
    const double c = task.cos_theta[at(p)];
    variable.push_back(p < shape_.parts().polar ? -s * s : c * c);
  }
  places_.variable = number(variable);
  const legendre::HalfFactors factors(task);
  places_.even_factor = number(factors.even);
  places_.odd_factor = number(factors.odd);

  const legendre::StartValues starts(task.sin_theta, mmax);
  const auto row = [&](const double* values) { return number({values, at(pairs)}); };
  places_.power_low = static_cast<Index>(numbers_.size());
  for (Index n = 0; n < kLow; ++n) row(starts.powers().get(n, 0).low);
  places_.power_high = static_cast<Index>(numbers_.size());
  for (Index n = 0; n <= mmax; n += kLow) row(starts.powers().get(n, 0).high);
  places_.power_scale = static_cast<Index>(numbers_.size());
  for (Index n = 0; n <= mmax; n += kLow) row(starts.powers().get(n, 0).scale);
  std::vector<double> norm;
  for (Index m = 0; m <= mmax; ++m) norm.push_back(starts.norm(m));
  places_.start_norm = number(norm);

  const std::vector<Index> block(task.pair_block.begin(), task.pair_block.end());
  places_.block = append<Index>(indices_, block);
  places_.north_slot = append<Index>(indices_, task.north_slot);
  places_.south_slot = append<Index>(indices_, task.south_slot);
}

void ScalarStageTables::append_orders(const legendre::Task& task) {
  places_.m = append<Index>(indices_, task.m);
  places_.first_step = append<Index>(indices_, shape_.first_step());
  places_.first_pair = append<Index>(indices_, task.first_pair);
  places_.alm_offset = append<Index>(indices_, task.alm_offset);
  places_.block_shift = append<Index>(indices_, task.block_shift);
}

template <template <class> class Pointer>
kernels::ScalarStageOf<Pointer> ScalarStageTables::stage(const OrderRange& range, Pointer<const double> numbers,
                                                         Pointer<const Index> indices) const {
  auto stage = std::bit_cast<kernels::ScalarStageOf<Pointer>>(plain_);
  const auto product = [&](const ProductPlaces& places) {
    return kernels::StepProductOf<Pointer>{numbers + places.distance,
                                           {numbers + places.degree[0], numbers + places.degree[1]}};
  };
  stage.degrees.alpha = product(places_.alpha);
  stage.degrees.low = product(places_.low);
  stage.degrees.high = product(places_.high);
  stage.degrees.row = product(places_.row);
  stage.degrees.equator = product(places_.equator);
  for (int odd = 0; odd < 2; ++odd) stage.degrees.row_b[odd] = numbers + places_.row_b[odd];
  stage.degrees.alpha_scale = numbers + places_.alpha_scale;
  stage.degrees.row_scale = numbers + places_.row_scale;
  stage.degrees.root = numbers + places_.root;
  for (int level = 0; level < kernels::kMaxBands; ++level)
    stage.degrees.bands[level] = {numbers + places_.band_a[level], numbers + places_.band_b[level],
                                  numbers + places_.band_c[level]};
  stage.pairs.variable = numbers + places_.variable;
  stage.pairs.even_factor = numbers + places_.even_factor;
  stage.pairs.odd_factor = numbers + places_.odd_factor;
  stage.pairs.power_low = numbers + places_.power_low;
  stage.pairs.power_high = numbers + places_.power_high;
  stage.pairs.power_scale = numbers + places_.power_scale;
  stage.pairs.start_norm = numbers + places_.start_norm;
  stage.pairs.block = indices + places_.block;
  stage.pairs.north_slot = indices + places_.north_slot;
  stage.pairs.south_slot = indices + places_.south_slot;
  stage.orders = {indices + places_.m, indices + places_.first_step, indices + places_.first_pair,
                  indices + places_.alm_offset, indices + places_.block_shift};
  stage.k_begin = range.begin;
  stage.k_end = range.end;
  // That of the lowest m.
  stage.max_steps = range.count() > 0 ? shape_.steps({range.begin, range.begin + 1}) : 0;
  return stage;
}

template kernels::DeviceScalarStage ScalarStageTables::stage<kernels::DevicePointer>(
    const OrderRange&, kernels::DevicePointer<const double>, kernels::DevicePointer<const Index>) const;
template kernels::ScalarStage ScalarStageTables::stage<kernels::KernelPointer>(
    const OrderRange&, kernels::KernelPointer<const double>, kernels::KernelPointer<const Index>) const;

Index ScalarStageTables::bytes(const legendre::Task& task) {
  const auto own = static_cast<Index>(task.m.size());
  const Index mmax = task.m.empty() ? 0 : task.m.back();
  const Index degrees = (10 + 2 + 4 + 2 + 3 * task.spin) * (task.lmax + 64);
  const Index pairs = 6 * task.pairs() + mmax + 1;
  const Index orders = (4 + task.blocks) * own + 1;
  return static_cast<Index>(sizeof(double)) * (degrees + pairs + orders) +
         legendre::PowerTable::bytes(task.pairs(), mmax);
}

}  // namespace armilla::backend
