#include <armilla/backend/source_rings.hpp>
#include <armilla/backend/theta_tables.hpp>
#include <armilla/resample/pole_parity.hpp>

#include <algorithm>

namespace armilla::backend {

namespace {

using kernels::ThetaEntry;

static_assert(kernels::kThetaWidth == resample::kKernelWidth);

using core::at;

template <class T>
std::vector<T> copy_of(std::span<const T> table) {
  return {table.begin(), table.end()};
}

template <class T>
Index bytes_of(const std::vector<T>& table) {
  return static_cast<Index>(table.size() * sizeof(T));
}

}  // namespace

ThetaTables::ThetaTables(const legendre::Task& task, const resample::ThetaResampler& resampler,
                         const resample::CircleRings* circle)
    : lmax_(static_cast<int>(resampler.lmax())), columns_(static_cast<Index>(task.m.size()) * task.width()) {
  plain_.targets.width = task.width();
  plain_.targets.blocks = task.blocks;
  plain_.target_pairs = static_cast<int>(task.pairs());
  plain_.source_length = static_cast<int>(2 * resampler.source_pairs());
  plain_.fine_length = static_cast<int>(2 * resampler.fine_pairs());
  arrays_.block_shift = copy_of(task.block_shift);
  arrays_.pair_block = copy_of(task.pair_block);
  arrays_.north_slot = copy_of(task.north_slot);
  arrays_.south_slot = copy_of(task.south_slot);
  arrays_.first_pair = copy_of(task.first_pair);
  arrays_.first_source = first_source_pairs(task, resampler.source_sin());
  for (const Index m : task.m) arrays_.sign.push_back(sign_of(resample::pole_parity(m, task.spin)));
  arrays_.source_twiddle = copy_of(resampler.source_twiddle());
  arrays_.fine_twiddle = copy_of(resampler.fine_twiddle());
  arrays_.source_scaled = copy_of(resampler.source_scaled());
  arrays_.fine_scaled = copy_of(resampler.fine_scaled());
  plain_.table_targets = plain_.target_pairs;
  if (circle != nullptr) {
    arrays_.ring_factor = circle->ring_factors();
    arrays_.extra_share = circle->extra_shares();
    if (circle->has_extra()) plain_.table_targets += 1;
    const auto at_pole = std::find(task.m.begin(), task.m.end(), task.spin);
    if (at_pole != task.m.end()) plain_.extra_k = at_pole - task.m.begin();
  }
  set_targets(resampler);
}

void ThetaTables::set_targets(const resample::ThetaResampler& resampler) {
  const Index targets = plain_.table_targets;
  const Index fine = resampler.fine_pairs();
  const resample::Convolution convolution = resampler.convolution();
  arrays_.weights.resize(at(kernels::kThetaWidth * targets));
  std::vector<std::vector<ThetaEntry>> entries(at(fine));
  for (Index i = 0; i < targets; ++i) {
    // The kernel stands somewhere in a wider window of zeros.
    const double* window = convolution.weights + i * resample::kWindow;
    Index skip = 0;
    while (skip < resample::kWindow - resample::kKernelWidth && window[skip] == 0) ++skip;
    const Index first = convolution.first_point[i] + skip - resample::ThetaResampler::margin();
    arrays_.first_point.push_back(static_cast<int>(first));
    for (Index n = 0; n < kernels::kThetaWidth; ++n) {
      const double weight = window[skip + n];
      arrays_.weights[at(n * targets + i)] = weight;
      const Index point = first + n;
      // The margins of the fine grid belong to its first pairs, and with north and south exchanged to its last.
      const bool past_equator = point >= fine;
      const Index pair = point < 0 ? -1 - point : past_equator ? 2 * fine - 1 - point : point;
      entries[at(pair)].push_back(entry_of(i, weight, point < 0, past_equator));
    }
  }
  for (const auto& of_pair : entries) {
    arrays_.entry_begin.push_back(static_cast<int>(arrays_.entries.size()));
    arrays_.entries.insert(arrays_.entries.end(), of_pair.begin(), of_pair.end());
  }
  arrays_.entry_begin.push_back(static_cast<int>(arrays_.entries.size()));
}

ThetaEntry ThetaTables::entry_of(Index target, double weight, bool past_pole, bool past_equator) const {
  double weights[2] = {weight, weight};
  int slots[2] = {0, 1};
  int block = 0;
  if (target < plain_.target_pairs) {
    slots[0] = static_cast<int>(arrays_.north_slot[at(target)]);
    slots[1] = static_cast<int>(arrays_.south_slot[at(target)]);
    block = arrays_.pair_block[at(target)];
    if (!arrays_.ring_factor.empty())
      for (int south = 0; south < 2; ++south) weights[south] *= arrays_.ring_factor[at(2 * target + south)];
  }
  const int north = past_equator ? 1 : 0;
  return {weights[north], weights[1 - north],
          slots[north],   slots[1 - north],
          block,          static_cast<int>(2 * target + (past_pole ? 1 : 0))};
}

kernels::DeviceThetaTask ThetaTables::task(const ThetaArrays<kernels::DeviceBuffer>& arrays) const {
  kernels::DeviceThetaTask task = plain_;
  task.targets.block_shift = arrays.block_shift.data();
  task.targets.pair_block = arrays.pair_block.data();
  task.targets.north_slot = arrays.north_slot.data();
  task.targets.south_slot = arrays.south_slot.data();
  task.sign = arrays.sign.data();
  if (arrays_.ring_factor.size() > 0) task.ring_factor = arrays.ring_factor.data();
  if (arrays_.extra_share.size() > 0) task.extra_share = arrays.extra_share.data();
  task.first_pair = arrays.first_pair.data();
  task.first_source = arrays.first_source.data();
  task.first_point = arrays.first_point.data();
  task.weights = arrays.weights.data();
  task.entry_begin = arrays.entry_begin.data();
  task.entries = arrays.entries.data();
  return task;
}

kernels::DeviceSpectrumChange ThetaTables::to_fine(const ThetaArrays<kernels::DeviceBuffer>& arrays) const {
  return {plain_.source_length, plain_.fine_length, lmax_, kernels::values(arrays.source_scaled.data()),
          kernels::values(arrays.fine_twiddle.data())};
}

kernels::DeviceSpectrumChange ThetaTables::to_source(const ThetaArrays<kernels::DeviceBuffer>& arrays) const {
  return {plain_.fine_length, plain_.source_length, lmax_, kernels::values(arrays.fine_scaled.data()),
          kernels::values(arrays.source_twiddle.data())};
}

Index ThetaTables::bytes() const {
  const auto& a = arrays_;
  return bytes_of(a.block_shift) + bytes_of(a.north_slot) + bytes_of(a.south_slot) + bytes_of(a.first_pair) +
         bytes_of(a.first_source) + bytes_of(a.pair_block) + bytes_of(a.first_point) + bytes_of(a.entry_begin) +
         bytes_of(a.sign) + bytes_of(a.weights) + bytes_of(a.ring_factor) + bytes_of(a.extra_share) +
         bytes_of(a.entries) + bytes_of(a.source_twiddle) + bytes_of(a.fine_twiddle) + bytes_of(a.source_scaled) +
         bytes_of(a.fine_scaled);
}

}  // namespace armilla::backend
