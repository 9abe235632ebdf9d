#pragma once

#include <kernels/core/team.hpp>
#include <kernels/core/unrolled.hpp>
#include <kernels/legendre/step_numbers.hpp>

namespace armilla::kernels {

/// Steps processed by a block of the kernels below, one per thread.
inline constexpr int kCoefficientThreads = 128;

/// Blocks of these kernels: [local m][tile of steps][map].
struct CoefficientBlocks {
  Index tiles, maps;

  template <template <class> class Pointer>
  CoefficientBlocks(const ScalarStageOf<Pointer>& stage, Index maps_)
      : tiles((stage.max_steps + kCoefficientThreads - 1) / kCoefficientThreads), maps(maps_) {}
  GridSize grid(const ScalarStage& stage) const { return {(stage.k_end - stage.k_begin) * tiles * maps}; }

  HOST_DEVICE Index k(const ScalarStage& stage, Index number) const { return stage.k_begin + number / maps / tiles; }
  HOST_DEVICE Index first_step(Index number) const { return number / maps % tiles * kCoefficientThreads; }
  HOST_DEVICE Index map(Index number) const { return number % maps; }
};

/// Computes rows of the recurrences, one step per thread.
struct RowsBody {
  static constexpr int kThreads = kCoefficientThreads;

  ScalarStage stage;
  CoefficientBlocks blocks;

  GridSize grid() const { return blocks.grid(stage); }
  HOST_DEVICE void operator()(BlockIndex block, int thread) const {
    const Index k = blocks.k(stage, block.x);
    const Index step = blocks.first_step(block.x) + thread;
    if (step >= stage.steps(k)) return;
    const Index m = stage.orders.m[k];
    const Index place = stage.first_step(k) + step;
    const auto rows_of = [&](RowKind kind) { return stage.rows[static_cast<int>(kind)]; };
    const TwoTermRows rows = two_term_rows(stage.degrees, m, step);
    if (rows_of(RowKind::kPolar) != nullptr) rows_of(RowKind::kPolar)[place] = rows.polar;
    if (rows_of(RowKind::kSquare) != nullptr) rows_of(RowKind::kSquare)[place] = rows.square;
    if (rows_of(RowKind::kEquator) == nullptr) return;
    const EquatorRow equator = equator_row(stage.degrees, m, step, step_factor(stage.degrees, m, step).alpha);
    rows_of(RowKind::kEquator)[2 * place] = equator.row;
    rows_of(RowKind::kEquator)[2 * place + 1] = {equator.factor, 0};
  }
};

/// A coefficient of degree l of a spin and one m, as half the sum, s, and half the difference, t, of those of spin and
/// m and of -spin and -m (legendre::SpinPlanes).
struct SpinNumbers {
  Two s{0, 0}, t{0, 0};
};

/// Result of a band at degree l >= m: s'_l = C_{l+1} s_{l+1} - A_{l-1} s_{l-1} + B_l t_l, or transposed s_l = C_l
/// s'_{l-1} - A_l s'_{l+1} + B_l t'_l (legendre::lower_spin, raise_spin).
struct BandRow {
  double above, below, here;

  HOST_DEVICE static double root(const DegreeNumbers& degrees, Index m, Index l) {
    return degrees.root[l - m] * degrees.root[l + m];
  }
  HOST_DEVICE static BandRow lower(const DegreeNumbers& degrees, int level, Index m, Index l) {
    const SpinBand& band = degrees.bands[level];
    return {band.c[l + 1] * root(degrees, m, l + 1), -(band.a[l - 1] * root(degrees, m, l)),
            band.b[l] * static_cast<double>(m)};
  }
  HOST_DEVICE static BandRow raise(const DegreeNumbers& degrees, int level, Index m, Index l) {
    const SpinBand& band = degrees.bands[level];
    return {-(band.a[l] * root(degrees, m, l + 1)), band.c[l] * root(degrees, m, l),
            band.b[l] * static_cast<double>(m)};
  }
  HOST_DEVICE double sum(double x_above, double x_below, double y) const {
    return std::fma(here, y, std::fma(below, x_below, above * x_above));
  }
  HOST_DEVICE SpinNumbers apply(const SpinNumbers& x_above, const SpinNumbers& x_below, const SpinNumbers& x) const {
    return {{sum(x_above.s.a, x_below.s.a, x.t.a), sum(x_above.s.b, x_below.s.b, x.t.b)},
            {sum(x_above.t.a, x_below.t.a, x.s.a), sum(x_above.t.b, x_below.t.b, x.s.b)}};
  }
};

/// alm -> coefficients of the kernels, one step of all components of a map per thread.
template <int kSpin, class T>
struct LoadBody {
  static constexpr int kThreads = kCoefficientThreads;

  ScalarStage stage;
  CoefficientBlocks blocks;
  KernelPointer<const ComplexNumber<T>> alm;

