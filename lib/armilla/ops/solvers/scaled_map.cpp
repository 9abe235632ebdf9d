#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/ops/map_faults.hpp>
#include <armilla/ops/solvers/batch_vectors.hpp>
#include <armilla/ops/solvers/scaled_map.hpp>
#include <armilla/ops/unit_scale.hpp>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace armilla::ops {

namespace {

// Sums of squares between 2^-kSafe and 2^kSafe do not overflow when solvers multiply them.
template <class T>
constexpr int kSafe = sizeof(T) == 4 ? 160 : 600;

template <class T>
bool is_safe(double square) {
  return square > std::ldexp(1.0, -kSafe<T>) && square < std::ldexp(1.0, kSafe<T>);
}

// Calls visit(system, map, component) for each field of a batch.
template <class T, class Visit>
void for_each_field(const transform::MapField<T>& map, Visit&& visit) {
  std::size_t system = 0;
  for (Index k = 0; k < map.maps(); ++k)
    for (const transform::SpinField& spin_field : map.kind().spin_fields()) {
      for (Index c = spin_field.first; c < spin_field.first + spin_field.components; ++c) visit(system, k, c);
      ++system;
    }
}

// Factors that bring the systems to a safe range. Throws MapFaults if any pixel, even one with zero weight, is not
// finite.
template <class T>
std::vector<double> scales_of(const comm::Communicator& comm, const FitWeights<T>& weights,
                              const transform::MapField<T>& map) {
  std::vector<double> largest(systems_of(map), 0.0);
  std::vector<double> wrong(systems_of(map), 0.0);
  comm::phase(comm, [&] {
    for_each_field(map, [&](std::size_t system, Index k, Index c) {
      const std::vector<T> of_pixels = weights.of_pixels(map, k, c);
      const auto values = map.component(k, c);
      for (std::size_t p = 0; p < values.size(); ++p) {
        const auto magnitude = std::abs(static_cast<double>(values[p]));
        if (!std::isfinite(magnitude)) wrong[system] = 1;
        if (of_pixels[p] > 0) largest[system] = std::max(largest[system], magnitude);
      }
    });
  });
  comm.max(std::span<double>(largest));
  comm.max(std::span<double>(wrong));
  std::vector<MapFault> faults;
  const std::size_t spin_fields = map.kind().spin_fields().size();
  for (std::size_t s = 0; s < wrong.size(); ++s) {
    const auto place = static_cast<Index>(s / spin_fields);
    if (wrong[s] == 0 || (!faults.empty() && faults.back().place == place)) continue;
    faults.push_back({place, "some pixels of the map are not finite (masked ones count too): fix the map, or set " +
                                 core::mention({}, "bad_data", "zero")});
  }
  if (!faults.empty()) throw MapFaults(std::move(faults), FaultOf::kMap, map.maps());
  std::vector<double> scales;
  for (const double value : largest) scales.push_back(unit_scale(value));
  return scales;
}

}  // namespace

template <class T>
std::vector<AnalysisOutcome> solve_scaled(const comm::Communicator& comm,
                                          const std::shared_ptr<backend::Memory>& memory, const FitWeights<T>& weights,
                                          const transform::MapField<T>& map, transform::AlmField<T>& alm,
                                          const MapSolver<T>& solve) {
  const std::vector<double> squares = weights.squares(comm, map);
  if (std::ranges::all_of(squares, is_safe<T>)) return solve(map, squares);
  const std::vector<double> scales = scales_of(comm, weights, map);
  // All values are zero.
  if (std::ranges::all_of(scales, [](double scale) { return scale == 1; })) return solve(map, squares);
  std::unique_ptr<transform::MapField<T>> scaled;
  comm::phase(comm, [&] {
    scaled = std::make_unique<transform::MapField<T>>(map.kind(), map.shared_distribution(), map.rank(), map.maps());
    for_each_field(map, [&](std::size_t system, Index k, Index c) {
      const std::vector<T> of_pixels = weights.of_pixels(map, k, c);
      const auto from = map.component(k, c);
      const auto to = scaled->component(k, c);
      for (std::size_t p = 0; p < from.size(); ++p)
        to[p] = of_pixels[p] > 0 ? static_cast<T>(static_cast<double>(from[p]) * scales[system]) : T{0};
    });
  });
  std::vector<AnalysisOutcome> outcomes = solve(*scaled, weights.squares(comm, *scaled));
  std::vector<double> back;
  for (const double scale : scales) back.push_back(1 / scale);
  comm::phase(comm, [&] { combine_each(std::vector<double>(back.size(), 0.0), alm, back, alm, memory); });
  return outcomes;
}

ARMILLA_INSTANTIATE(solve_scaled);

}  // namespace armilla::ops
