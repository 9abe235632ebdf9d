#include <armilla/core/exception_collector.hpp>
#include <armilla/math/legendre_decay.hpp>
#include <armilla/normal_matrix/cap_harmonics.hpp>

#include <algorithm>
#include <cmath>

namespace armilla::normal_matrix {

namespace {

using core::at;

// Contributions of another coefficient below this do not change a coefficient of size 1.
constexpr double kNegligible = 1e-18;

}  // namespace

std::vector<Index> CapHarmonics::begins(const Systems& systems, const AliasPlan& plan) {
  std::vector<Index> begin{0};
  for (Index m = 0; m <= systems.mmax(); ++m)
    for (Index i = 0; i < systems.per_m() * systems.halves(); ++i)
      begin.push_back(begin.back() + padded_rings(plan.end(m) - plan.begin(m)));
  return begin;
}

CapHarmonics::CapHarmonics(const Systems& systems, const NormalTask& task, const AliasPlan& plan)
    : systems_(systems),
      plan_(plan),
      nphi_(task.nphi),
      turn_(task.turn),
      has_mirror_(task.has_mirror),
      factor_(at(task.pairs() + 2 * kTileRows), 1.0),
      begin_(begins(systems, plan)),
      blocks_(begin_.size() - 1),
      functions_(at(systems.mmax() + 1)) {
  for (Index p = 0; p < task.pairs(); ++p) {
    // Even and odd functions are equal on both rings of a pair, except for the sign.
    const double rings = systems.spin() == 0 && task.has_mirror[at(p)] ? 2 : 1;
    weight_.push_back(rings * task.weight[at(p)] * static_cast<double>(task.nphi[at(p)]));
    if (is_single(p)) factor_[at(p)] = turn_[at(p)] * weight_.back();
    if (!is_single(p) && plan.first(p) <= plan.last(p)) crowded_.push_back(p);
  }
  core::ExceptionCollector guarded;
#pragma omp parallel for schedule(dynamic, 1)
  for (Index m = 0; m <= systems.mmax(); ++m) guarded([&] { make_blocks(m, task); });
  guarded.rethrow();
}

std::vector<double> CapHarmonics::functions(Index m, Index side, const NormalTask& task) const {
  const HarmonicColumn column(systems_.spin(), m, systems_.lmax());
  const Index degrees = systems_.lmax() + 1 - column.first();
  std::vector<double> values(at(rings(m) * degrees), 0.0);
  for (Index p = plan_.begin(m); p < plan_.end(m); ++p)
    if (meets(m, p) && (side == 0 || task.has_mirror[at(p)]))
      column.make(task.cos_theta[at(p)], task.sin_theta[at(p)], side == 1, &values[at((p - plan_.begin(m)) * degrees)]);
  return values;
}

double CapHarmonics::negligible(Index m, Index pair, const NormalTask& task) const {
  double decay = 0;
  if (is_single(pair) && meets(m, pair)) {
    const Index other = std::max<Index>(nphi_[at(pair)] - m - task.spin, 0);
    decay = math::legendre_decay(task.lmax, other, task.cos_theta[at(pair)], task.sin_theta[at(pair)]);
  }
  return kNegligible * std::exp(decay) / weight_[at(pair)];
}

void CapHarmonics::make_blocks(Index m, const NormalTask& task) {
  const Index first = systems_.first_degree(m);
  const Index degrees = systems_.lmax() + 1 - first;
  if (rings(m) == 0 || degrees <= 0) return;
  std::vector<double> least;
  for (Index p = plan_.begin(m); p < plan_.end(m); ++p) least.push_back(negligible(m, p, task));
  std::vector<std::vector<double>> values;
  Index size = 0;
  for (Index side = 0; side < sides(); ++side) {
    values.push_back(functions(m, side, task));
    for (Index q = 0; q < systems_.per_m(); ++q)
      for (Index row = 0; row < systems_.rows(m, q); row += kDegrees) {
        const Index count = std::min(kDegrees, systems_.rows(m, q) - row);
        const auto is_felt = [&](Index r) {
          const double* ring = &values.back()[at(r * degrees)];
          for (Index i = row; i < row + count; ++i)
            if (std::abs(ring[systems_.degree(m, q, i) - first]) >= least[at(r)]) return true;
          return false;
        };
        Index ring = 0;
        while (ring < rings(m) && !is_felt(ring)) ++ring;
        // Blocks start at whole tiles, so that the tiles are the same for all blocks.
        ring -= ring % kTileRows;
        if (ring >= rings(m)) continue;
        std::vector<Block>& own = blocks_[at(place(m, q, side))];
        own.push_back({row, count, ring, rings(m) - ring, size});
        size += own.back().size();
      }
  }
  functions_[at(m)] = core::AlignedBuffer<double>(size);
  for (Index side = 0; side < sides(); ++side)
    for (Index q = 0; q < systems_.per_m(); ++q)
      for (const Block& block : blocks_[at(place(m, q, side))]) {
        double* to = functions_[at(m)].data() + block.begin;
        for (Index i = 0; i < whole_tiles(block.count); ++i)
          for (Index r = 0; r < block.padded(); ++r)
            *to++ =
                i < block.count && r < block.rings
                    ? values[at(side)][at((block.ring + r) * degrees + systems_.degree(m, q, block.row + i) - first)]
                    : 0.0;
      }
}

void CapHarmonics::synthesise(Index m, State<const double> from, double* work) const {
  const double* factor = factor_.data() + plan_.begin(m);
  const Index numbers = from.panels.numbers();
  std::vector<Link> links;
  for (Index q = 0; q < systems_.per_m(); ++q)
    for (Index side = 0; side < sides(); ++side) {
      const std::vector<Block>& blocks = blocks_[at(place(m, q, side))];
      for (Index panel = 0; panel < from.panels.count; ++panel) {
        double* to = work + sums(from.panels, m, q, side, panel);
        for (Index ring = 0; ring < rings(m); ring += kTileRows, to += kTileRows * numbers) {
          links.clear();
          for (const Block& block : blocks)
            if (block.ring <= ring)
              links.push_back({functions_[at(m)].data() + block.begin + ring - block.ring, 1, block.padded(),
                               block.count, from.panel(systems_, m, q, panel) + block.row * numbers});
          multiply_chain(links.data(), static_cast<Index>(links.size()),
                         {.numbers = numbers, .to = to, .onto = nullptr, .factors = {-1, 1}, .of_row = factor + ring});
        }
      }
    }
}

// Computes the conjugate of the contributions of the other m to each m of a ring. For fields with spin it covers both
// rings of the pair, because conjugates come from the mirror ring.
void CapHarmonics::fold_on(Index pair, Index q, const Panels& panels, double* work, std::vector<double>& met) const {
  const Index first = plan_.first(pair);
  const Index last = plan_.last(pair);
  const State<double> columns{nullptr, panels};
  const Index numbers = panels.numbers();
  met.assign(at((last - first + 1) * sides() * panels.all_numbers()), 0.0);
  double* to = met.data();
  for (Index m = first; m <= last; ++m)
    for (Index side = 0; side < sides(); ++side)
      for (Index panel = 0; panel < panels.count; ++panel, to += numbers)
        for_each_alias(m, nphi_[at(pair)], last, [&](Index other, bool conjugate, Index k) {
          const double re = (k % 2 != 0 ? turn_[at(pair)] : 1) * weight_[at(pair)];
          const double im = conjugate ? re : -re;
          const double* from =
              work + (conjugate ? sum_on(panels, other, q, opposite(side, pair), columns.mirror(systems_, panel), pair)
                                : sum_on(panels, other, q, side, panel, pair));
          for (Index i = 0; i < numbers; i += 2) {
            to[i] += re * from[i];
            to[i + 1] += im * from[i + 1];
          }
        });
  const double* from = met.data();
  for (Index m = first; m <= last; ++m)
    for (Index side = 0; side < sides(); ++side)
      for (Index panel = 0; panel < panels.count; ++panel, from += numbers)
        std::copy(from, from + numbers, work + sum_on(panels, m, q, side, panel, pair));
}

void CapHarmonics::fold_aliases(Index number, const Panels& panels, double* work) const {
  std::vector<double> met;
  for (Index q = 0; q < systems_.per_m(); ++q) fold_on(crowded_[at(number)], q, panels, work, met);
}

void CapHarmonics::find_rows(Index m, Index q, Index side, Index panel, State<double> columns, const double* work,
                             const double** rows) const {
  for (Index p = plan_.begin(m); p < plan_.end(m); ++p) {
    const bool of_single = meets(m, p) && is_single(p);
    const double* row = work + (of_single ? sum_on(columns.panels, nphi_[at(p)] - m, q, opposite(side, p),
                                                   columns.mirror(systems_, panel), p)
                                          : sum_on(columns.panels, m, q, side, panel, p));
    for (Index i = 0; i < columns.panels.numbers(); i += 8) __builtin_prefetch(row + i, 0, 2);
    *rows++ = row;
  }
}

void CapHarmonics::subtract(Index m, const double* work, State<double> to) const {
  const Index numbers = to.panels.numbers();
  // Row addresses of a panel and of the next one. The rows belong to different m and are far apart in memory.
  std::vector<const double*> rows(at(rings(m)));
  std::vector<const double*> next(at(rings(m)));
  for (Index q = 0; q < systems_.per_m(); ++q)
    for (Index side = 0; side < sides(); ++side) {
      const std::vector<Block>& blocks = blocks_[at(place(m, q, side))];
      if (blocks.empty()) continue;
      find_rows(m, q, side, 0, to, work, next.data());
      for (Index panel = 0; panel < to.panels.count; ++panel) {
        rows.swap(next);
        if (panel + 1 < to.panels.count) find_rows(m, q, side, panel + 1, to, work, next.data());
        double* sums = to.panel(systems_, m, q, panel);
        for (const Block& block : blocks) {
          double* rows_of_block = sums + block.row * numbers;
          multiply_scattered(
              {functions_[at(m)].data() + block.begin, block.padded(), 1, whole_tiles(block.count), block.rings},
              rows.data() + block.ring, {.numbers = numbers, .to = rows_of_block, .onto = rows_of_block});
        }
      }
    }
}

core::MemoryEstimate CapHarmonics::memory(const Systems& systems, const AliasPlan& plan) {
  Index numbers = 0;
  for (Index m = 0; m <= systems.mmax(); ++m)
    for (Index q = 0; q < systems.per_m(); ++q)
      numbers += systems.halves() * systems.padded_rows(m, q) * whole_tiles(plan.end(m) - plan.begin(m));
  return {.tables = numbers * static_cast<Index>(sizeof(double))};
}

Index CapHarmonics::workspace_size(const Systems& systems, const AliasPlan& plan, const Panels& panels) {
  return begins(systems, plan).back() * panels.all_numbers();
}

}  // namespace armilla::normal_matrix
