#include <armilla/core/instantiate.hpp>
#include <armilla/iteration/ring_analysis.hpp>

#include <algorithm>

#include <omp.h>

namespace armilla::iteration {

namespace {

constexpr Index kLine = 64;

using core::at;

// Number of maps, out of `maps`, that the kernels process next to each other.
template <class T>
Index maps_together(const SpinField& spin_field, Index maps) {
  return std::clamp<Index>(maps, 1, SpinFieldRings<T>::kMaxFields / spin_field.components);
}

template <class T>
Index mode_bytes(const FieldTransformSpec& spec, const SpinField& spin_field) {
  return RingModeLayout::size_of(SpinTables(spec, spin_field, 0), spec.alm->layout().mmax(), spin_field.components) *
         static_cast<Index>(sizeof(std::complex<T>));
}

// Rounds a number of complex values up to whole cache lines.
template <class T>
Index in_lines(Index numbers) {
  constexpr Index kNumbers = kLine / static_cast<Index>(sizeof(std::complex<T>));
  return (numbers + kNumbers - 1) / kNumbers * kNumbers;
}

}  // namespace

template <class T>
struct RingAnalysis<T>::Rings {
  Rings(const FieldTransformSpec& spec, const SpinField& of, Index maps,
        const std::shared_ptr<fft::PlanCache<T>>& plans)
      : spin_field(spec, of, maps),
        transform(std::make_unique<fft::RingTransform<T>>(spin_field.modes.ring_task(spin_field.tables, maps), plans)) {
  }

  SpinFieldRings<T> spin_field;
  std::unique_ptr<fft::RingTransform<T>> transform;
};

template <class T>
RingAnalysis<T>::RingAnalysis(const FieldTransformSpec& spec, const SpinField& spin_field,
                              std::span<const double> weight, std::shared_ptr<fft::PlanCache<T>> plans)
    : spec_(spec),
      spin_field_(spin_field),
      weight_(weight.begin(), weight.end()),
      plans_(std::move(plans)),
      bytes_of_map_(mode_bytes<T>(spec, spin_field)) {}

template <class T>
RingAnalysis<T>::~RingAnalysis() = default;

template <class T>
legendre::EngineWorkspace& RingAnalysis<T>::Worker::of(const SpinFieldRings<T>& spin_field) {
  for (const auto& [own, workspace] : engines)
    if (own == &spin_field) return *workspace;
  return *engines.emplace_back(&spin_field, spin_field.engine->make_workspace()).second;
}

template <class T>
const typename RingAnalysis<T>::Rings& RingAnalysis<T>::rings_of(Index maps) {
  for (const auto& rings : rings_)
    if (rings->spin_field.maps == maps) return *rings;
  return *rings_.emplace_back(std::make_unique<Rings>(spec_, spin_field_, maps, plans_));
}

template <class T>
void RingAnalysis<T>::begin(Index first, Index count, std::byte* workspace) {
  auto* modes = reinterpret_cast<Complex*>(workspace);
  pieces_.clear();
  for (Index map = 0; map < count;) {
    const Rings& rings = rings_of(maps_together<T>(spin_field_, count - map));
    const SpinTables& tables = rings.spin_field.tables;
    rings.transform->adjoint(pixels_ + (first + map) * tables.map_stride + tables.map_begin(), weight_, modes);
    pieces_.push_back({&rings, map, modes});
    map += rings.spin_field.maps;
    modes += in_lines<T>(rings.spin_field.modes.size());
  }
  // Thread workspaces are sized for the first piece, which is the largest.
  const SpinFieldRings<T>& largest = pieces_.front().rings->spin_field;
  const auto extend = [](core::AlignedBuffer<Complex>& buffer, Index size) {
    if (buffer.size() < size) buffer = core::AlignedBuffer<Complex>(size);
  };
  workers_.resize(at(omp_get_max_threads()));
  for (Worker& worker : workers_) {
    extend(worker.column, largest.column_size());
    extend(worker.coefficients, largest.coefficients_size());
    for (const Piece& piece : pieces_) worker.of(piece.rings->spin_field);
  }
}

template <class T>
void RingAnalysis<T>::find(Index m, const Take& take) {
  Worker& worker = workers_[at(omp_get_thread_num())];
  for (const Piece& piece : pieces_) {
    const SpinFieldRings<T>& spin_field = piece.rings->spin_field;
    spin_field.analyse(m, piece.modes, worker.column.data(), worker.of(spin_field), worker.coefficients.data());
    take(piece.map, spin_field.maps,
         {spin_field.task.coefficients(worker.coefficients.data(), m, 0, 0), spin_field.task.component_stride,
          spin_field.task.map_stride});
  }
}

template <class T>
Index RingAnalysis<T>::workspace_bytes(const SpinField& spin_field, Index maps, Index bytes_of_map) {
  return maps * bytes_of_map + (maps / maps_together<T>(spin_field, maps) + 1) * kLine;
}

template <class T>
core::MemoryEstimate RingAnalysis<T>::memory(const FieldTransformSpec& spec, const SpinField& spin_field, Index maps) {
  const Index most = maps_together<T>(spin_field, maps);
  const Index sizes = maps % most == 0 ? 1 : 2;  // whole pieces, and the last one
  return sizes * SpinFieldRings<T>::memory(spec, spin_field, most) +
         core::MemoryEstimate{.workspace = workspace_bytes(spin_field, maps, mode_bytes<T>(spec, spin_field))};
}

ARMILLA_INSTANTIATE_CLASS(RingAnalysis);

}  // namespace armilla::iteration
