// Compiled once per instruction set by Highway's foreach_target; the best one is chosen at run time.
#include <armilla/core/highway_targets.hpp>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "armilla/legendre/batch_kernel.cpp"

#include <armilla/legendre/batch_kernel.hpp>

#include <algorithm>

// foreach_target.h comes first, and what it compiles again and again last.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <armilla/legendre/scalar_recurrence-inl.hpp>
#include <armilla/legendre/scalar_tile-inl.hpp>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace armilla::legendre::HWY_NAMESPACE {

// Both directions are products of a tile of y_k(pair) with a panel, whose sums stay in registers: kRows times
// kColumns vectors of them.
constexpr Index kRows = kManyRegisters ? 12 : 6;
constexpr int kColumns = 2;

// Numbers of a row are a multiple of this many.
HWY_INLINE Index column_step() { return kColumns * lane_count(); }

// sum[r][n] += sum over i of y[i y_next + r y_row] panel[i kPanelRow + n lanes], i ascending.
template <Index M>
struct Product {
  Vec sum[M][kColumns];

  HWY_INLINE void clear() {
    for (Index r = 0; r < M; ++r)
      for (int n = 0; n < kColumns; ++n) sum[r][n] = hn::Zero(Tag());
  }
  HWY_INLINE void load(const double* from, Index row) {
    for (Index r = 0; r < M; ++r)
      for (int n = 0; n < kColumns; ++n) sum[r][n] = hn::Load(Tag(), from + r * row + n * lane_count());
  }
  HWY_INLINE void store(double* to, Index row) const {
    for (Index r = 0; r < M; ++r)
      for (int n = 0; n < kColumns; ++n) hn::Store(sum[r][n], Tag(), to + r * row + n * lane_count());
  }
  HWY_INLINE void add(const double* from, Index row) {
    for (Index r = 0; r < M; ++r)
      for (int n = 0; n < kColumns; ++n)
        sum[r][n] = hn::Add(sum[r][n], hn::Load(Tag(), from + r * row + n * lane_count()));
  }
  HWY_INLINE void multiply(const double* y, Index y_next, Index y_row, const double* panel, Index count) {
    const Tag d;
    for (Index i = 0; i < count; ++i, y += y_next, panel += kPanelRow) {
      Vec p[kColumns];
      for (int n = 0; n < kColumns; ++n) p[n] = hn::Load(d, panel + n * lane_count());
      for (Index r = 0; r < M; ++r) {
        const Vec factor = hn::Set(d, y[r * y_row]);
        for (int n = 0; n < kColumns; ++n) sum[r][n] = hn::MulAdd(factor, p[n], sum[r][n]);
      }
    }
  }
};

// Calls body<M>(first) for rows first .. first + M - 1, as many side by side as registers hold.
template <Index M = kRows, class Body>
HWY_INLINE void for_rows(Index first, Index rows, const Body& body) {
  for (; first + M <= rows; first += M) body.template operator()<M>(first);
  if constexpr (M > 4)
    for_rows<M == 12 ? 8 : 4>(first, rows, body);
  else if constexpr (M > 1)
    for_rows<M / 2>(first, rows, body);
}

// Steps and vectors of pairs of a tile of y in synthesis: 24 KiB of AVX-512.
constexpr Index kTile = 64;
constexpr int kTileVectors = kManyRegisters ? 6 : 3;

// V vectors from pair `first` on, of which the first `count` pairs are wanted.
template <ScalarForm F, int V>
void synthesis_tiles(const ScalarKernelTask& task, Index first, Index count, Index panels, const double* coefficients,
                     double* halves, double* values) {
  Pairs<F, V> pairs(task, first);
  bool begun = false;
  const Index stride = V * lane_count();
  for (Index begin = 0; begin < task.steps; begin += kTile) {
    const Index end = HWY_MIN(begin + kTile, task.steps);
    const Index from = fill_tile(task, begin, end, pairs, values, stride);
    if (from >= end) continue;
    const double* y = values + (from - begin) * stride;
    for (Index panel = 0; panel < panels; ++panel) {
      const double* c = coefficients + panel * kPanelFields * task.field_stride + from * kPanelRow;
      double* own = halves + (panel * task.pairs + first) * kPanelRow;
      for_rows(0, count, [&]<Index M>(Index row) HWY_ATTR {
        for (Index column = 0; column < kPanelRow; column += column_step()) {
          Product<M> product;
          if (begun)
            product.load(own + row * kPanelRow + column, kPanelRow);
          else
            product.clear();
          product.multiply(y + row, stride, 1, c + column, end - from);
          product.store(own + row * kPanelRow + column, kPanelRow);
        }
      });
    }
    begun = true;
  }
  if (begun) return;
  for (Index panel = 0; panel < panels; ++panel)
    std::fill_n(halves + (panel * task.pairs + first) * kPanelRow, count * kPanelRow, 0.0);
}