  GridSize grid() const { return blocks.grid(stage); }
  HOST_DEVICE void operator()(BlockIndex block, int thread) const {
    const Index k = blocks.k(stage, block.x);
    const Index step = blocks.first_step(block.x) + thread;
    if (step >= stage.steps(k)) return;
    const Index m = stage.orders.m[k];
    const Index map = blocks.map(block.x);
    const StepFactor factor = step_factor(stage.degrees, m, step);
    if constexpr (kSpin == 0) {
      const auto at = [&](Index l) { return coefficient(k, 0, map, l); };
      const Index l = m + 2 * step;
      set(k, map, step, factor, at(l), at(l + 1), at(l + 2), 1.0, 1.0);
    } else {
      // A window of degrees, which each band shortens at both ends.
      constexpr int kSize = 3 + 2 * kSpin;
      SpinNumbers window[kSize];
      const Index first = m + 2 * step - kSpin;
      unrolled<kSize>([&]<int i>() {
        const Index l = first + i;
        if (l < m || l < kSpin) return;
        const Two e = coefficient(k, 0, map, l);
        const Two b = coefficient(k, 1, map, l);
        window[i] = {e, {-b.b, b.a}};  // s = E, t = i B
      });
      unrolled<kSpin>([&]<int level>() {
        SpinNumbers last = window[level];
        unrolled<kSize - 2 * level - 2>([&]<int j>() {
          constexpr int i = level + 1 + j;
          const Index l = first + i;
          const SpinNumbers own = window[i];
          window[i] =
              l < m ? SpinNumbers{} : BandRow::lower(stage.degrees, level, m, l).apply(window[i + 1], last, own);
          last = own;
        });
      });
      // Q = -s, U = i t.
      const SpinNumbers* c = window + kSpin;
      set(k, map * 2, step, factor, c[0].s, c[1].s, c[2].s, -1.0, -1.0);
      const auto turned = [](const Two& t) { return Two{t.b, t.a}; };
      set(k, map * 2 + 1, step, factor, turned(c[0].t), turned(c[1].t), turned(c[2].t), -1.0, 1.0);
    }
  }

 private:
  HOST_DEVICE Two coefficient(Index k, Index component, Index map, Index l) const {
    if (l > stage.degrees.lmax) return {0, 0};
    const ComplexNumber<T> value = alm[stage.alm_begin(k, component, map) + l];
    return {static_cast<double>(value.re), static_cast<double>(value.im)};
  }

  // even_k = low_k c_l + high_k c_{l+2}, odd_k = alpha_k c_{l+1}.
  HOST_DEVICE void set(Index k, Index field, Index step, const StepFactor& f, Two c0, Two c1, Two c2, double sign_re,
                       double sign_im) const {
    Two* out = stage.coefficients + stage.field_begin(k, field) + 2 * step;
    out[0] = {sign_re * std::fma(f.low, c0.a, f.high * c2.a), sign_im * std::fma(f.low, c0.b, f.high * c2.b)};
    out[1] = {sign_re * (f.alpha * c1.a), sign_im * (f.alpha * c1.b)};
    if (stage.single_coefficients == nullptr) return;
    const auto single = [](double x) { return static_cast<float>(x); };
    stage.coefficients_of<float>(k, field)[step] = {single(out[0].a), single(out[0].b), single(out[1].a),
                                                    single(out[1].b)};
  }
};

/// Sums over the steps of a block and around them, for one map.
template <int kSpin>
struct StoreShared {
  static constexpr int kComponents = kSpin == 0 ? 1 : 2;
  static constexpr int kFront = 1 + (kSpin + 1) / 2;  ///< steps before the block that contribute to its degrees
  static constexpr int kBack = (kSpin + 1) / 2;
  static constexpr int kSteps = kCoefficientThreads + kFront + kBack;
  Two sums[kComponents][kSteps][2];
  Two scalars[kComponents][kSteps][2];  ///< coefficients of degrees m + 2 step and the next one
};

/// Partial sums -> alm, the transpose of LoadBody; blocks of pairs are added in their order. Overwrites degrees m ..
/// lmax.
template <int kSpin, class T>
struct StoreBody {
  using Lane = Nothing;
  using Shared = StoreShared<kSpin>;
  static constexpr int kThreads = kCoefficientThreads;
  static constexpr int kResidentBlocks = 5;
  static constexpr int kTogether = 4;  ///< blocks of pairs whose sums are loaded at once

  ScalarStage stage;
  CoefficientBlocks blocks;
  KernelPointer<ComplexNumber<T>> alm;

  GridSize grid() const { return blocks.grid(stage); }
  template <class Team>
  HOST_DEVICE void run(Team& team, BlockIndex block) const {
    const Index k = blocks.k(stage, block.x);
    const Index begin = blocks.first_step(block.x);
    if (begin >= stage.steps(k)) return;
    const Index map = blocks.map(block.x);
    const Index first_block = stage.pair_blocks.first_block(stage.orders.first_pair[k]);
    team.each(
        [&](Lane&, int thread) { add_blocks(team.shared(), k, map, first_block, begin - Shared::kFront, thread); });
    team.barrier();
    team.each(
        [&](Lane&, int thread) { make_scalars(team.shared(), stage.orders.m[k], begin - Shared::kFront, thread); });
    team.barrier();
    team.each([&](Lane&, int thread) { store(team.shared(), k, map, begin, thread); });
  }

