// Compiled once per instruction set by Highway's foreach_target; the best one is chosen at run time.
#include <armilla/core/highway_targets.hpp>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "armilla/legendre/batch_kernel.cpp"

#include <armilla/legendre/batch_kernel.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>

// foreach_target.h must be included first, and headers that it compiles repeatedly last.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <armilla/legendre/scalar_recurrence-inl.hpp>
#include <armilla/legendre/scalar_tile-inl.hpp>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace armilla::legendre::HWY_NAMESPACE {

// Both directions multiply a tile of y_k(pair) by a panel. The sums, kRows times kColumns vectors, stay in registers.
constexpr Index kRows = kManyRegisters ? 12 : 6;
constexpr int kColumns = 2;

// The length of a row is a multiple of this.
HWY_INLINE Index column_step() { return kColumns * lane_count(); }

// sum[r][n] += sum over i, ascending, of y_i[r y_row] panel_i[n lanes].
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
  HWY_INLINE void add(const Product& other) {
    for (Index r = 0; r < M; ++r)
      for (int n = 0; n < kColumns; ++n) sum[r][n] = hn::Add(sum[r][n], other.sum[r][n]);
  }
  // Adds the term of one i.
  HWY_INLINE void add_product(const double* y, Index y_row, const double* panel) {
    const Tag d;
    Vec p[kColumns];
    for (int n = 0; n < kColumns; ++n) p[n] = hn::Load(d, panel + n * lane_count());
    for (Index r = 0; r < M; ++r) {
      const Vec factor = hn::Set(d, y[r * y_row]);
      for (int n = 0; n < kColumns; ++n) sum[r][n] = hn::MulAdd(factor, p[n], sum[r][n]);
    }
  }
};

// Calls body<M>(first) for rows first .. first + M - 1, with as many rows at once as fit in registers.
template <Index M = kRows, class Body>
HWY_INLINE void for_rows(Index first, Index rows, const Body& body) {
  for (; first + M <= rows; first += M) body.template operator()<M>(first);
  if constexpr (M > 4)
    for_rows<M == 12 ? 8 : 4>(first, rows, body);
  else if constexpr (M > 1)
    for_rows<M / 2>(first, rows, body);
}

// Number of steps, and of vectors of pairs, in a tile of y in synthesis: 24 KiB with AVX-512.
constexpr Index kTile = 64;
constexpr int kTileVectors = kManyRegisters ? 6 : 3;
static_assert(kTileVectors * static_cast<Index>(hn::MaxLanes(Tag())) <= kBlockPairs);

// Memory of a synthesis: a tile of y, and the halves [panel][pair][row] of one block of pairs.
struct SynthesisMemory {
  double* values;
  double* halves;
};

// V vectors starting at pair `first`. Only the first `count` pairs are used.
template <ScalarForm F, int V>
void synthesis_tiles(const ScalarKernelTask& task, Index first, Index count, Index panels, const double* coefficients,
                     const SynthesisMemory& memory, HalvesSink& sink) {
  Pairs<F, V> pairs(task, first);
  bool begun = false;
  const Index stride = V * lane_count();
  for (Index begin = 0; begin < task.steps; begin += kTile) {
    const Index end = HWY_MIN(begin + kTile, task.steps);
    const Index from = fill_tile(task, begin, end, pairs, memory.values, stride);
    if (from >= end) continue;
    const double* y = memory.values + (from - begin) * stride;
    for (Index panel = 0; panel < panels; ++panel) {
      const double* c = coefficients + panel * kPanelFields * task.field_stride + from * kPanelRow;
      double* own = memory.halves + panel * stride * kPanelRow;
      for_rows(0, count, [&]<Index M>(Index row) HWY_ATTR {
        for (Index column = 0; column < kPanelRow; column += column_step()) {
          Product<M> product;
          if (begun)
            product.load(own + row * kPanelRow + column, kPanelRow);
          else
            product.clear();
          for (Index i = 0; i < end - from; ++i)
            product.add_product(y + i * stride + row, 1, c + column + i * kPanelRow);
          product.store(own + row * kPanelRow + column, kPanelRow);
        }
        if (end == task.steps) sink.take(panel, first + row, M, own + row * kPanelRow);
      });
    }
    begun = true;
  }
  if (!begun) {
    std::fill_n(memory.halves, count * kPanelRow, 0.0);
    for (Index panel = 0; panel < panels; ++panel) sink.take(panel, first, count, memory.halves);
  }
  sink.taken(first, count);
}

