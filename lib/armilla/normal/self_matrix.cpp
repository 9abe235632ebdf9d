#include <armilla/math/wigner.hpp>
#include <armilla/normal/self_matrix.hpp>

#include <algorithm>

namespace armilla::normal {

namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

constexpr Index kTables = 4;  // of an m: see table()

}  // namespace

SelfMatrix::SelfMatrix(const Systems& systems, const NormalTask& task, const EdgeRows& edges)
    : systems_(systems), begin_{0} {
  for (Index m = 0; m <= systems.mmax(); ++m) begin_.push_back(begin_.back() + kTables * table_row(systems, m));
  tables_.resize(at(begin_.back()));
  std::ranges::fill(tables_, 0.0);
#pragma omp parallel
  {
    EdgeRows::Maker maker(edges);
#pragma omp for schedule(dynamic, 4)
    for (Index m = 0; m <= systems.mmax(); ++m) set(m, task, maker);
  }
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
  // An odd number of cache lines, so that rows share none of them.
  const Index lines = (rows + 2 * kRoom + 7) / 8 | 1;
  return {rows, 8 * lines};
}

double* SelfMatrix::row(const Layout& layout, Index above, Workspace& work) const {
  const Index per_m = systems_.per_m();
  const Index i = above / per_m;
  const Index place = (i / kBlock % 2 * per_m + above % per_m) * kBlock + i % kBlock;
  return &work.rows[at(place * layout.stride + kRoom)];
}

// Of the row of degree first + above, from those of the next two.
void SelfMatrix::generate(Index m, const Layout& layout, Index above, Workspace& work) const {
  const Index per_m = systems_.per_m();
  const Index first = systems_.first_degree(m);
  const Index last = systems_.lmax() - first;
  double* to = row(layout, above, work);
  const Index count = above / per_m + 1;
  if (last - above < 2) {
    const double* from = table(m, 2 + last - above);
    std::copy(from - kRoom, from + count, to - kRoom);
    return;
  }
  const double* now = row(layout, above + 1, work);
  const double* before = row(layout, above + 2, work);
  // Of the degree between, which the recurrence steps from.
  const Index middle = above + 1;
  const auto coupling_of = [&](Index of) { return table(m, of % per_m)[of / per_m]; };
  RowStep step{};
  step.count = count;
  if (per_m == 2) {
    const bool even = above % 2 == 0;
    step.up = even ? table(m, 1) : table(m, 0) + 1;
    step.down = even ? table(m, 0) : table(m, 1);
    step.now_up = even ? now : now + 1;
    step.now_down = even ? now - 1 : now;
    step.scale = 1 / coupling_of(middle);
    step.back = coupling_of(middle + 1) * step.scale;
  } else {
    const double* couplings = table(m, 0);
    step.up = couplings + 1;
    step.down = couplings;
    step.now_up = now + 1;
    step.now_down = now - 1;
    step.scale = 1 / couplings[middle];
    step.back = couplings[middle + 1] * step.scale;
    step.shift = table(m, 1)[middle];
    step.shifts = table(m, 1);
  }
  step.now = now;
  step.before = before;
  step.next = to;
  next_row(step);
  // What the next row finds before the first number, and multiplies by C = 0.
  to[-1] = 0;
}

void SelfMatrix::multiply(Index m, State<const double> from, State<const double> onto, State<double> to,
                          Workspace& work) const {
  const Index per_m = systems_.per_m();
  const Layout shape = layout(m);
  if (shape.rows == 0) return;
  work.rows.resize(at(2 * per_m * kBlock * shape.stride));
  work.corner.resize(at(kBlock * kBlock));
  Index above = systems_.lmax() - systems_.first_degree(m);
  for (Index begin = (shape.rows - 1) / kBlock * kBlock; begin >= 0; begin -= kBlock) {
    for (; above >= begin * per_m; --above) generate(m, shape, above, work);
    for (Index q = 0; q < per_m; ++q) {
      const Index rows = std::min(kBlock, systems_.rows(m, q) - begin);
      if (rows <= 0) continue;
      // All rows are written when the first block, that with the highest degrees, has been through.
      const bool first = begin + kBlock >= systems_.rows(m, q);
      double* block = row(shape, begin * per_m + q, work);
      for (Index i = rows; i < whole_tiles(rows); ++i) std::fill_n(block + i * shape.stride, shape.rows, 0.0);
      for (Index i = 0; i < kBlock; ++i)
        for (Index j = 0; j < kBlock; ++j)
          work.corner[at(i * kBlock + j)] =
              std::max(i, j) < rows ? block[std::max(i, j) * shape.stride + begin + std::min(i, j)] : 0.0;
      for (Index p = 0; p < from.panels; ++p) {
        const double* own = from.panel(systems_, m, q, p);
        double* sums = to.panel(systems_, m, q, p);
        const double* before = first ? onto.panel(systems_, m, q, p) : sums;
        const Index place = begin * kPanelNumbers;
        normal::multiply({work.corner.data(), kBlock, 1, whole_tiles(rows), rows}, own + place,
                         {.to = sums + place, .onto = before + place});
        normal::multiply({block, shape.stride, 1, whole_tiles(rows), begin}, own,
                         {.to = sums + place, .onto = sums + place});
        normal::multiply({block, 1, shape.stride, begin, rows}, own + place, {.to = sums, .onto = before});
      }
    }
  }
}

Index SelfMatrix::bytes(const Systems& systems) {
  Index numbers = 0;
  for (Index m = 0; m <= systems.mmax(); ++m) numbers += kTables * table_row(systems, m);
  return numbers * static_cast<Index>(sizeof(double));
}

}  // namespace armilla::normal
