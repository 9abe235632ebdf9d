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

// Steps over what counts nothing; returns the first step that does.
template <int V>
HWY_INLINE Index skip(const ScalarKernelTask& task, Pairs<V>& pairs) {
  Index k = 0;
  while (k + kLookEvery <= task.steps && pairs.all_below()) {
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

  Index k = skip(task, pairs);
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

// Partial sums of a step stay vectors, work[step][field][4][lane], until all pairs were there: one reduction per m.
template <int V, int K>
void adjoint_block(const ScalarKernelTask& task, Index first, Index field, const double* rings, double* work) {
  const Tag d;
  const auto lanes = static_cast<Index>(hn::Lanes(d));
  const Index stride = 4 * task.fields * lanes;
  Pairs<V> pairs(task, first);
  Vec ring[V][4 * K];
  for (int v = 0; v < V; ++v)
    for (int q = 0; q < 4 * K; ++q) ring[v][q] = hn::LoadU(d, rings + (4 * field + q) * task.pairs + first + v * lanes);

  Index k = skip(task, pairs);
  double* sum = work + k * stride + 4 * field * lanes;
  while (k < task.steps && pairs.any_below()) {
    const Index until = k + kLookEvery < task.steps ? k + kLookEvery : task.steps;
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
  for (; k + 2 <= task.steps; k += 2, ab += 4, sum += 2 * stride) {
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
  if (k < task.steps)
    for (int q = 0; q < 4 * K; ++q) {
      Vec s = hn::Load(d, sum + q * lanes);
      for (int v = 0; v < V; ++v) s = hn::MulAdd(pairs.now[v], ring[v][q], s);
      hn::Store(s, d, sum + q * lanes);
    }
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

void adjoint(const ScalarKernelTask& task, const double* rings, double* sums, std::vector<double>& work) {
  const auto lanes = static_cast<Index>(hn::Lanes(Tag()));
  const Index numbers = task.steps * task.fields * 4;
  work.assign(static_cast<std::size_t>(numbers * lanes + 8), 0.0);
  double* aligned = work.data() + (8 - reinterpret_cast<std::size_t>(work.data()) / sizeof(double) % 8) % 8;
  for_field_groups(task.fields, [&]<int K>(Index field) {
    constexpr int V = kVectors<K>;
    for (Index first = 0; first < task.pairs; first += V * lanes)
      adjoint_block<V, K>(task, first, field, rings, aligned);
  });
  for (Index i = 0; i < numbers; ++i) {
    double sum = 0;
    for (Index lane = 0; lane < lanes; ++lane) sum += aligned[i * lanes + lane];
    sums[i] = sum;
  }
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