// Vectors starting at pair `first` that hold the next `count` pairs, which all use the same rows.
template <ScalarForm F>
void synthesis_pairs(const ScalarKernelTask& task, Index first, Index count, Index panels, const double* coefficients,
                     const SynthesisMemory& memory, HalvesSink& sink) {
  const auto blocks = [&]<int V>() HWY_ATTR {
    for (const Index most = V * lane_count(); count > most - lane_count(); first += most, count -= most)
      synthesis_tiles<F, V>(task, first, std::min(count, most), panels, coefficients, memory, sink);
  };
  blocks.template operator()<kTileVectors>();
  if constexpr (kTileVectors > 3) blocks.template operator()<3>();
  blocks.template operator()<2>();
  blocks.template operator()<1>();
}

void synthesis(const ScalarKernelTask& task, Index panels, const double* coefficients, HalvesSink& sink,
               ScalarKernelWorkspace& work) {
  const Index pairs = kTileVectors * lane_count();
  work.values.resize(static_cast<std::size_t>(kTile * pairs));
  work.halves.resize(static_cast<std::size_t>(panels * pairs * kPanelRow));
  const SynthesisMemory memory{work.values.data(), work.halves.data()};
  if (task.form == ScalarForm::kEquator) {
    synthesis_pairs<ScalarForm::kEquator>(task, 0, task.count, panels, coefficients, memory, sink);
    return;
  }
  synthesis_pairs<ScalarForm::kTwoTerm>(with_low_rows(task), 0, task.low_count, panels, coefficients, memory, sink);
  synthesis_pairs<ScalarForm::kTwoTerm>(task, task.low_pairs, task.count, panels, coefficients, memory, sink);
}

// Number of steps (even) and of entries per step in a tile of y in the adjoint: 24 KiB. Rows are padded, because rows a
// power of two apart share few cache lines.
constexpr Index kStepTile = 24;
constexpr Index kTileNumbers = 128;
constexpr Index kTileStride = kTileNumbers + 8;
constexpr int kFillVectors = kManyRegisters ? 4 : 2;
// Classes of pairs that are summed concurrently if a tile holds that many: kRows / kClasses rows of each.
constexpr Index kClasses = HWY_MIN(static_cast<Index>(hn::MaxLanes(Tag())), 2);

// The pairs of a task, sorted by class. Vectors of the recurrence then hold pairs of one class, and their values are
// adjacent, as the products read them. Within a class, pairs that use the low rows come first, padded at the front with
// copies of the first pair to a multiple of `lanes` entries. The other pairs follow.
class ClassedPairs {
 public:
  ClassedPairs(const ScalarKernelTask& task, core::AlignedVector<double>& memory)
      : low_(with_low_rows(task)), high_(task) {
    const Index lanes = lane_count();
    const Index count = task.pairs / lanes;
    const Index low = task.low_pairs / lanes;
    middle_ = (low + lanes - 1) / lanes * lanes;
    copies_ = middle_ - low;
    last_ = copies_ + count;
    span_ = (last_ + lanes - 1) / lanes * lanes;
    const Index numbers = lanes * span_;
    memory.resize(static_cast<std::size_t>(6 * numbers));
    high_.x2 = sort(task.x2, memory.data());
    high_.start = sort(task.start, memory.data() + numbers);
    high_.start_scale = sort(task.start_scale, memory.data() + 2 * numbers);
    state_ = memory.data() + 3 * numbers;
    std::copy_n(high_.start, numbers, state_);
    std::fill(state_ + numbers, state_ + 2 * numbers, 0.0);
    std::copy_n(high_.start_scale, numbers, state_ + 2 * numbers);
    high_.pairs = low_.pairs = numbers;
    low_.x2 = high_.x2;
    low_.start = high_.start;
    low_.start_scale = high_.start_scale;
  }

  // All of these count entries of one class. span(): all entries, including copies; copies(): copies at the front;
  // middle(): end of the pairs that use the low rows; last(): end of all pairs.
  Index span() const { return span_; }
  Index copies() const { return copies_; }
  Index middle() const { return middle_; }
  Index last() const { return last_; }

  const ScalarKernelTask& low() const { return low_; }
  const ScalarKernelTask& high() const { return high_; }
  double* state() const { return state_; }

 private:
  const double* sort(const double* from, double* to) const {
    for (Index c = 0; c < lane_count(); ++c)
      for (Index i = 0; i < span_; ++i)
        to[c * span_ + i] = from[(std::clamp(i, copies_, last_ - 1) - copies_) * lane_count() + c];
    return to;
  }

