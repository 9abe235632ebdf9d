#include <armilla/core/instantiate.hpp>
#include <armilla/iteration/spin_ring_modes.hpp>

#include <algorithm>
#include <utility>

#include <omp.h>

namespace armilla::iteration {

using core::at;

template <class T>
HostSpinRingModes<T>::HostSpinRingModes(const SpinTables& tables, Index mmax, std::span<const double> weight,
                                        std::shared_ptr<fft::PlanCache<T>> plans)
    : tables_(tables),
      layout_(tables, mmax, tables.spin_field.components * tables.maps),
      rings_(layout_.ring_task(tables, tables.maps), std::move(plans)),
      weight_(weight.begin(), weight.end()),
      factor_(layout_.factors(weight)),
      modes_(layout_.size()) {}

template <class T>
void HostSpinRingModes<T>::set(const T* map) {
  rings_.adjoint(map, weight_, modes_.data());
}

template <class T>
auto HostSpinRingModes<T>::delta(Complex* delta) const -> const Complex* {
  over_slots(layout_.slots(), [&](const SlotRange& range) {
    for (Index m = 0; m < static_cast<Index>(tables_.exchange.m_shift.size()); ++m) {
      const SlotRange own{std::max(range.begin, layout_.first_slot(m)), range.end};
      if (own.begin < own.end)
        gather_column(layout_.columns(), m, own, modes_.data(), delta + tables_.exchange.m_shift[at(m)]);
    }
  });
  return delta;
}

template <class T>
void HostSpinRingModes<T>::subtract(const Complex* delta) {
  over_slots(layout_.slots(), [&](const SlotRange& range) {
    for (Index m = 0; m < static_cast<Index>(tables_.exchange.m_shift.size()); ++m) {
      const SlotRange own{std::max(range.begin, layout_.first_slot(m)), range.end};
      if (own.begin < own.end)
        subtract_column(layout_.columns(), m, own, factor_, delta + tables_.exchange.m_shift[at(m)], modes_.data());
    }
  });
}

template <class T>
void HostSpinRingModes<T>::scale(std::span<const double> by) {
  const auto maps = static_cast<Index>(by.size());
  const Index rows = layout_.size() / maps;  // groups of maps, one for each class, ring and component
#pragma omp parallel for schedule(static)
  for (Index row = 0; row < rows; ++row)
    for (Index map = 0; map < maps; ++map) modes_.data()[row * maps + map] *= static_cast<T>(by[at(map)]);
}

template <class T>
void HostSpinRingModes<T>::squares(std::span<double> sums) const {
  const Index maps = tables_.maps;
  std::vector<double> of_threads(at(maps * omp_get_max_threads()));  // so that threads do not allocate, or throw
  over_slots(layout_.slots(), [&](const SlotRange& range) {
    const std::span<double> of_map(of_threads.data() + maps * omp_get_thread_num(), at(maps));
    for (Index slot = range.begin; slot < range.end; ++slot) {
      std::ranges::fill(of_map, 0.0);
      const fft::RingShape& ring = layout_.ring(slot);
      for (Index c = 0; c < ring.m_count; ++c) {
        const Complex* numbers = modes_.data() + layout_.columns().place(c, slot);
        const double multiplicity = layout_.multiplicity(c, slot);
        for (Index component = 0; component < tables_.spin_field.components; ++component)
          for (Index map = 0; map < maps; ++map) {
            const std::complex<double> value(numbers[component * maps + map]);
            of_map[at(map)] += multiplicity * (value.real() * value.real() + value.imag() * value.imag());
          }
      }
      // Modes contain the weight once, their squares twice. By Parseval's theorem, the sum over all classes is nphi
      // times the sum over pixels.
      const double factor = factor_[at(slot)];
      for (Index map = 0; map < maps; ++map)
        sums[at(map * layout_.slots() + slot)] = factor != 0 ? of_map[at(map)] / factor : 0;
    }
  });
}

template <class T>
core::MemoryEstimate HostSpinRingModes<T>::memory(const SpinTables& tables, Index mmax) {
  const Index modes = RingModeLayout::size_of(tables, mmax, tables.spin_field.components * tables.maps);
  return fft::RingTransform<T>::memory(tables.ring_task()) +
         core::MemoryEstimate{.kept = modes * static_cast<Index>(sizeof(Complex))};
}

ARMILLA_INSTANTIATE_CLASS(HostSpinRingModes);

}  // namespace armilla::iteration
