#include <armilla/backend/cuda/device_wigner.hpp>

#include <algorithm>
#include <limits>

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

// All own m at once.
WignerPart whole(const WignerTables& tables) {
  const auto parts = tables.parts(std::numeric_limits<Index>::max());
  return parts.empty() ? WignerPart{0, 0, 0} : parts.front();
}

Index most_partials(const WignerTables& tables, const std::vector<WignerPart>& parts) {
  Index most = 0;
  for (const WignerPart& part : parts) most = std::max(most, tables.partial_numbers(part));
  return most;
}

template <class T>
const T* numbers(const std::complex<T>* array) {
  return reinterpret_cast<const T*>(array);
}
template <class T>
T* numbers(std::complex<T>* array) {
  return reinterpret_cast<T*>(array);
}

}  // namespace

template <class T>
DeviceWigner<T>::DeviceWigner(const legendre::Task& task, Index pair_begin, Index pair_end, Index work_bytes,
                              const kernels::Stream& stream)
    : tables_(task, pair_begin, pair_end),
      parts_(tables_.parts(work_bytes)),
      all_(whole(tables_)),
      arrays_(upload_all(tables_.arrays(), stream)),
      partials_(most_partials(tables_, parts_)) {}

template <class T>
void DeviceWigner<T>::synthesis(const Complex* alm, Complex* delta, const kernels::Stream& stream) {
  for_each_call(tables_.task(arrays_), all_, [&](const kernels::WignerCall& call, int maps) {
    kernels::wigner_synthesis<T>(call, maps, numbers(alm), numbers(delta), stream.get());
  });
}

template <class T>
void DeviceWigner<T>::adjoint(const Complex* delta, Complex* alm, Accumulate accumulate,
                              const kernels::Stream& stream) {
  for (const WignerPart& part : parts_)
    for_each_call(tables_.task(arrays_), part, [&](const kernels::WignerCall& call, int maps) {
      kernels::wigner_adjoint<T>(call, maps, numbers(delta), partials_.data(), accumulate, numbers(alm), stream.get());
    });
}

template <class T>
Index DeviceWigner<T>::bytes(const legendre::Task& task, Index pair_begin, Index pair_end, Index work_bytes) {
  const WignerTables tables(task, pair_begin, pair_end);
  return WignerTables::bytes(task, pair_begin, pair_end) +
         most_partials(tables, tables.parts(work_bytes)) * static_cast<Index>(sizeof(double));
}

template class DeviceWigner<float>;
template class DeviceWigner<double>;

}  // namespace armilla::backend