  ScalarKernelTask low_, high_;
  Index middle_, copies_, last_, span_;
  double* state_;
};

// Class at a leaf of the tree in which sum_lanes adds the classes.
HWY_INLINE Index class_of_leaf(Index leaf) {
  constexpr Index kEight[8] = {0, 1, 4, 5, 2, 3, 6, 7};
  return lane_count() == 8 ? kEight[leaf] : leaf;
}

// Computes the steps from even `begin` to `end` at V vectors starting at entry `first`; values that do not contribute
// are zero. Returns the first of these entries that contributes at one of the steps, or the end of the vectors.
template <ScalarForm F, int V>
HWY_INLINE Index fill_block(const ScalarKernelTask& task, Index first, Index begin, Index end, double* state,
                            double* values) {
  const Tag d;
  Pairs<F, V> pairs(task, first, state);
  const Index from = fill_tile(task, begin, end, pairs, values, kTileStride);
  pairs.save(task, first, state);
  for (Index k = begin; k < from; ++k) std::fill_n(values + (k - begin) * kTileStride, V * lane_count(), 0.0);
  if (from < end)
    for (int v = 0; v < V; ++v)
      if (const auto lane = hn::FindFirstTrue(d, pairs.counts(v)); lane >= 0)
        return first + v * lane_count() + static_cast<Index>(lane);
  return first + V * lane_count();
}

// Entries first .. last - 1: whole vectors that use the same rows. Returns the first entry that contributes at one of
// these steps, or `last`.
template <ScalarForm F, int V = kFillVectors>
Index fill_pairs(const ScalarKernelTask& task, Index first, Index last, Index begin, Index end, double* state,
                 double* values) {
  Index counting = last;
  const Index block = V * lane_count();
  for (; first + block <= last; first += block, values += block) {
    const Index own = fill_block<F, V>(task, first, begin, end, state, values);
    if (own < first + block) counting = std::min(counting, own);
  }
  if constexpr (V > 1)
    return std::min(counting, fill_pairs<F, V / 2>(task, first, last, begin, end, state, values));
  else
    return counting;
}

// Entries first .. last - 1 of the classes at some leaves of the tree. A row of y holds the entries of one leaf after
// the other.
struct AdjointTile {
  Index begin, end;             // steps
  Index first_leaf, last_leaf;  // leaves first .. last - 1
  Index leaves;                 // in the whole tree
  Index first, last;            // entries
  bool from_zero;               // these entries are the first of the classes
  bool to_the_end;              // these entries are the last of the classes
  Index counting;               // first entry that contributes in any of the classes, copies at the front excluded

  Index row(Index leaf) const { return (leaf - first_leaf) * (last - first); }
};

template <ScalarForm F>
void fill_classes(const ClassedPairs& pairs, AdjointTile& tile, double* values) {
  tile.counting = tile.last;
  const Index middle = std::clamp(pairs.middle(), tile.first, tile.last);
  for (Index leaf = tile.first_leaf; leaf < tile.last_leaf; ++leaf) {
    const Index base = class_of_leaf(leaf) * pairs.span();
    double* own = values + tile.row(leaf);
    const Index low =
        fill_pairs<F>(pairs.low(), base + tile.first, base + middle, tile.begin, tile.end, pairs.state(), own) - base;
    const Index high = fill_pairs<F>(pairs.high(), base + middle, base + tile.last, tile.begin, tile.end, pairs.state(),
                                     own + (middle - tile.first)) -
                       base;
    tile.counting = std::min(tile.counting, low < middle ? low : high);
  }
  tile.counting = std::max(tile.counting, pairs.copies());
}

