// Compiled once per instruction set by Highway's foreach_target; the best one is chosen at run time.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "armilla/legendre/scalar_kernel.cpp"

#include <armilla/legendre/scalar_kernel.hpp>

#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace armilla::legendre::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR
using Tag = hn::CappedTag<double, 1>;
#else
using Tag = hn::ScalableTag<double>;
#endif
using Vec = hn::Vec<Tag>;

// Between two looks at the magnitude y grows by no more than some 2^12, so a lane starts to count below 2^-58.
constexpr Index kLookEvery = 4;
constexpr double kThreshold = 0x1p730;
constexpr double kDown = 0x1p-800;

// y_k and y_{k-1} of V vectors of ring pairs, with the scale of each lane.
template <int V>
struct Pairs {
  Vec now[V];
  Vec before[V];
  Vec x2[V];
  Vec scale[V];

  HWY_INLINE Pairs(const ScalarKernelTask& task, Index first) {
    const Tag d;
    const auto lanes = static_cast<Index>(hn::Lanes(d));
    for (int v = 0; v < V; ++v) {
      now[v] = hn::LoadU(d, task.start + first + v * lanes);
      before[v] = hn::Zero(d);
      x2[v] = hn::LoadU(d, task.x2 + first + v * lanes);
      scale[v] = hn::LoadU(d, task.start_scale + first + v * lanes);
    }
  }

  // From memory [now, before, scale][pair], where an earlier tile of steps left them.
  HWY_INLINE Pairs(const ScalarKernelTask& task, Index first, const double* state) {
    const Tag d;
    const auto lanes = static_cast<Index>(hn::Lanes(d));
    for (int v = 0; v < V; ++v) {
      now[v] = hn::LoadU(d, state + first + v * lanes);
      before[v] = hn::LoadU(d, state + task.pairs + first + v * lanes);
      scale[v] = hn::LoadU(d, state + 2 * task.pairs + first + v * lanes);
      x2[v] = hn::LoadU(d, task.x2 + first + v * lanes);
    }
  }
  HWY_INLINE void save(const ScalarKernelTask& task, Index first, double* state) const {
    const Tag d;
    const auto lanes = static_cast<Index>(hn::Lanes(d));
    for (int v = 0; v < V; ++v) {
      hn::StoreU(now[v], d, state + first + v * lanes);
      hn::StoreU(before[v], d, state + task.pairs + first + v * lanes);
      hn::StoreU(scale[v], d, state + 2 * task.pairs + first + v * lanes);
    }
  }

  HWY_INLINE void advance(const double* ab) {
    const Tag d;
    const Vec a = hn::Set(d, ab[0]);
    const Vec b = hn::Set(d, ab[1]);
    for (int v = 0; v < V; ++v) {
      const Vec next = hn::MulAdd(hn::MulAdd(a, x2[v], b), now[v], before[v]);
      before[v] = now[v];
      now[v] = next;
    }
  }

  HWY_INLINE void rescale() {
    const Tag d;
    for (int v = 0; v < V; ++v) {
      const auto grown = hn::And(hn::Lt(scale[v], hn::Zero(d)), hn::Gt(hn::Abs(now[v]), hn::Set(d, kThreshold)));
      now[v] = hn::IfThenElse(grown, hn::Mul(now[v], hn::Set(d, kDown)), now[v]);
      before[v] = hn::IfThenElse(grown, hn::Mul(before[v], hn::Set(d, kDown)), before[v]);
      scale[v] = hn::IfThenElse(grown, hn::Add(scale[v], hn::Set(d, 1.0)), scale[v]);
    }
  }

  HWY_INLINE Vec counted(int v) const {
    const Tag d;
    return hn::IfThenElseZero(hn::Ge(scale[v], hn::Zero(d)), now[v]);
  }
  HWY_INLINE bool all_below() const {
    const Tag d;
    for (int v = 0; v < V; ++v)
      if (!hn::AllTrue(d, hn::Lt(scale[v], hn::Zero(d)))) return false;
    return true;
  }
  HWY_INLINE bool any_below() const {
    const Tag d;
    for (int v = 0; v < V; ++v)
      if (!hn::AllTrue(d, hn::Ge(scale[v], hn::Zero(d)))) return true;
    return false;
  }
};

// Steps from k to at most `end` over what counts nothing; returns the first step that does.
template <int V>
HWY_INLINE Index skip(const ScalarKernelTask& task, Index k, Index end, Pairs<V>& pairs) {
  while (k + kLookEvery <= end && pairs.all_below()) {
    for (Index i = 0; i < kLookEvery; ++i) pairs.advance(task.ab + 2 * k++);
    pairs.rescale();
  }
  return k;
}

