#include <armilla/backend/scalar_stage_tables.hpp>
#include <armilla/legendre/start_values.hpp>

namespace armilla::backend {

namespace {

using core::at;

template <class T>
std::vector<T> copy_of(std::span<const T> table) {
  return {table.begin(), table.end()};
}

}  // namespace

ScalarStageTables::ScalarStageTables(const legendre::Task& task, core::Precision sums, Products products,
                                     const kernels::PairLimits& limits)
    : shape_(task, sums, products, limits),
      all_(OrderRange::all(task)),
      degrees_(task.spin, task.lmax),
      factors_(task),
      block_(task.pair_block.begin(), task.pair_block.end()),
      north_slot_(copy_of(task.north_slot)),
      south_slot_(copy_of(task.south_slot)),
      m_(copy_of(task.m)),
      first_pair_(copy_of(task.first_pair)),
      alm_offset_(copy_of(task.alm_offset)),
      block_shift_(copy_of(task.block_shift)) {
  constexpr Index kLow = legendre::PowerTable::kLow;
  const Index pairs = task.pairs();
  const Index mmax = task.m.empty() ? 0 : task.m.back();
  plain_.degrees.spin = task.spin;
  plain_.degrees.lmax = task.lmax;
  plain_.pairs.count = pairs;
  plain_.components = task.components;
  plain_.maps = task.maps;
  plain_.component_stride = task.component_stride;
  plain_.map_stride = task.map_stride;
  plain_.blocks = task.blocks;
  for (Index p = 0; p < pairs; ++p) {
    const double s = task.sin_theta[at(p)];
    const double c = task.cos_theta[at(p)];
    variable_.push_back(p < shape_.parts().polar ? -s * s : c * c);
  }
  const legendre::StartValues starts(task.sin_theta, mmax);
  const auto append = [&](std::vector<double>& table, const double* row) {
    table.insert(table.end(), row, row + pairs);
  };
  for (Index n = 0; n < kLow; ++n) append(power_low_, starts.powers().get(n, 0).low);
  for (Index n = 0; n <= mmax; n += kLow) append(power_high_, starts.powers().get(n, 0).high);
  for (Index n = 0; n <= mmax; n += kLow) append(power_scale_, starts.powers().get(n, 0).scale);
  for (Index m = 0; m <= mmax; ++m) start_norm_.push_back(starts.norm(m));
}

core::MemoryEstimate ScalarStageTables::memory(const legendre::Task& task) {
  const auto own = static_cast<Index>(task.m.size());
  const Index mmax = task.m.empty() ? 0 : task.m.back();
  const Index degrees = (10 + 2 + 4 + 2 + 3 * task.spin) * (task.lmax + 64);
  const Index pairs = 6 * task.pairs() + mmax + 1;
  const Index orders = (4 + task.blocks) * own + 1;
  return legendre::PowerTable::memory(task.pairs(), mmax) +
         core::MemoryEstimate{.tables = static_cast<Index>(sizeof(double)) * (degrees + pairs + orders)};
}

}  // namespace armilla::backend
