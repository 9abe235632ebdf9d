#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/grid/ring_weights.hpp>
#include <armilla/ops/analysis_weights.hpp>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

namespace armilla::ops {

namespace {

const char* name_of(WeightKind kind) { return kind == WeightKind::kRing ? "ring" : "pixel"; }

Index limit_of(WeightKind kind, Index nside) {
  return kind == WeightKind::kRing ? grid::ring_weights_limit(nside) : pixel_weights_limit(nside);
}

Index degree_of(const WeightsSpec& spec, Index nside) {
  if (spec.degree) return *spec.degree;
  return spec.kind == WeightKind::kRing ? grid::ring_weights_degree(nside) : pixel_weights_degree(nside);
}

// Whether it is a whole equiangular grid, whose own ring weights are those of WeightKind::kRing.
bool has_equiangular_weights(const grid::RingGrid& grid) {
  return grid.has_weights() && grid.analysis_limits().circle.points > 0;
}

// Rank 0 computes them, so that they are identical on all ranks.
std::vector<double> shared_ring_weights(const comm::Communicator& comm, Index nside, Index degree) {
  std::vector<double> weights;
  comm::phase(comm, [&] {
    if (comm.is_root()) weights = grid::healpix_ring_weights(nside, degree);
    weights.resize(static_cast<std::size_t>(2 * nside));
  });
  comm.broadcast(weights.data(), static_cast<Index>(weights.size() * sizeof(double)));
  return weights;
}

}  // namespace

void check_weights(const WeightsSpec& spec, const grid::RingGrid& grid) {
  if (spec.kind == WeightKind::kGrid) return;
  const Index nside = grid.description().nside;
  const std::string name = grid.description().text();
  if (spec.kind == WeightKind::kRing && has_equiangular_weights(grid)) {
    if (spec.degree)
      throw core::InputError(
          fmt::format("degree = {} applies to HEALPix only: the ring weights of {} have no degree: remove the key",
                      *spec.degree, name));
    return;
  }
  if (!grid.description().is_full_healpix())
    throw core::InputError(
        fmt::format("{} weights require a full-sky HEALPix {}map, but this one is on {}: use the weights of the grid",
                    name_of(spec.kind), spec.kind == WeightKind::kRing ? "or equiangular " : "", name));
  const Index limit = limit_of(spec.kind, nside);
  if (degree_of(spec, nside) < 0 || degree_of(spec, nside) > limit)
    throw core::InputError(
        fmt::format("degree = {} is out of range: {} weights of nside {} can be exact up to degree {}", *spec.degree,
                    name_of(spec.kind), nside, limit));
}

AnalysisWeights::AnalysisWeights(const comm::Communicator& comm, std::shared_ptr<const dist::PixelDistribution> pixels,
                                 const WeightsSpec& spec)
    : spec_(spec) {
  check_weights(spec, pixels->grid());
  const Index nside = pixels->grid().description().nside;
  if (spec.kind == WeightKind::kPixel) pixel_.emplace(comm, pixels, degree_of(spec, nside));
  if (spec.kind != WeightKind::kRing) return;
  if (nside > 0) corrections_ = shared_ring_weights(comm, nside, degree_of(spec, nside));
  const std::vector<double> all = of_rings(pixels->grid());
  for (const Index number : pixels->local_rings(comm.rank())) ring_.push_back(all[static_cast<std::size_t>(number)]);
}

void AnalysisWeights::prepare(const comm::Communicator& world, const std::shared_ptr<const grid::RingGrid>& grid,
                              const WeightsSpec& spec) {
  if (spec.kind != WeightKind::kPixel) return;
  const Index degree = degree_of(spec, grid->description().nside);
  bool is_needed = false;
  comm::phase(world, [&] {
    const std::filesystem::path file = pixel_weights_file(grid->description().nside, degree);
    std::error_code error;
    if (world.is_root()) is_needed = !file.empty() && !std::filesystem::exists(file, error);
  });
  world.broadcast(&is_needed, sizeof is_needed);
  if (is_needed) PixelWeights(world, std::make_shared<const dist::PixelDistribution>(grid, world.size()), degree);
}

std::vector<double> AnalysisWeights::of_rings(const grid::RingGrid& grid) const {
  std::vector<double> weights;
  const auto count = static_cast<Index>(grid.rings().size());
  for (Index number = 0; number < count; ++number) {
    const grid::Ring& ring = grid.rings()[static_cast<std::size_t>(number)];
    weights.push_back(ring.weight / static_cast<double>(ring.nphi));
    if (!corrections_.empty())
      weights.back() *= 1 + corrections_[static_cast<std::size_t>(std::min(number, count - 1 - number))];
  }
  return weights;
}

template <class T>
void AnalysisWeights::quadrature(transform::FieldTransform<T>& transform, const transform::MapField<T>& map,
                                 transform::AlmField<T>& alm, transform::MapField<T>* scratch) const {
  switch (spec_.kind) {
    case WeightKind::kGrid:
      return transform.quadrature(map, alm);
    case WeightKind::kRing:
      return transform.quadrature(map, alm, ring_);
    case WeightKind::kPixel:
      comm::phase(transform.comm(), [&] { pixel_->multiply(map, *scratch, transform.memory()); });
      return transform.quadrature(*scratch, alm);
  }
}

core::MemoryEstimate AnalysisWeights::memory(const dist::PixelDistribution& pixels, const WeightsSpec& spec, int rank) {
  const Index nside = pixels.grid().description().nside;
  if (spec.kind == WeightKind::kGrid) return {};
  if (spec.kind == WeightKind::kPixel) return PixelWeights::memory(pixels, degree_of(spec, nside), rank);
  const Index numbers = static_cast<Index>(pixels.local_rings(rank).size()) + 2 * nside;
  return {.tables = numbers * static_cast<Index>(sizeof(double))};
}

ARMILLA_INSTANTIATE(AnalysisWeights::quadrature);

}  // namespace armilla::ops