template <int V, int K>
void synthesis_block(const ScalarKernelTask& task, Index first, Index field, const double* coefficients, double* sums) {
  const Tag d;
  const auto lanes = static_cast<Index>(hn::Lanes(d));
  const Index stride = 4 * task.fields;
  Pairs<V> pairs(task, first);
  Vec sum[V][4 * K];
  for (int v = 0; v < V; ++v)
    for (int q = 0; q < 4 * K; ++q) sum[v][q] = hn::Zero(d);

  Index k = skip(task, 0, task.steps, pairs);
  const double* c = coefficients + k * stride + 4 * field;
  while (k < task.steps && pairs.any_below()) {
    const Index until = k + kLookEvery < task.steps ? k + kLookEvery : task.steps;
    for (; k < until; ++k, c += stride) {
      for (int v = 0; v < V; ++v) {
        const Vec y = pairs.counted(v);
        for (int q = 0; q < 4 * K; ++q) sum[v][q] = hn::MulAdd(hn::Set(d, c[q]), y, sum[v][q]);
      }
      pairs.advance(task.ab + 2 * k);
    }
    pairs.rescale();
  }
  // All lanes count. Two steps at a time, so that now and before change places without moves.
  const double* ab = task.ab + 2 * k;
  for (; k + 2 <= task.steps; k += 2, ab += 4, c += 2 * stride) {
    const Vec a0 = hn::Set(d, ab[0]);
    const Vec b0 = hn::Set(d, ab[1]);
    for (int v = 0; v < V; ++v) {
      for (int q = 0; q < 4 * K; ++q) sum[v][q] = hn::MulAdd(hn::Set(d, c[q]), pairs.now[v], sum[v][q]);
      pairs.before[v] = hn::MulAdd(hn::MulAdd(a0, pairs.x2[v], b0), pairs.now[v], pairs.before[v]);
    }
    const Vec a1 = hn::Set(d, ab[2]);
    const Vec b1 = hn::Set(d, ab[3]);
    for (int v = 0; v < V; ++v) {
      for (int q = 0; q < 4 * K; ++q) sum[v][q] = hn::MulAdd(hn::Set(d, c[stride + q]), pairs.before[v], sum[v][q]);
      pairs.now[v] = hn::MulAdd(hn::MulAdd(a1, pairs.x2[v], b1), pairs.before[v], pairs.now[v]);
    }
  }
  if (k < task.steps)
    for (int v = 0; v < V; ++v)
      for (int q = 0; q < 4 * K; ++q) sum[v][q] = hn::MulAdd(hn::Set(d, c[q]), pairs.now[v], sum[v][q]);

  for (int v = 0; v < V; ++v)
    for (int q = 0; q < 4 * K; ++q) hn::StoreU(sum[v][q], d, sums + (4 * field + q) * task.pairs + first + v * lanes);
}

// Adds the steps begin .. end - 1 of V vectors of pairs to partial sums [step - begin][4 K][lane], which stay vectors
// until all pairs were there. begin and, but for the last tile, end are multiples of kLookEvery.
template <int V, int K>
void adjoint_block(const ScalarKernelTask& task, Index first, Index field, Index begin, Index end, const double* rings,
                   double* state, double* partial) {
  const Tag d;
  const auto lanes = static_cast<Index>(hn::Lanes(d));
  const Index stride = 4 * K * lanes;
  Pairs<V> pairs(task, first, state);
  Vec ring[V][4 * K];
  for (int v = 0; v < V; ++v)
    for (int q = 0; q < 4 * K; ++q) ring[v][q] = hn::LoadU(d, rings + (4 * field + q) * task.pairs + first + v * lanes);

  Index k = skip(task, begin, end, pairs);
  double* sum = partial + (k - begin) * stride;
  while (k < end && pairs.any_below()) {
    const Index until = k + kLookEvery < end ? k + kLookEvery : end;
    for (; k < until; ++k, sum += stride) {
      for (int q = 0; q < 4 * K; ++q) {
        Vec s = hn::Load(d, sum + q * lanes);
        for (int v = 0; v < V; ++v) s = hn::MulAdd(pairs.counted(v), ring[v][q], s);
        hn::Store(s, d, sum + q * lanes);
      }
      pairs.advance(task.ab + 2 * k);
    }
    pairs.rescale();
  }
  const double* ab = task.ab + 2 * k;
  for (; k + 2 <= end; k += 2, ab += 4, sum += 2 * stride) {
    for (int q = 0; q < 4 * K; ++q) {
      Vec s = hn::Load(d, sum + q * lanes);
      for (int v = 0; v < V; ++v) s = hn::MulAdd(pairs.now[v], ring[v][q], s);
      hn::Store(s, d, sum + q * lanes);
    }
    const Vec a0 = hn::Set(d, ab[0]);
    const Vec b0 = hn::Set(d, ab[1]);
    for (int v = 0; v < V; ++v)
      pairs.before[v] = hn::MulAdd(hn::MulAdd(a0, pairs.x2[v], b0), pairs.now[v], pairs.before[v]);
    for (int q = 0; q < 4 * K; ++q) {
      Vec s = hn::Load(d, sum + stride + q * lanes);
      for (int v = 0; v < V; ++v) s = hn::MulAdd(pairs.before[v], ring[v][q], s);
      hn::Store(s, d, sum + stride + q * lanes);
    }
    const Vec a1 = hn::Set(d, ab[2]);
    const Vec b1 = hn::Set(d, ab[3]);
    for (int v = 0; v < V; ++v)
      pairs.now[v] = hn::MulAdd(hn::MulAdd(a1, pairs.x2[v], b1), pairs.before[v], pairs.now[v]);
  }
  if (k < end)
    for (int q = 0; q < 4 * K; ++q) {
      Vec s = hn::Load(d, sum + q * lanes);
      for (int v = 0; v < V; ++v) s = hn::MulAdd(pairs.now[v], ring[v][q], s);
      hn::Store(s, d, sum + q * lanes);
    }
  pairs.save(task, first, state);
}

