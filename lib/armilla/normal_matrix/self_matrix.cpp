#include <armilla/core/exception_collector.hpp>
#include <armilla/math/wigner.hpp>
#include <armilla/normal_matrix/self_matrix.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

#include <omp.h>

namespace armilla::normal_matrix {

namespace {

using core::at;

// Error of the factors allowed in each element, estimated from the norms of rows. Generated elements are accurate to
// about this value, and only the part of the matrix above it has a low rank.
constexpr double kLeft = 1e-14;

// Size of a matrix padded to whole tiles of rows.
Index whole_size(Index size) { return whole_tiles(size) * size; }

}  // namespace

SelfMatrix::SelfMatrix(const Systems& systems, const NormalTask& task, const EdgeRows& edges)
    : systems_(systems), begin_{0}, factors_(at(systems.count())) {
  for (Index m = 0; m <= systems.mmax(); ++m) begin_.push_back(begin_.back() + tables(systems) * table_row(systems, m));
  tables_.resize(at(begin_.back()));
  std::ranges::fill(tables_, 0.0);
  core::ExceptionCollector guarded;
#pragma omp parallel
  {
    std::optional<EdgeRows::Maker> maker;
    Workspace work;
    std::vector<double> whole;
    guarded([&] { maker.emplace(edges); });
#pragma omp for schedule(dynamic, 4)
    for (Index m = 0; m <= systems.mmax(); ++m)
      guarded([&] {
        set(m, task, *maker);
        factorise(m, work, whole);
      });
  }
  guarded.rethrow();
}

double SelfMatrix::coupling(Index m, Index degree) const {
  return math::wigner_coupling<double>(systems_.spin(), m, degree);
}

void SelfMatrix::set(Index m, const NormalTask& task, EdgeRows::Maker& maker) {
  const Index per_m = systems_.per_m();
  const Index first = systems_.first_degree(m);
  const Index lmax = systems_.lmax();
  if (first > lmax) return;
  for (Index i = 0; i <= systems_.rows(m, 0); ++i) {
    if (per_m == 2) {
      table(m, 0)[i] = coupling(m, first + 2 * i);
      table(m, 1)[i] = coupling(m, first + 2 * i + 1);
    } else {
      const Index l = first + i;
      table(m, 0)[i] = coupling(m, l);
      table(m, 1)[i] = l == 0 ? 0.0 : static_cast<double>(m * systems_.spin()) / static_cast<double>(l * (l + 1));
    }
  }
  for (Index above = 1; above <= lmax - first; ++above) table(m, 4)[above] = 1 / coupling(m, first + above);
  std::vector<double> factor(task.weight);
  for (Index p = 0; p < task.pairs(); ++p) factor[at(p)] *= static_cast<double>(task.nphi[at(p)]);
  maker.make(m, m, factor, false);
  for (Index number = 0; number < std::min<Index>(2, lmax - first + 1); ++number) {
    const Index l = lmax - number;
    const double* from = maker.row(number);
    double* to = table(m, 2 + number);
    const Index q = (l - first) % per_m;
    for (Index degree = first + q; degree <= l; degree += per_m)
      to[(degree - first) / per_m] = (degree == l ? 1.0 : 0.0) - from[degree];
  }
}

SelfMatrix::Layout SelfMatrix::layout(Index m) const {
  const Index rows = systems_.rows(m, 0);
  // An odd number of cache lines, so that rows do not map to the same cache sets.
  const Index lines = (rows + 2 * kRoom + 7) / 8 | 1;
  return {rows, 8 * lines};
}

double* SelfMatrix::row(const Layout& layout, Index above, Workspace& work) const {
  const Index per_m = systems_.per_m();
  const Index i = above / per_m;
  const Index place = (i / kBlock % 2 * per_m + above % per_m) * kBlock + i % kBlock;
  return &work.rows[at(place * layout.stride + kRoom)];
}

RowStep SelfMatrix::step_to(Index m, const Layout& layout, Index above, Workspace& work) const {
  const Index per_m = systems_.per_m();
  // The degree between the two, from which the recurrence proceeds.
  const Index middle = above + 1;
  const auto coupling_of = [&](Index of) { return table(m, of % per_m)[of / per_m]; };
  const double scale = table(m, 4)[middle];
  RowStep step{.count = above / per_m + 1,
               .ahead = 1,
               .behind = 0,
               .scale = scale,
               .back = scale * coupling_of(middle + 1),
               .shift = 0,
               .up = table(m, 0) + 1,
               .down = table(m, 0),
               .shifts = nullptr,
               .now = row(layout, middle, work),
               .before = row(layout, middle + 1, work),
               .next = row(layout, above, work)};
  if (per_m == 1) {
    step.behind = 1;
    step.shift = table(m, 1)[middle];
    step.shifts = table(m, 1);
  } else if (above % 2 == 0) {
    step.ahead = 0;
    step.behind = 1;
    step.up = table(m, 1);
  } else {
    step.down = table(m, 1);
  }
  return step;
}

void SelfMatrix::generate(Index m, const Layout& layout, Index from, Index to, Workspace& work) const {
  const Index last = systems_.lmax() - systems_.first_degree(m);
  work.steps.clear();
  for (Index above = from; above >= to; --above) {
    if (last - above < 2) {
      const double* kept = table(m, 2 + last - above);
      std::copy(kept - kRoom, kept + above / systems_.per_m() + 1, row(layout, above, work) - kRoom);
    } else {
      work.steps.push_back(step_to(m, layout, above, work));
    }
  }
  next_rows(work.steps.data(), static_cast<Index>(work.steps.size()));
}

template <class Body>
void SelfMatrix::for_each_block(Index m, Workspace& work, const Body& body) const {
  const Index per_m = systems_.per_m();
  const Layout shape = layout(m);
  if (shape.rows == 0) return;
  work.rows.resize(at(2 * per_m * kBlock * shape.stride));
  Index above = systems_.lmax() - systems_.first_degree(m);
  for (Index begin = (shape.rows - 1) / kBlock * kBlock; begin >= 0; begin -= kBlock) {
    generate(m, shape, above, begin * per_m, work);
    above = begin * per_m - 1;
    for (Index q = 0; q < per_m; ++q) {
      const Index rows = std::min(kBlock, systems_.rows(m, q) - begin);
      if (rows <= 0) continue;
      double* block = row(shape, begin * per_m + q, work);
      for (Index i = rows; i < whole_tiles(rows); ++i) std::fill_n(block + i * shape.stride, shape.rows, 0.0);
      body(q, Block{block, shape.stride, begin, rows});
    }
  }
}

void SelfMatrix::factorise(Index m, Workspace& work, std::vector<double>& whole) {
  const Index per_m = systems_.per_m();
  const Index most = whole_size(systems_.rows(m, 0));
  whole.resize(at(per_m * most));
  for_each_block(m, work, [&](Index q, const Block& block) {
    const Index size = systems_.rows(m, q);
    double* matrix = &whole[at(q * most)];
    for (Index i = 0; i < block.rows; ++i)
      for (Index j = 0; j <= block.begin + i; ++j)
        matrix[(block.begin + i) * size + j] = matrix[j * size + block.begin + i] = block.numbers[i * block.stride + j];
  });
  for (Index q = 0; q < per_m; ++q)
    if (const Index size = systems_.rows(m, q); size > 0)
      factors_[at(systems_.number(m, q))] = LowRank::of(std::span(whole).subspan(at(q * most), at(most)), size,
                                                        kLeft * std::sqrt(static_cast<double>(size)));
}

void SelfMatrix::multiply(Index m, State<const double> from, State<const double> onto, State<double> to,
                          Workspace& work) const {
  const Index numbers = from.panels.numbers();
  bool generated = false;
  for (Index q = 0; q < systems_.per_m(); ++q) {
    const std::optional<LowRank>& factors = factors_[at(systems_.number(m, q))];
    if (!factors) {
      generated = generated || systems_.rows(m, q) > 0;
      continue;
    }
    work.products.resize(at(whole_tiles(factors->rank()) * numbers));
    for (Index p = 0; p < from.panels.count; ++p)
      factors->multiply(from.panel(systems_, m, q, p), onto.panel(systems_, m, q, p), numbers, work.products.data(),
                        to.panel(systems_, m, q, p));
  }
  if (!generated) return;
  for_each_block(m, work, [&](Index q, const Block& block) {
    if (factors_[at(systems_.number(m, q))]) return;
    // All rows are written once the first block, that with the highest degrees, has been processed.
    const bool first = block.begin + kBlock >= systems_.rows(m, q);
    for (Index p = 0; p < from.panels.count; ++p)
      multiply_block(block, numbers, from.panel(systems_, m, q, p),
                     first ? onto.panel(systems_, m, q, p) : to.panel(systems_, m, q, p), to.panel(systems_, m, q, p));
  });
}

void SelfMatrix::multiply_block(const Block& block, Index numbers, const double* from, const double* onto, double* to) {
  const Index place = block.begin * numbers;
  const Index padded = whole_tiles(block.rows);
  // The square block at the diagonal, of which the lower triangle is available.
  for (Index row = 0; row < padded; row += kTileRows) {
    const double* own = block.numbers + row * block.stride + block.begin;
    double corner[kTileRows][kTileRows];
    for (Index i = 0; i < kTileRows; ++i)
      for (Index j = 0; j < kTileRows; ++j) corner[i][j] = own[std::max(i, j) * block.stride + row + std::min(i, j)];
    const double* rows = from + place;
    const Index behind = row + kTileRows;
    const Link links[] = {{own, block.stride, 1, row, rows},
                          {corner[0], kTileRows, 1, std::min(kTileRows, block.rows - row), rows + row * numbers},
                          {own + kTileRows * block.stride + row, 1, block.stride,
                           std::max<Index>(block.rows - behind, 0), rows + behind * numbers}};
    multiply_chain(links, 3,
                   {.numbers = numbers, .to = to + place + row * numbers, .onto = onto + place + row * numbers});
  }
  normal_matrix::multiply({block.numbers, block.stride, 1, padded, block.begin}, from,
                          {.numbers = numbers, .to = to + place, .onto = to + place});
  normal_matrix::multiply({block.numbers, 1, block.stride, block.begin, block.rows}, from + place,
                          {.numbers = numbers, .to = to, .onto = onto});
}

core::MemoryEstimate SelfMatrix::memory(const Systems& systems) {
  Index numbers = 0;
  for (Index m = 0; m <= systems.mmax(); ++m) {
    numbers += tables(systems) * table_row(systems, m);
    for (Index q = 0; q < systems.per_m(); ++q) {
      const Index size = systems.rows(m, q);
      numbers += whole_tiles(size) * (whole_tiles(LowRank::max_rank(size)) + 2);
    }
  }
  // Each thread builds factors with the matrices of one m and the columns of one matrix.
  const Index size = systems.rows(0, 0);
  const Index of_thread = systems.per_m() * whole_size(size) + LowRank::max_rank(size) * size;
  constexpr auto kNumber = static_cast<Index>(sizeof(double));
  return {.tables = numbers * kNumber, .workspace = omp_get_max_threads() * of_thread * kNumber};
}

}  // namespace armilla::normal_matrix
