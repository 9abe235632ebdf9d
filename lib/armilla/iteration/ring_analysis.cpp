#include <armilla/iteration/ring_analysis.hpp>

#include <algorithm>

#include <omp.h>

namespace armilla::iteration {

namespace {

constexpr Index kLine = 64;

using core::at;

// Of so many maps, those that are side by side for the kernels.
template <class T>
Index maps_together(const FieldPart& part, Index maps) {
  return std::clamp<Index>(maps, 1, RingPart<T>::kMaxFields / part.components);
}

template <class T>
Index mode_bytes(const FieldTransformSpec& spec, const FieldPart& part) {
  return RingModeLayout::bytes<T>(PartTables(spec, part, 0), spec.alm->layout().mmax(), part.components);
}

// Complex numbers up to the end of a line.
template <class T>
Index in_lines(Index numbers) {
  constexpr Index kNumbers = kLine / static_cast<Index>(sizeof(std::complex<T>));
  return (numbers + kNumbers - 1) / kNumbers * kNumbers;
}

}  // namespace

template <class T>
struct RingAnalysis<T>::Rings {
  Rings(const FieldTransformSpec& spec, const FieldPart& of, Index maps,
        const std::shared_ptr<fft::PlanCache<T>>& plans)
      : part(spec, of, maps),
        transform(std::make_unique<fft::RingTransform<T>>(part.modes.ring_task(part.tables, maps), plans)) {}

  RingPart<T> part;
  std::unique_ptr<fft::RingTransform<T>> transform;
};

template <class T>
RingAnalysis<T>::RingAnalysis(const FieldTransformSpec& spec, const FieldPart& part, std::span<const double> weight,
                              std::shared_ptr<fft::PlanCache<T>> plans)
    : spec_(spec),
      part_(part),
      weight_(weight.begin(), weight.end()),
      plans_(std::move(plans)),
      bytes_of_map_(mode_bytes<T>(spec, part)) {}

template <class T>
RingAnalysis<T>::~RingAnalysis() = default;

template <class T>
legendre::EngineWorkspace& RingAnalysis<T>::Worker::of(const RingPart<T>& part) {
  for (const auto& [own, workspace] : engines)
    if (own == &part) return *workspace;
  return *engines.emplace_back(&part, part.engine->make_workspace()).second;
}

template <class T>
const typename RingAnalysis<T>::Rings& RingAnalysis<T>::rings_of(Index maps) {
  for (const auto& rings : rings_)
    if (rings->part.maps == maps) return *rings;
  return *rings_.emplace_back(std::make_unique<Rings>(spec_, part_, maps, plans_));
}

template <class T>
void RingAnalysis<T>::begin(Index first, Index count, std::byte* room) {
  auto* modes = reinterpret_cast<Complex*>(room);
  pieces_.clear();
  for (Index map = 0; map < count;) {
    const Rings& rings = rings_of(maps_together<T>(part_, count - map));
    const PartTables& tables = rings.part.tables;
    rings.transform->adjoint(pixels_ + (first + map) * tables.map_stride + tables.map_begin(), weight_, modes);
    pieces_.push_back({&rings, map, modes});
    map += rings.part.maps;
    modes += in_lines<T>(rings.part.modes.size());
  }
  // What threads work with: the first piece is the largest.
  const RingPart<T>& largest = pieces_.front().rings->part;
  const auto extend = [](core::AlignedBuffer<Complex>& buffer, Index size) {
    if (buffer.size() < size) buffer = core::AlignedBuffer<Complex>(size);
  };
  workers_.resize(at(omp_get_max_threads()));
  for (Worker& worker : workers_) {
    extend(worker.column, largest.column_size());
    extend(worker.coefficients, largest.coefficients_size());
    for (const Piece& piece : pieces_) worker.of(piece.rings->part);
  }
}

template <class T>
void RingAnalysis<T>::find(Index m, const Take& take) {
  Worker& worker = workers_[at(omp_get_thread_num())];
  for (const Piece& piece : pieces_) {
    const RingPart<T>& part = piece.rings->part;
    part.analyse(m, piece.modes, worker.column.data(), worker.of(part), worker.coefficients.data());
    take(piece.map, part.maps,
         {part.task.coefficients(worker.coefficients.data(), m, 0, 0), part.task.component_stride,
          part.task.map_stride});
  }
}

template <class T>
Index RingAnalysis<T>::bytes(const FieldPart& part, Index maps, Index bytes_of_map) {
  return maps * bytes_of_map + (maps / maps_together<T>(part, maps) + 1) * kLine;
}

template <class T>
Index RingAnalysis<T>::bytes(const FieldTransformSpec& spec, const FieldPart& part, Index maps) {
  return bytes(part, maps, mode_bytes<T>(spec, part));
}

template <class T>
Index RingAnalysis<T>::own_bytes(const FieldTransformSpec& spec, const FieldPart& part, Index maps) {
  const Index most = maps_together<T>(part, maps);
  // Of whole pieces, and of the last one.
  return RingPart<T>::bytes(spec, part, most) * (maps % most == 0 ? 1 : 2);
}

template class RingAnalysis<float>;
template class RingAnalysis<double>;

}  // namespace armilla::iteration