// Vectors of ring pairs per block and fields per block that fit the registers: V (3 + 4 K) of 32, or of 16.
#if HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM_A64
constexpr int kMostFields = 6;
template <int K>
constexpr int kVectors = K == 1   ? 4
                         : K <= 3 ? 2
                                  : 1;
#else
constexpr int kMostFields = 3;
template <int K>
constexpr int kVectors = K == 1 ? 2 : 1;
#endif

// Calls block<K>(field) for groups of fields, the largest that fit first.
template <class Block>
void for_field_groups(Index fields, Block&& block) {
  Index field = 0;
  while (field < fields) {
    const Index left = fields - field;
    if (kMostFields >= 6 && left >= 6) {
      block.template operator()<kMostFields>(field);
      field += kMostFields;
    } else if (left >= 3 && left != 4) {
      block.template operator()<3>(field);
      field += 3;
    } else if (left >= 2) {
      block.template operator()<2>(field);
      field += 2;
    } else {
      block.template operator()<1>(field);
      field += 1;
    }
  }
}

void synthesis(const ScalarKernelTask& task, const double* coefficients, double* sums) {
  const auto lanes = static_cast<Index>(hn::Lanes(Tag()));
  for_field_groups(task.fields, [&]<int K>(Index field) {
    constexpr int V = kVectors<K>;
    for (Index first = 0; first < task.pairs; first += V * lanes)
      synthesis_block<V, K>(task, first, field, coefficients, sums);
  });
}

// Steps whose partial sums of K fields stay in the first-level cache: 4 K vectors each.
template <int K>
constexpr Index kTile = K == 1   ? 64
                        : K == 2 ? 48
                        : K == 3 ? 32
                                 : 16;

// Tile by tile of steps, all pairs in each; the state of the recurrence waits in memory between tiles.
template <int K>
void adjoint_fields(const ScalarKernelTask& task, Index field, const double* rings, double* sums, double* state,
                    double* partial) {
  const auto lanes = static_cast<Index>(hn::Lanes(Tag()));
  constexpr int V = kVectors<K>;
  for (Index p = 0; p < task.pairs; ++p) {
    state[p] = task.start[p];
    state[task.pairs + p] = 0;
    state[2 * task.pairs + p] = task.start_scale[p];
  }
  for (Index begin = 0; begin < task.steps; begin += kTile<K>) {
    const Index end = begin + kTile<K> < task.steps ? begin + kTile<K> : task.steps;
    for (Index i = 0; i < (end - begin) * 4 * K * lanes; ++i) partial[i] = 0;
    for (Index first = 0; first < task.pairs; first += V * lanes)
      adjoint_block<V, K>(task, first, field, begin, end, rings, state, partial);
    for (Index k = begin; k < end; ++k)
      for (Index q = 0; q < 4 * K; ++q) {
        const double* values = partial + ((k - begin) * 4 * K + q) * lanes;
        double sum = 0;
        for (Index lane = 0; lane < lanes; ++lane) sum += values[lane];
        sums[4 * (k * task.fields + field) + q] = sum;
      }
  }
}

void adjoint(const ScalarKernelTask& task, const double* rings, double* sums, std::vector<double>& work) {
  constexpr Index kCacheLine = 8;  // doubles
  constexpr Index kMostPartial = 512 * 8;
  work.resize(static_cast<std::size_t>(kMostPartial + kCacheLine + 3 * task.pairs));
  const std::size_t misplaced = reinterpret_cast<std::size_t>(work.data()) / sizeof(double) % kCacheLine;
  double* partial = work.data() + (kCacheLine - misplaced) % kCacheLine;
  for_field_groups(task.fields, [&]<int K>(Index field) {
    static_assert(kTile<K> * 4 * K <= 512 && kTile<K> % kLookEvery == 0);
    adjoint_fields<K>(task, field, rings, sums, partial + kMostPartial, partial);
  });
}

}  // namespace armilla::legendre::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace armilla::legendre {

HWY_EXPORT(synthesis);
HWY_EXPORT(adjoint);

void scalar_synthesis(const ScalarKernelTask& task, const double* coefficients, double* sums) {
  HWY_DYNAMIC_DISPATCH(synthesis)(task, coefficients, sums);
}

void scalar_adjoint(const ScalarKernelTask& task, const double* rings, double* sums, std::vector<double>& work) {
  HWY_DYNAMIC_DISPATCH(adjoint)(task, rings, sums, work);
}

std::string kernel_instruction_set() {
  const int64_t best = hwy::SupportedTargets() & HWY_TARGETS;
  return hwy::TargetName(best & -best);
}

}  // namespace armilla::legendre
#endif