// Sums M steps, from tile row `row` on, over the classes of a tile, C classes at a time, and adds them as a tree.
// `stack` [level][kStepTile kPanelRow] carries the pending sums of complete classes from tile to tile, followed by the
// partial sums of the unfinished class.
template <Index M, Index C>
HWY_INLINE void adjoint_rows(const AdjointTile& tile, const ClassedPairs& pairs, Index class_rows, Index row,
                             const double* values, const double* halves, double* stack, double* sums) {
  constexpr Index kLevel = kStepTile * kPanelRow;
  const Index count = std::max<Index>(std::min(tile.last, pairs.last()) - tile.counting, 0);
  for (Index leaf = tile.first_leaf; leaf < tile.last_leaf; leaf += C) {
    double* top = stack + std::popcount(static_cast<std::uint64_t>(leaf)) * kLevel;
    Product<M> product[C];
    const double* y[C];
    const double* panel[C];
    for (Index c = 0; c < C; ++c) {
      if (tile.from_zero)
        product[c].clear();
      else
        product[c].load(top + c * kLevel, kPanelRow);
      y[c] = values + row * kTileStride + tile.row(leaf + c) + (tile.counting - tile.first);
      panel[c] = halves + (class_of_leaf(leaf + c) * class_rows + tile.counting - pairs.copies()) * kPanelRow;
    }
    for (Index i = 0; i < count; ++i)
      for (Index c = 0; c < C; ++c) product[c].add_product(y[c] + i, kTileStride, panel[c] + i * kPanelRow);
    if (!tile.to_the_end) {
      for (Index c = 0; c < C; ++c) product[c].store(top + c * kLevel, kPanelRow);
      continue;
    }
    for (Index half = 1; half < C; half *= 2)
      for (Index c = 0; c < C; c += 2 * half) product[c].add(product[c + half]);
    for (Index merge = leaf / C; merge % 2 == 1; merge /= 2) product[0].add(top -= kLevel, kPanelRow);
    product[0].store(leaf + C == tile.leaves ? sums : top, kPanelRow);
  }
}

template <Index C>
void adjoint_tile(const AdjointTile& tile, const ClassedPairs& pairs, Index class_rows, const double* values,
                  const double* halves, double* stack, double* sums) {
  for_rows<kRows / C>(0, tile.end - tile.begin, [&]<Index M>(Index row) HWY_ATTR {
    for (Index column = 0; column < kPanelRow; column += column_step())
      adjoint_rows<M, C>(tile, pairs, class_rows, row, values, halves + column, stack + row * kPanelRow + column,
                         sums + row * kPanelRow + column);
  });
}

template <ScalarForm F>
void adjoint_of(const ScalarKernelTask& task, Index panels, const double* halves, double* sums,
                ScalarKernelWorkspace& work) {
  constexpr Index kStack = 4 * kStepTile * kPanelRow;
  const ClassedPairs pairs(task, work.state);
  work.values.resize(static_cast<std::size_t>(kStepTile * kTileStride));
  double* values = work.values.data();
  // With a single pair, the equator, all classes but the first are empty.
  const Index leaves = task.low_count + task.count == 1 ? 1 : lane_count();
  Index classes = leaves;
  while (classes > 1 && classes * pairs.span() > kTileNumbers) classes /= 2;
  const Index step = std::min(pairs.span(), kTileNumbers);
  const bool whole = classes == leaves && step == pairs.span();
  work.lanes.resize(static_cast<std::size_t>((whole ? 1 : panels) * kStack));
  const PairClasses places{lane_count(), task.pairs};
  for (Index begin = 0; begin < task.steps; begin += kStepTile)
    for (Index leaf = 0; leaf < leaves; leaf += classes)
      for (Index first = 0; first < pairs.span(); first += step) {
        const Index last = HWY_MIN(first + step, pairs.span());
        AdjointTile tile{begin,
                         HWY_MIN(begin + kStepTile, task.steps),
                         leaf,
                         leaf + classes,
                         leaves,
                         first,
                         last,
                         first == 0,
                         last == pairs.span(),
                         0};
        fill_classes<F>(pairs, tile, values);
        for (Index panel = 0; panel < panels; ++panel) {
          const double* own_halves = halves + panel * places.rows() * kPanelRow;
          double* own_sums = sums + panel * kPanelFields * task.field_stride + begin * kPanelRow;
          double* stack = work.lanes.data() + (whole ? 0 : panel) * kStack;
          if (classes >= kClasses)
            adjoint_tile<kClasses>(tile, pairs, places.stride(), values, own_halves, stack, own_sums);
          else
            adjoint_tile<1>(tile, pairs, places.stride(), values, own_halves, stack, own_sums);
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

void batch_synthesis(const ScalarKernelTask& task, Index panels, const double* coefficients, HalvesSink& sink,
                     ScalarKernelWorkspace& work) {
  HWY_DYNAMIC_DISPATCH(synthesis)(task, panels, coefficients, sink, work);
}

void batch_adjoint(const ScalarKernelTask& task, Index panels, const double* halves, double* sums,
                   ScalarKernelWorkspace& work) {
  HWY_DYNAMIC_DISPATCH(adjoint)(task, panels, halves, sums, work);
}

}  // namespace armilla::legendre
#endif