// Vectors from pair `first` on that hold the next `count` pairs, all of the same rows.
template <ScalarForm F>
void synthesis_pairs(const ScalarKernelTask& task, Index first, Index count, Index panels, const double* coefficients,
                     double* halves, double* values) {
  const auto blocks = [&]<int V>() HWY_ATTR {
    for (const Index most = V * lane_count(); count > most - lane_count(); first += most, count -= most)
      synthesis_tiles<F, V>(task, first, std::min(count, most), panels, coefficients, halves, values);
  };
  blocks.template operator()<kTileVectors>();
  if constexpr (kTileVectors > 3) blocks.template operator()<3>();
  blocks.template operator()<2>();
  blocks.template operator()<1>();
}

void synthesis(const ScalarKernelTask& task, Index panels, const double* coefficients, double* halves,
               ScalarKernelWorkspace& work) {
  work.values.resize(static_cast<std::size_t>(kTile * kTileVectors * lane_count()));
  double* values = work.values.data();
  if (task.form == ScalarForm::kEquator) {
    synthesis_pairs<ScalarForm::kEquator>(task, 0, task.count, panels, coefficients, halves, values);
    return;
  }
  synthesis_pairs<ScalarForm::kTwoTerm>(with_low_rows(task), 0, task.low_count, panels, coefficients, halves, values);
  synthesis_pairs<ScalarForm::kTwoTerm>(task, task.low_pairs, task.count, panels, coefficients, halves, values);
}

// Steps of a tile of y in the adjoint, an even number, and pairs of it: 24 KiB. Rows are a bit longer, since those a
// power of two apart share few cache lines.
constexpr Index kStepTile = 12;
constexpr Index kPairTile = 256;
constexpr Index kPairStride = kPairTile + 8;
constexpr int kFillVectors = kManyRegisters ? 4 : 2;

// Sums over classes of pairs that wait to be added up.
struct ClassSums {
  static constexpr Index kMost = static_cast<Index>(hn::MaxLanes(Tag()));
  HWY_ALIGN double waiting[4][kStepTile * kColumns * kMost];

  // The classes in the order in which sum_lanes adds them up, as a tree whose leaves these are.
  static HWY_INLINE Index at(Index leaf) {
    constexpr Index kEight[8] = {0, 1, 4, 5, 2, 3, 6, 7};
    return lane_count() == 8 ? kEight[leaf] : leaf;
  }
};

// Steps from even `begin` to `end` at V vectors from pair `first` on; zeros where nothing counts yet. True where
// something does.
template <ScalarForm F, int V>
HWY_INLINE bool fill_block(const ScalarKernelTask& task, Index first, Index begin, Index end, double* state,
                           double* values) {
  Pairs<F, V> pairs(task, first, state);
  const Index from = fill_tile(task, begin, end, pairs, values, kPairStride);
  pairs.save(task, first, state);
  for (Index k = begin; k < from; ++k) std::fill_n(values + (k - begin) * kPairStride, V * lane_count(), 0.0);
  return from < end;
}

// Pairs first .. last - 1, of the same rows. Returns the first pair that may count at one of these steps, or `last`.
template <ScalarForm F, int V = kFillVectors>
Index fill_pairs(const ScalarKernelTask& task, Index first, Index last, Index begin, Index end, double* state,
                 double* values) {
  Index counting = last;
  for (; first + V * lane_count() <= last; first += V * lane_count(), values += V * lane_count())
    if (fill_block<F, V>(task, first, begin, end, state, values)) counting = std::min(counting, first);
  if constexpr (V > 1)
    return std::min(counting, fill_pairs<F, V / 2>(task, first, last, begin, end, state, values));
  else
    return counting;
}

struct AdjointTile {
  Index begin, end;   // steps
  Index first, last;  // pairs
  Index counting;     // the first pair that may count
  bool from_zero;     // no pairs came before these
  bool to_the_end;    // none come behind
};

