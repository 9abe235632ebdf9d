#include <armilla/core/exception_collector.hpp>
#include <armilla/math/wigner.hpp>
#include <armilla/normal_matrix/belt_blocks.hpp>

#include <algorithm>
#include <optional>

#include <omp.h>

namespace armilla::normal_matrix {

namespace {

using core::at;

// C_l, 1 / C_l and c_l of one m, [l], for l = 0 .. lmax + 1.
struct Recurrence {
  Recurrence(Index spin, Index m, Index lmax) : first(math::lowest_degree(spin, m)) {
    for (Index l = 0; l <= lmax + 1; ++l) {
      coupling.push_back(l < first ? 0.0 : math::wigner_coupling<double>(spin, m, l));
      inverse.push_back(coupling.back() > 0 ? 1 / coupling.back() : 0.0);
      shift.push_back(l == 0 ? 0.0 : static_cast<double>(m * spin) / static_cast<double>(l * (l + 1)));
    }
  }
  Index first;
  std::vector<double> coupling, inverse, shift;
};

// The matrix [l][l'] of a block, with its rows and columns lmax and lmax - 1 set, and a zero row and column before the
// first ones.
class Square {
 public:
  Square(std::vector<double>& numbers, Index lmax) : numbers_(numbers), stride_(stride_of(lmax)) {
    numbers_.assign(at(stride_ * stride_), 0.0);
  }
  static Index stride_of(Index lmax) { return lmax + 2; }
  double& operator()(Index l, Index other) { return numbers_[at((l + 1) * stride_ + other + 1)]; }

 private:
  std::vector<double>& numbers_;
  Index stride_;
};

// Fills the square: rows for m = `a`, columns for a smaller m = `b`; `sign` is -1 if the columns are functions at the
// mirror rings, where cos(theta) has the opposite sign.
void fill(const Recurrence& a, Index m, const Recurrence& b, Index other, double sign, Index lmax, Square& x) {
  const auto of_rows = [&](Index l, Index j) {
    return a.coupling[at(l + 1)] * x(l + 1, j) - a.shift[at(l)] * x(l, j) + a.coupling[at(l)] * x(l - 1, j);
  };
  const auto of_columns = [&](Index l, Index j) {
    return b.coupling[at(j + 1)] * x(l, j + 1) - b.shift[at(j)] * x(l, j) + b.coupling[at(j)] * x(l, j - 1);
  };
  // Columns up to this one are computed row by row.
  const auto limit = [&](Index l) { return other * l / m; };
  for (Index j = lmax - 1; j > b.first; --j)
    for (Index l = a.first; l < lmax - 1 && j - 1 > limit(l); ++l)
      x(l, j - 1) =
          (sign * of_rows(l, j) - (b.coupling[at(j + 1)] * x(l, j + 1) - b.shift[at(j)] * x(l, j))) * b.inverse[at(j)];
  for (Index l = lmax - 1; l > a.first; --l)
    for (Index j = b.first; j <= std::min(limit(l - 1), lmax - 2); ++j)
      x(l - 1, j) = (sign * of_columns(l, j) - (a.coupling[at(l + 1)] * x(l + 1, j) - a.shift[at(l)] * x(l, j))) *
                    a.inverse[at(l)];
}

}  // namespace

Index BeltBlocks::size_of(const Systems& systems, const Block& block) {
  Index size = 0;
  for (Index q = 0; q < systems.per_m(); ++q)
    size += systems.padded_rows(block.m, q) * systems.padded_rows(block.other, q);
  return size;
}

std::vector<BeltBlocks::Block> BeltBlocks::blocks_of(const Systems& systems, const NormalTask& task,
                                                     const AliasPlan& plan, Index& size) {
  std::vector<Block> blocks;
  size = 0;
  for (std::size_t belt = 0; belt < plan.belts().size(); ++belt)
    for (Index m = 0; m <= task.mmax(); ++m)
      for_each_alias(m, plan.belts()[belt].nphi, m, [&](Index other, bool conjugate, Index k) {
        const auto add = [&](bool of_conjugate, bool to_other_only) {
          blocks.push_back({m, other, of_conjugate, k, belt, to_other_only, size});
          size += size_of(systems, blocks.back());
        };
        add(conjugate, false);
        // m = 0 is an alias of both m' and -m', and contributes to each.
        if (other == 0) add(true, true);
      });
  return blocks;
}

BeltBlocks::BeltBlocks(const Systems& systems, const NormalTask& task, const AliasPlan& plan, const EdgeRows& edges)
    : systems_(systems), uses_(at(task.mmax() + 1)) {
  Index size = 0;
  blocks_ = blocks_of(systems, task, plan, size);
  numbers_.resize(at(size));
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    if (!blocks_[i].to_other_only) uses_[at(blocks_[i].m)].push_back({i, false});
    if (blocks_[i].other != blocks_[i].m) uses_[at(blocks_[i].other)].push_back({i, true});
  }
  core::ExceptionCollector guarded;
#pragma omp parallel
  {
    std::optional<EdgeRows::Maker> maker;
    guarded([&] { maker.emplace(edges); });
    std::vector<double> square;
#pragma omp for schedule(dynamic, 1)
    for (const Block& block : blocks_) guarded([&] { make(block, task, plan, *maker, square); });
  }
  guarded.rethrow();
}

