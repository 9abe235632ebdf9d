#include <armilla/backend/cuda/theta_tables.hpp>
#include <armilla/backend/source_rings.hpp>
#include <armilla/resample/pole_parity.hpp>

#include <algorithm>
#include <vector>

namespace armilla::backend {

namespace {

using core::at;
using kernels::ThetaEntry;

static_assert(kernels::kThetaWidth == resample::kKernelWidth);

// Interpolation from the fine grid to targets: weights for each target, and a list of entries for each pair of the fine
// grid.
struct Interpolation {
  std::vector<int> first_point, entry_begin;
  std::vector<double> weights;
  std::vector<ThetaEntry> entries;
};

ThetaEntry entry_of(const legendre::Task& task, std::span<const double> ring_factor, Index target, double weight,
                    bool past_pole, bool past_equator) {
  double weights[2] = {weight, weight};
  int slots[2] = {0, 1};
  int block = 0;
  if (target < task.pairs()) {
    slots[0] = static_cast<int>(task.north_slot[at(target)]);
    slots[1] = static_cast<int>(task.south_slot[at(target)]);
    block = task.pair_block[at(target)];
    if (!ring_factor.empty())
      for (int south = 0; south < 2; ++south) weights[south] *= ring_factor[at(2 * target + south)];
  }
  const int north = past_equator ? 1 : 0;
  return {weights[north], weights[1 - north],
          slots[north],   slots[1 - north],
          block,          static_cast<int>(2 * target + (past_pole ? 1 : 0))};
}

Interpolation interpolation_of(const legendre::Task& task, const resample::ThetaResampler& resampler, Index targets,
                               std::span<const double> ring_factor) {
  Interpolation found;
  const Index fine = resampler.fine_pairs();
  const resample::Convolution convolution = resampler.convolution();
  found.weights.resize(at(kernels::kThetaWidth * targets));
  std::vector<std::vector<ThetaEntry>> entries(at(fine));
  for (Index i = 0; i < targets; ++i) {
    // The window is wider than the kernel and padded with zeros.
    const double* window = convolution.weights + i * resample::kWindow;
    Index skip = 0;
    while (skip < resample::kWindow - resample::kKernelWidth && window[skip] == 0) ++skip;
    const Index first = convolution.first_point[i] + skip - resample::ThetaResampler::margin();
    found.first_point.push_back(static_cast<int>(first));
    for (Index n = 0; n < kernels::kThetaWidth; ++n) {
      const double weight = window[skip + n];
      found.weights[at(n * targets + i)] = weight;
      const Index point = first + n;
      // Points before the fine grid are mirrored to its first pairs. Points past its end are mirrored to its last
      // pairs, with north and south exchanged.
      const bool past_equator = point >= fine;
      const Index pair = point < 0 ? -1 - point : past_equator ? 2 * fine - 1 - point : point;
      entries[at(pair)].push_back(entry_of(task, ring_factor, i, weight, point < 0, past_equator));
    }
  }
  for (const auto& of_pair : entries) {
    found.entry_begin.push_back(static_cast<int>(found.entries.size()));
    found.entries.insert(found.entries.end(), of_pair.begin(), of_pair.end());
  }
  found.entry_begin.push_back(static_cast<int>(found.entries.size()));
  return found;
}

}  // namespace

ThetaTables::ThetaTables(const legendre::Task& task, const resample::ThetaResampler& resampler,
                         const kernels::Stream& stream)
    : ThetaTables(task, resampler, resampler, nullptr, stream) {}

ThetaTables::ThetaTables(const legendre::Task& task, const resample::ThetaResampler& source_side,
                         const resample::ThetaResampler& grid_side, const resample::CircleRings* circle,
                         const kernels::Stream& stream)
    : lmax_(static_cast<int>(source_side.lmax())),
      is_on_fine_grid_(grid_side.is_on_fine_grid()),
      columns_(static_cast<Index>(task.m.size()) * task.width()) {
  const ThetaTableSizes sizes(task, source_side.lmax(), grid_side.lmax(), 2 * grid_side.fine_pairs(),
                              circle != nullptr);
  const auto add = [&](const auto& size, const auto& table) { return tables_.add(size, table, stream); };
  const std::vector<double> ring_factor = circle == nullptr ? std::vector<double>() : circle->ring_factors();
  std::vector<double> sign;
  for (const Index m : task.m) sign.push_back(sign_of(resample::pole_parity(m, task.spin)));
  task_.targets.width = task.width();
  task_.targets.blocks = task.blocks;
  task_.targets.block_shift = add(sizes.block_shift, task.block_shift);
  task_.targets.pair_block = add(sizes.pair_block, task.pair_block);
  task_.targets.north_slot = add(sizes.north_slot, task.north_slot);
  task_.targets.south_slot = add(sizes.south_slot, task.south_slot);
  task_.target_pairs = task_.table_targets = static_cast<int>(task.pairs());
  task_.source_length = static_cast<int>(2 * source_side.source_pairs());
  task_.fine_length = static_cast<int>(2 * grid_side.fine_pairs());
  task_.first_pair = add(sizes.first_pair, task.first_pair);
  task_.first_source = add(sizes.first_source, first_source_pairs(task, source_side.source_sin()));
  task_.sign = add(sizes.sign, sign);
  if (circle != nullptr) {
    task_.ring_factor = add(sizes.ring_factor, ring_factor);
    task_.extra_share = add(sizes.extra_share, circle->extra_shares());
    if (circle->has_extra()) task_.table_targets += 1;
    const auto at_pole = std::find(task.m.begin(), task.m.end(), task.spin);
    if (at_pole != task.m.end()) task_.extra_k = at_pole - task.m.begin();
  }
  if (!is_on_fine_grid_) {
    const Interpolation interpolation = interpolation_of(task, grid_side, task_.table_targets, ring_factor);
    task_.first_point = add(sizes.first_point, interpolation.first_point);
    task_.weights = add(sizes.weights, interpolation.weights);
    task_.entry_begin = add(sizes.entry_begin, interpolation.entry_begin);
    task_.entries = add(sizes.entries, interpolation.entries);
  }
  source_twiddle_ = add(sizes.source_twiddle, source_side.source_twiddle());
  fine_twiddle_ = add(sizes.fine_twiddle, grid_side.fine_twiddle());
  source_scaled_ = add(sizes.source_scaled, source_side.source_scaled());
  fine_scaled_ = add(sizes.fine_scaled, grid_side.fine_scaled());
}

kernels::DeviceSpectrumChange ThetaTables::to_fine() const {
  return {task_.source_length, task_.fine_length, lmax_, kernels::values(source_scaled_),
          kernels::values(fine_twiddle_)};
}

kernels::DeviceSpectrumChange ThetaTables::to_source() const {
  return {task_.fine_length, task_.source_length, lmax_, kernels::values(fine_scaled_),
          kernels::values(source_twiddle_)};
}

}  // namespace armilla::backend