// Sums of M steps from tile row `row` on. `partial` [class][M][kColumns lanes] goes from tile to tile of pairs.
template <Index M>
HWY_INLINE void adjoint_rows(const ScalarKernelTask& task, const AdjointTile& tile, Index row, const double* values,
                             const double* halves, double* partial, double* sums) {
  const Index lanes = lane_count();
  const Index per_class = PairClasses{lanes, task.pairs}.stride();
  const Index size = M * kColumns * lanes;
  const double* y = values + row * kPairStride + (tile.counting - tile.first);
  const double* panel = halves + tile.counting / lanes * kPanelRow;
  const Index count = (tile.last - tile.counting) / lanes;
  ClassSums stack;
  int waiting = 0;
  // A single pair, the equator, has all classes but the first empty.
  const Index leaves = task.low_count + task.count == 1 ? 1 : lanes;
  for (Index leaf = 0; leaf < leaves; ++leaf) {
    const Index own = ClassSums::at(leaf);
    Product<M> product;
    if (tile.from_zero)
      product.clear();
    else
      product.load(partial + own * size, kColumns * lanes);
    product.multiply(y + own, lanes, kPairStride, panel + own * per_class * kPanelRow, count);
    if (!tile.to_the_end) {
      product.store(partial + own * size, kColumns * lanes);
      continue;
    }
    for (Index merge = leaf; merge % 2 == 1; merge /= 2) product.add(stack.waiting[--waiting], kColumns * lanes);
    if (leaf + 1 < leaves)
      product.store(stack.waiting[waiting++], kColumns * lanes);
    else
      product.store(sums, kPanelRow);
  }
}

template <ScalarForm F>
void adjoint_of(const ScalarKernelTask& task, Index panels, const double* halves, double* sums,
                ScalarKernelWorkspace& work) {
  constexpr Index kPartial = kStepTile * kPanelRow * ClassSums::kMost;
  work.state.resize(static_cast<std::size_t>(3 * task.pairs));
  work.values.resize(static_cast<std::size_t>(kStepTile * kPairStride));
  const bool tiles = task.pairs > kPairTile;
  if (tiles) work.lanes.resize(static_cast<std::size_t>(panels * kPartial));
  double* state = work.state.data();
  double* values = work.values.data();
  std::copy_n(task.start, task.pairs, state);
  std::fill_n(state + task.pairs, task.pairs, 0.0);
  std::copy_n(task.start_scale, task.pairs, state + 2 * task.pairs);
  const ScalarKernelTask low = with_low_rows(task);
  const Index panel_rows = PairClasses{lane_count(), task.pairs}.rows();
  for (Index begin = 0; begin < task.steps; begin += kStepTile) {
    const Index end = HWY_MIN(begin + kStepTile, task.steps);
    for (Index first = 0; first < task.pairs; first += kPairTile) {
      const Index last = HWY_MIN(first + kPairTile, task.pairs);
      const Index middle = std::clamp(task.low_pairs, first, last);
      const Index counting_low = fill_pairs<F>(low, first, middle, begin, end, state, values);
      const Index counting_high = fill_pairs<F>(task, middle, last, begin, end, state, values + (middle - first));
      const Index counting = counting_low < middle ? counting_low : counting_high;
      const AdjointTile tile{begin, end, first, last, counting, first == 0, last == task.pairs};
      for (Index panel = 0; panel < panels; ++panel) {
        const double* own_halves = halves + panel * panel_rows * kPanelRow;
        double* own_sums = sums + panel * kPanelFields * task.field_stride + begin * kPanelRow;
        if (counting == last && tile.from_zero && tile.to_the_end) {
          std::fill_n(own_sums, (end - begin) * kPanelRow, 0.0);
          continue;
        }
        double* own_partial = tiles ? work.lanes.data() + panel * kPartial : nullptr;
        for_rows(0, end - begin, [&]<Index M>(Index row) HWY_ATTR {
          for (Index column = 0; column < kPanelRow; column += column_step())
            adjoint_rows<M>(task, tile, row, values, own_halves + column,
                            own_partial + (row * kPanelRow + M * column) * lane_count(),
                            own_sums + row * kPanelRow + column);
        });
      }
    }
  }
}

void adjoint(const ScalarKernelTask& task, Index panels, const double* halves, double* sums,
             ScalarKernelWorkspace& work) {
  if (task.form == ScalarForm::kEquator)
    adjoint_of<ScalarForm::kEquator>(task, panels, halves, sums, work);
  else
    adjoint_of<ScalarForm::kTwoTerm>(task, panels, halves, sums, work);
}

Index lanes() { return lane_count(); }

}  // namespace armilla::legendre::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace armilla::legendre {

HWY_EXPORT(synthesis);
HWY_EXPORT(adjoint);
HWY_EXPORT(lanes);

PairClasses pair_classes(const ScalarKernelTask& task) { return {HWY_DYNAMIC_DISPATCH(lanes)(), task.pairs}; }

void batch_synthesis(const ScalarKernelTask& task, Index panels, const double* coefficients, double* halves,
                     ScalarKernelWorkspace& work) {
  HWY_DYNAMIC_DISPATCH(synthesis)(task, panels, coefficients, halves, work);
}

void batch_adjoint(const ScalarKernelTask& task, Index panels, const double* halves, double* sums,
                   ScalarKernelWorkspace& work) {
  HWY_DYNAMIC_DISPATCH(adjoint)(task, panels, halves, sums, work);
}

}  // namespace armilla::legendre
#endif
