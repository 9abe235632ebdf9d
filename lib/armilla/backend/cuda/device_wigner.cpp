#include <armilla/backend/cuda/device_numbers.hpp>
#include <armilla/backend/cuda/device_wigner.hpp>
#include <armilla/core/instantiate.hpp>

#include <algorithm>

#include <kernels/legendre/wigner.hpp>

namespace armilla::backend {

namespace {

// Maximum number of groups of maps in one launch.
constexpr Index kMaxGroups = 65535;

Index max_partials(const WignerTables& tables, const std::vector<WignerRange>& ranges) {
  Index most = 0;
  for (const WignerRange& range : ranges) most = std::max(most, tables.partial_numbers(range));
  return most;
}

}  // namespace

template <class T>
DeviceWigner<T>::DeviceWigner(const legendre::Task& task, Index pair_begin, Index pair_end, Index work_bytes,
                              const kernels::Stream& stream)
    : tables_(task, pair_begin, pair_end),
      ranges_(tables_.ranges(work_bytes)),
      task_(tables_.task<DevicePointer>([&](const auto& table) { return arrays_.add(table, stream); })),
      partials_(max_partials(tables_, ranges_)) {}

template <class T>
void DeviceWigner<T>::synthesis(const OrderRange& orders, DevicePointer<const Complex> alm,
                                DevicePointer<Complex> delta, const kernels::Stream& stream) {
  const WignerRange range = tables_.range(orders.begin, orders.end);
  for_each_call(task_, range, kMaxGroups, 0, [&](const kernels::DeviceWignerCall& call, int maps) {
    kernels::wigner_synthesis<T>(call, maps, real(alm), real(delta), stream.get());
  });
}

template <class T>
void DeviceWigner<T>::adjoint(const OrderRange& orders, DevicePointer<const Complex> delta, DevicePointer<Complex> alm,
                              Accumulate accumulate, const kernels::Stream& stream,
                              const std::function<void()>& before_alm) {
  bool is_first = true;
  const auto prepare_alm = [&] {
    if (is_first && before_alm) before_alm();
    is_first = false;
  };
  for (const WignerRange& all : ranges_) {
    const WignerRange range =
        tables_.range(std::max(all.k_begin, orders.begin), std::min(all.k_begin + all.k_count, orders.end));
    if (range.k_count <= 0) continue;
    // The buffer of partial sums holds many groups of maps if the range has few m.
    const Index of_group = tables_.partial_numbers(range);
    const Index groups = std::clamp<Index>(of_group > 0 ? partials_.size() / of_group : kMaxGroups, 1, kMaxGroups);
    for_each_call(task_, range, groups, of_group, [&](const kernels::DeviceWignerCall& call, int maps) {
      kernels::wigner_partial_sums<T>(call, maps, real(delta), partials_.data(), stream.get());
      prepare_alm();
      kernels::wigner_add_partials<T>(call, maps, partials_.data(), accumulate, real(alm), stream.get());
    });
  }
  prepare_alm();
}

ARMILLA_INSTANTIATE_CLASS(DeviceWigner);

}  // namespace armilla::backend
