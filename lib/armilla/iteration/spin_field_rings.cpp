#include <armilla/backend/cpu.hpp>
#include <armilla/backend/resampled_engine.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/iteration/spin_field_rings.hpp>

#include <algorithm>
#include <functional>

#include <omp.h>

namespace armilla::iteration {

using core::at;

template <class T>
SpinFieldRings<T>::SpinFieldRings(const FieldTransformSpec& spec, const SpinField& spin_field, Index maps_)
    : tables(spec, spin_field, 0),
      maps(maps_),
      width(spin_field.components * maps_),
      modes(tables, spec.alm->layout().mmax(), width) {
  const auto& plan = tables.exchange;
  Index next = 0;
  for (std::size_t p = 0; p < plan.north_slot.size(); ++p) {
    pair_slot.push_back(next);
    next += (plan.north_slot[p] >= 0 ? 1 : 0) + (plan.south_slot[p] >= 0 ? 1 : 0);
  }
  pair_slot.push_back(next);
  const Index degrees = tables.lmax + 1;
  for (const Index m : tables.own_m) column_offset.push_back(-m);
  column_blocks.assign(tables.own_m.size(), 0);
  task = tables.legendre_task();
  task.maps = maps;
  task.blocks = 1;
  task.delta_read_at_once = true;
  task.alm_offset = column_offset;
  task.component_stride = degrees;
  task.map_stride = spin_field.components * degrees;
  task.block_shift = column_blocks;
  engine = backend::is_resampled(spec.options, tables.lmax, task.pairs())
               ? backend::make_resampled_engine<T>(spec.options, task)
               : legendre::make_engine<T>(spec.options.engine, task);
}

template <class T>
SlotRange SpinFieldRings<T>::slots_of(Index m, Index begin, Index end) const {
  const Index last = static_cast<Index>(pair_slot.size()) - 1;
  return {std::max(modes.first_slot(m), pair_slot[at(std::min(begin, last))]), pair_slot[at(std::min(end, last))]};
}

template <class T>
void SpinFieldRings<T>::fetch_next(Index m, Index begin, Index end, const Complex* of_rings) const {
  const Index pairs = static_cast<Index>(pair_slot.size()) - 1;
  if (end < pairs) fetch_column(modes.columns(), m, slots_of(m, end, std::min(end + (end - begin), pairs)), of_rings);
}

// If m is its own class on all rings, uses the modes directly.
template <class T>
void SpinFieldRings<T>::analyse(Index m, const Complex* of_rings, Complex* column, legendre::EngineWorkspace& workspace,
                                Complex* coefficients) const {
  if (modes.is_plain(m)) return engine->apply_adjoint(m, of_rings + modes.shift(m), coefficients, workspace);
  const auto gather = [&](Index begin, Index end) {
    gather_column(modes.columns(), m, slots_of(m, begin, end), of_rings, column);
    fetch_next(m, begin, end, of_rings);
  };
  engine->apply_adjoint_stepwise(m, column, coefficients, workspace, std::ref(gather));
}

template <class T>
core::MemoryEstimate SpinFieldRings<T>::memory(const FieldTransformSpec& spec, const SpinField& spin_field,
                                               Index maps) {
  FieldTransformSpec own = spec;
  own.maps = maps;
  const SpinTables tables(own, spin_field, 0);
  const Index column = spin_field.components * maps * (static_cast<Index>(tables.rings.size()) + tables.lmax + 1);
  const core::MemoryEstimate of_thread{.kept = column * static_cast<Index>(sizeof(Complex))};
  return tables.memory() + backend::cpu_memory<T>(spec.options, tables.legendre_task(), tables.ring_task(), {}) +
         omp_get_max_threads() * of_thread;
}

ARMILLA_INSTANTIATE_CLASS(SpinFieldRings);

}  // namespace armilla::iteration