void BeltBlocks::make(const Block& block, const NormalTask& task, const AliasPlan& plan, EdgeRows::Maker& maker,
                      std::vector<double>& numbers) {
  const Belt& belt = plan.belts()[block.belt];
  std::vector<double> factor(at(task.pairs()), 0.0);
  for (Index p = belt.begin; p < belt.end; ++p) {
    factor[at(p)] = static_cast<double>(belt.nphi) * task.weight[at(p)];
    if (block.k % 2 != 0) factor[at(p)] *= task.turn[at(p)];
  }
  const bool mirrored = block.conjugate && systems_.halves() == 2;
  const Index lmax = systems_.lmax();
  const Recurrence rows(systems_.spin(), block.m, lmax);
  const Recurrence columns(systems_.spin(), block.other, lmax);
  Square square(numbers, lmax);
  maker.make(block.other, block.m, factor, mirrored);
  for (Index number = 0; number < 2 && lmax - number >= columns.first; ++number)
    for (Index l = rows.first; l <= lmax; ++l) square(l, lmax - number) = maker.row(number)[l];
  maker.make(block.m, block.other, factor, mirrored);
  for (Index number = 0; number < 2 && lmax - number >= rows.first; ++number)
    for (Index j = columns.first; j <= lmax; ++j) square(lmax - number, j) = maker.row(number)[j];
  fill(rows, block.m, columns, block.other, mirrored ? -1 : 1, lmax, square);
  double* to = &numbers_[at(block.begin)];
  for (Index q = 0; q < systems_.per_m(); ++q)
    for (Index i = 0; i < systems_.padded_rows(block.m, q); ++i)
      for (Index j = 0; j < systems_.padded_rows(block.other, q); ++j)
        *to++ = i < systems_.rows(block.m, q) && j < systems_.rows(block.other, q)
                    ? square(systems_.degree(block.m, q, i), systems_.degree(block.other, q, j))
                    : 0.0;
}

void BeltBlocks::subtract(Index m, State<const double> from, State<double> to) const {
  for (const Use& use : uses_[at(m)]) {
    const Block& block = blocks_[use.block];
    const Index other = use.transposed ? block.m : block.other;
    const double* numbers = &numbers_[at(block.begin)];
    for (Index q = 0; q < systems_.per_m(); ++q) {
      const Index stride = systems_.padded_rows(block.other, q);
      const Matrix matrix =
          use.transposed ? Matrix{numbers, 1, stride, stride, systems_.rows(block.m, q)}
                         : Matrix{numbers, stride, 1, systems_.padded_rows(block.m, q), systems_.rows(block.other, q)};
      for (Index p = 0; p < to.panels.count; ++p) {
        const Index source = block.conjugate ? from.mirror(systems_, p) : p;
        double* sums = to.panel(systems_, m, q, p);
        multiply(
            matrix, from.panel(systems_, other, q, source),
            {.numbers = to.panels.numbers(), .to = sums, .onto = sums, .factors = {-1, block.conjugate ? 1.0 : -1.0}});
      }
      numbers += systems_.padded_rows(block.m, q) * stride;
    }
  }
}

std::vector<std::vector<Index>> BeltBlocks::classes(const NormalTask& task, const AliasPlan& plan) {
  std::vector<Index> least;  // [m] least m of its aliases
  for (Index m = 0; m <= task.mmax(); ++m) least.push_back(m);
  const auto root = [&](Index m) {
    while (least[at(m)] != m) m = least[at(m)];
    return m;
  };
  for (const Belt& belt : plan.belts())
    for (Index m = 0; m <= task.mmax(); ++m)
      for_each_alias(m, belt.nphi, m, [&](Index other, bool, Index) {
        const Index a = root(m);
        const Index b = root(other);
        least[at(std::max(a, b))] = std::min(a, b);
      });
  std::vector<std::vector<Index>> all(least.size());
  for (Index m = 0; m <= task.mmax(); ++m) all[at(root(m))].push_back(m);
  std::erase_if(all, [](const std::vector<Index>& own) { return own.empty(); });
  return all;
}

core::MemoryEstimate BeltBlocks::memory(const Systems& systems, const NormalTask& task, const AliasPlan& plan) {
  Index size = 0;
  blocks_of(systems, task, plan, size);
  const Index stride = Square::stride_of(systems.lmax());  // of the square in which each thread computes a block
  constexpr auto kNumber = static_cast<Index>(sizeof(double));
  return {.tables = size * kNumber, .workspace = omp_get_max_threads() * stride * stride * kNumber};
}

}  // namespace armilla::normal_matrix
