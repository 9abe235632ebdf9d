#include <armilla/backend/cuda/device_numbers.hpp>
#include <armilla/backend/cuda/device_wigner.hpp>

#include <algorithm>

#include <kernels/legendre/wigner.hpp>

namespace armilla::backend {

namespace {

WignerArrays<kernels::DeviceBuffer> upload_all(const WignerArrays<WignerTables::Vector>& host,
                                               const kernels::Stream& stream) {
  const auto up = [&]<class Number>(const std::vector<Number>& table) {
    return kernels::upload<Number>(table, stream);
  };
  return {.m = up(host.m),
          .alm_offset = up(host.alm_offset),
          .first_pair = up(host.first_pair),
          .block_shift = up(host.block_shift),
          .north_slot = up(host.north_slot),
          .south_slot = up(host.south_slot),
          .partial_unit = up(host.partial_unit),
          .pair_block = up(host.pair_block),
          .norm = up(host.norm),
          .one_minus_cos = up(host.one_minus_cos),
          .cosine_low = up(host.cosine_low),
          .cosine_high = up(host.cosine_high),
          .sine_low = up(host.sine_low),
          .sine_high = up(host.sine_high),
          .norm_scale = up(host.norm_scale),
          .cosine_scale = up(host.cosine_scale),
          .sine_scale = up(host.sine_scale)};
}

// Of maps in one launch.
constexpr Index kMaxGroups = 65535;

Index max_partials(const WignerTables& tables, const std::vector<WignerPart>& parts) {
  Index most = 0;
  for (const WignerPart& part : parts) most = std::max(most, tables.partial_numbers(part));
  return most;
}

}  // namespace

template <class T>
DeviceWigner<T>::DeviceWigner(const legendre::Task& task, Index pair_begin, Index pair_end, Index work_bytes,
                              const kernels::Stream& stream)
    : tables_(task, pair_begin, pair_end),
      parts_(tables_.parts(work_bytes)),
      arrays_(upload_all(tables_.arrays(), stream)),
      partials_(max_partials(tables_, parts_)) {}

template <class T>
void DeviceWigner<T>::synthesis(const OrderRange& orders, DevicePointer<const Complex> alm,
                                DevicePointer<Complex> delta, const kernels::Stream& stream) {
  const WignerPart part = tables_.part(orders.begin, orders.end);
  for_each_call(tables_.task<DevicePointer>(arrays_), part, kMaxGroups, 0,
                [&](const kernels::DeviceWignerCall& call, int maps) {
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
  for (const WignerPart& all : parts_) {
    const WignerPart part =
        tables_.part(std::max(all.k_begin, orders.begin), std::min(all.k_begin + all.k_count, orders.end));
    if (part.k_count <= 0) continue;
    // Where partial sums of all own m fit, those of a few m do for many groups of maps.
    const Index of_group = tables_.partial_numbers(part);
    const Index groups = std::clamp<Index>(of_group > 0 ? partials_.size() / of_group : kMaxGroups, 1, kMaxGroups);
    for_each_call(tables_.task<DevicePointer>(arrays_), part, groups, of_group,
                  [&](const kernels::DeviceWignerCall& call, int maps) {
                    kernels::wigner_partial_sums<T>(call, maps, real(delta), partials_.data(), stream.get());
                    prepare_alm();
                    kernels::wigner_add_partials<T>(call, maps, partials_.data(), accumulate, real(alm), stream.get());
                  });
  }
  prepare_alm();
}

template class DeviceWigner<float>;
template class DeviceWigner<double>;

}  // namespace armilla::backend