 private:
  // Sums over the blocks of pairs from first_block on, in their order.
  HOST_DEVICE void add_blocks(Shared& shared, Index k, Index map, Index first_block, Index first, int thread) const {
    const Index steps = stage.steps(k);
    for (int i = thread; i < Shared::kSteps; i += kCoefficientThreads)
      for (int c = 0; c < Shared::kComponents; ++c) {
        Two even{0, 0};
        Two odd{0, 0};
        const Index step = first + i;
        if (step >= 0 && step < steps) {
          const Two* next = stage.partial_sums + stage.sums_begin(first_block) +
                            stage.field_begin(k, map * Shared::kComponents + c) + 2 * step;
          const Index stride = stage.sums_begin(1);
          auto left = static_cast<int>(stage.pair_blocks.count - first_block);
          for (; left >= kTogether; left -= kTogether) next = add<kTogether>(next, stride, even, odd);
          for (; left > 0; --left) next = add<1>(next, stride, even, odd);
        }
        shared.sums[c][i][0] = even;
        shared.sums[c][i][1] = odd;
      }
  }

  // Adds the sums of kCount blocks, all of whose loads are in flight at once; returns the place of the next block.
  template <int kCount>
  HOST_DEVICE static const Two* add(const Two* sums, Index stride, Two& even, Two& odd) {
    Two numbers[kCount][2];
    unrolled<kCount>([&]<int b>() {
      numbers[b][0] = sums[b * stride];
      numbers[b][1] = sums[b * stride + 1];
    });
    unrolled<kCount>([&]<int b>() {
      even = {even.a + numbers[b][0].a, even.b + numbers[b][0].b};
      odd = {odd.a + numbers[b][1].a, odd.b + numbers[b][1].b};
    });
    return sums + kCount * stride;
  }

  // c_l = low_k even_k + high_{k-1} even_{k-1}, c_{l+1} = alpha_k odd_k, except for the first step, which has no
  // predecessor.
  HOST_DEVICE void make_scalars(Shared& shared, Index m, Index first, int thread) const {
    for (int i = thread + 1; i < Shared::kSteps; i += kCoefficientThreads) {
      const Index step = first + i;
      StepFactor factor{0, 0, 0};
      double high = 0;
      if (step >= 0) factor = step_factor(stage.degrees, m, step);
      if (step > 0) high = step_factor(stage.degrees, m, step - 1).high;
      for (int c = 0; c < Shared::kComponents; ++c) {
        const auto* sums = shared.sums[c] + i;
        shared.scalars[c][i][0] = {std::fma(factor.low, sums[0][0].a, high * sums[-1][0].a),
                                   std::fma(factor.low, sums[0][0].b, high * sums[-1][0].b)};
        shared.scalars[c][i][1] = {factor.alpha * sums[0][1].a, factor.alpha * sums[0][1].b};
      }
    }
  }

  HOST_DEVICE void store(const Shared& shared, Index k, Index map, Index begin, int thread) const {
    const Index m = stage.orders.m[k];
    const Index l0 = m + 2 * (begin + thread);
    if (l0 > stage.degrees.lmax) return;
    if constexpr (kSpin == 0) {
      for (int odd = 0; odd < 2; ++odd) set(k, 0, map, l0 + odd, shared.scalars[0][Shared::kFront + thread][odd]);
    } else {
      constexpr int kSize = 2 + 2 * kSpin;
      SpinNumbers window[kSize];
      unrolled<kSize>([&]<int i>() {
        constexpr int x = i - kSpin;  // l - l0
        constexpr int odd = x & 1;
        const int j = Shared::kFront + thread + (x - odd) / 2;
        const Two q = shared.scalars[0][j][odd];
        const Two u = shared.scalars[1][j][odd];
        window[i] = {{-q.a, -q.b}, {u.b, -u.a}};
      });
      unrolled<kSpin>([&]<int below>() {
        constexpr int level = kSpin - 1 - below;
        SpinNumbers last = window[below];
        unrolled<kSize - 2 * below - 2>([&]<int j>() {
          constexpr int i = below + 1 + j;
          const Index l = l0 + i - kSpin;
          const SpinNumbers own = window[i];
          window[i] =
              l < m ? SpinNumbers{} : BandRow::raise(stage.degrees, level, m, l).apply(window[i + 1], last, own);
          last = own;
        });
      });
      for (int odd = 0; odd < 2; ++odd) {
        const SpinNumbers& c = window[kSpin + odd];
        set(k, 0, map, l0 + odd, c.s);
        set(k, 1, map, l0 + odd, {c.t.b, -c.t.a});
      }
    }
  }

  HOST_DEVICE void set(Index k, Index component, Index map, Index l, Two value) const {
    if (l > stage.degrees.lmax) return;
    alm[stage.alm_begin(k, component, map) + l] = {static_cast<T>(value.a), static_cast<T>(value.b)};
  }
};

}  // namespace armilla::kernels
