#include <armilla/core/instantiate.hpp>
#include <armilla/iteration/alias_fold.hpp>

#include <algorithm>

#include <omp.h>

namespace armilla::iteration {

using core::at;

template <class T>
AliasFold<T>::AliasFold(const SpinTables& tables, Index mmax)
    : tables_(tables),
      layout_(tables, mmax, tables.spin_field.components * tables.maps),
      size_(kSlotRun * (mmax + 1) * layout_.columns().width) {}

template <class T>
void AliasFold<T>::apply(std::span<const double> weight, Complex* delta) {
  while (some_.size() < at(omp_get_max_threads())) some_.emplace_back(size_);
  // Modes that are subtracted from zero and then read have the opposite sign.
  std::vector<double> factor = layout_.factors(weight);
  for (double& f : factor) f = -f;
  const auto& m_shift = tables_.exchange.m_shift;
  const RingColumns& all = layout_.columns();
  over_slots(layout_.slots(), [&](const SlotRange& range) {
    core::AlignedBuffer<Complex>& modes = some_[at(omp_get_thread_num())];
    std::ranges::fill(modes.span(), Complex(0));
    std::vector<Index> shift;
    for (std::size_t c = 0; c < all.shift.size(); ++c)
      shift.push_back((static_cast<Index>(c) * kSlotRun - range.begin) * all.width);
    const RingColumns own{all.width, shift, all.aliases};
    const auto for_each_m = [&](const auto& work) {
      for (Index m = 0; m < static_cast<Index>(m_shift.size()); ++m) {
        const SlotRange slots{std::max(range.begin, layout_.first_slot(m)), range.end};
        if (slots.begin < slots.end) work(m, slots, delta + m_shift[at(m)]);
      }
    };
    for_each_m([&](Index m, const SlotRange& slots, Complex* column) {
      subtract_column(own, m, slots, factor, column, modes.data());
    });
    for_each_m(
        [&](Index m, const SlotRange& slots, Complex* column) { gather_column(own, m, slots, modes.data(), column); });
  });
}

template <class T>
core::MemoryEstimate AliasFold<T>::memory(Index mmax, Index width) {
  return {.kept = omp_get_max_threads() * kSlotRun * (mmax + 1) * width * static_cast<Index>(sizeof(Complex))};
}

ARMILLA_INSTANTIATE_CLASS(AliasFold);

}  // namespace armilla::iteration
