#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/iteration/normal_matrix_iteration.hpp>
#include <armilla/math/ring_aliases.hpp>

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace armilla::iteration {

namespace {

using core::at;

// exp(i nphi phi0) if that is 1 or -1, otherwise std::nullopt.
std::optional<int> turn_of(const grid::Ring& ring) {
  const std::array<Index, 1> nphi{ring.nphi};
  const std::array<double, 1> phi0{ring.phi0};
  const math::Turn turn = math::RingAliases(nphi, phi0, 0).turn(0, 1);
  if (turn.im != 0) return std::nullopt;
  return turn.re > 0 ? 1 : -1;
}

constexpr Index kMaxTableBytes = Index{1} << 30;

FieldTransformSpec of_whole_maps(const FieldTransformSpec& spec) {
  FieldTransformSpec whole = spec;
  whole.alm = std::make_shared<dist::AlmDistribution>(spec.alm->layout(), 1, spec.alm->m_step());
  whole.pixels = std::make_shared<dist::PixelDistribution>(spec.pixels->shared_grid(), 1);
  return whole;
}

// Weight [sr] of a pixel of each ring. Only their symmetry matters here. Other ring weights have the same symmetry:
// those of HEALPix are equal for the two rings of a pair.
std::vector<double> grid_weights(const FieldTransformSpec& spec) {
  std::vector<double> weight;
  for (const grid::Ring& ring : spec.pixels->grid().rings())
    weight.push_back(ring.weight / static_cast<double>(ring.nphi));
  return weight;
}

}  // namespace

std::string why_no_normal_matrix(const FieldTransformSpec& spec) {
  if (spec.alm->m_step() != 1) return "it requires all m, not every second or third: use ring";
  const FieldTransformSpec whole = of_whole_maps(spec);
  Index bytes = 0;
  for (const SpinField& spin_field : spec.kind.spin_fields()) {
    const auto task = normal_task(whole, spin_field, grid_weights(spec));
    if (!task)
      return fmt::format(
          "rings of {} are not mirror images with equal weights, or do not begin at a multiple of half a pixel in "
          "longitude: use ring",
          spec.pixels->grid().description().text());
    bytes += normal_matrix::IteratedAnalysis::memory(*task, 1, 0).tables;
  }
  if (bytes > kMaxTableBytes)
    return fmt::format("its tables would need {} MiB, above the limit of {}: use ring", bytes >> 20,
                       kMaxTableBytes >> 20);
  return {};
}

std::optional<normal_matrix::NormalTask> normal_task(const FieldTransformSpec& spec, const SpinField& spin_field,
                                                     std::span<const double> weight) {
  if (spec.alm->ranks() != 1 || spec.alm->m_step() != 1) return std::nullopt;
  const grid::RingGrid& grid = spec.pixels->grid();
  const dist::ExchangePlan exchange(*spec.alm, *spec.pixels, spin_field.spin, spin_field.components, 0);
  normal_matrix::NormalTask task;
  task.lmax = spec.alm->layout().lmax();
  task.spin = spin_field.spin;
  task.first_pair = exchange.first_pair;
  for (const grid::RingPair& pair : grid.pairs()) {
    if (pair.north < 0) return std::nullopt;
    const grid::Ring& ring = grid.rings()[at(pair.north)];
    const std::optional<int> turn = turn_of(ring);
    if (!turn) return std::nullopt;
    const bool is_equator = pair.cos_theta == 0;
    if (pair.south < 0 && !is_equator) return std::nullopt;
    if (pair.south >= 0) {
      const grid::Ring& mirror = grid.rings()[at(pair.south)];
      if (mirror.nphi != ring.nphi || turn_of(mirror) != turn || weight[at(pair.south)] != weight[at(pair.north)])
        return std::nullopt;
    }
    task.cos_theta.push_back(pair.cos_theta);
    task.sin_theta.push_back(pair.sin_theta);
    task.has_mirror.push_back(pair.south >= 0);
    task.nphi.push_back(ring.nphi);
    task.turn.push_back(*turn);
    task.weight.push_back(weight[at(pair.north)]);
  }
  return task;
}

template <class T>
NormalMatrixIteration<T>::NormalMatrixIteration(const FieldTransformSpec& spec, std::span<const double> weight)
    : offsets_(spec.alm->local_offsets(0)) {
  const auto plans = std::make_shared<fft::PlanCache<T>>();
  for (const SpinField& spin_field : spec.kind.spin_fields()) {
    std::optional<normal_matrix::NormalTask> task = normal_task(spec, spin_field, weight);
    if (!task) throw core::InternalError("normal analysis: the grid has no such normal matrix");
    iterations_.push_back(
        {spin_field, std::make_unique<normal_matrix::IteratedAnalysis>(std::move(*task), spec.options.engine),
         std::make_unique<RingAnalysis<T>>(spec, spin_field, own_weights(*spec.pixels, 0, weight), plans)});
  }
}

template <class T>
void NormalMatrixIteration<T>::analyse(const MapField<T>& map, Index corrections, AlmField<T>& alm, Checkpoint<T>*) {
  const Index size = alm.distribution().local_size(0);
  const normal_matrix::AlmPositions positions{offsets_, size, size * alm.kind().components()};
  // All spin fields share one memory object, sized for the largest of them.
  for (const SpinFieldIteration& own : iterations_) own.iteration->reserve(alm.maps(), *own.first, memory_);
  std::complex<T>* coefficients = alm.data().data();
  for (const SpinFieldIteration& own : iterations_) {
    own.first->set(map);
    own.iteration->iterate(alm.maps(), *own.first, corrections, positions, coefficients + own.spin_field.first * size,
                           memory_);
  }
}

template <class T>
core::MemoryEstimate NormalMatrixIteration<T>::memory(const FieldTransformSpec& spec) {
  core::MemoryEstimate memory = fft::PlanCache<T>::memory(spec.ring_lengths());
  core::MemoryEstimate shared;  // one Memory for all spin fields; their tables are built before it
  for (const SpinField& spin_field : spec.kind.spin_fields())
    if (const auto task = normal_task(spec, spin_field, grid_weights(spec))) {
      const Index together = std::min(normal_matrix::IteratedAnalysis::maps_together(*task, spec.maps), spec.maps);
      const core::MemoryEstimate first = RingAnalysis<T>::memory(spec, spin_field, together);
      const core::MemoryEstimate own = normal_matrix::IteratedAnalysis::memory(*task, spec.maps, first.workspace);
      memory += {.tables = own.tables + first.tables, .kept = first.kept};
      shared.kept = std::max(shared.kept, own.kept);
      shared.workspace = std::max(shared.workspace, own.workspace);
    }
  shared.workspace = std::max<Index>(shared.workspace - shared.kept, 0);
  return memory + shared;
}

ARMILLA_INSTANTIATE_CLASS(NormalMatrixIteration);

}  // namespace armilla::iteration
