#include <armilla/legendre/engine.hpp>
#include <armilla/legendre/pair_block.hpp>
#include <armilla/math/spin.hpp>

#include <atomic>
#include <cstddef>
#include <utility>

#include <omp.h>

namespace armilla::legendre {

namespace {

// Below this sine the recurrence runs in long double: roundings of double grow like l^2 eps / (l sin(theta)) there.
// These rings feel few m, so this is about a thousandth of the work.
constexpr double kNearPole = 0.05;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

template <class Real>
using Lanes = std::array<Real, kLanes>;

// Sums of one component and map over l, at kLanes pairs: part that is even and part that is odd under the mirror.
template <class Real>
struct RingSums {
  Lanes<Real> re[2]{};
  Lanes<Real> im[2]{};
};

template <class Real>
void add(Lanes<Real>& sum, double factor, const Lanes<Real>& function) {
  const Real f = static_cast<Real>(factor);
#pragma omp simd
  for (int i = 0; i < kLanes; ++i) sum[i] += f * function[i];
}

// Sums over the rings of one degree, lane by lane; they are added up over the lanes once per m.
struct DegreeSums {
  Lanes<double> re{};
  Lanes<double> im{};
};

template <class Real>
void add(Lanes<double>& sum, const Lanes<Real>& function, const Lanes<Real>& delta) {
#pragma omp simd
  for (int i = 0; i < kLanes; ++i) sum[i] += static_cast<double>(function[i] * delta[i]);
}

template <class Real>
void subtract(Lanes<double>& sum, const Lanes<Real>& function, const Lanes<Real>& delta) {
#pragma omp simd
  for (int i = 0; i < kLanes; ++i) sum[i] -= static_cast<double>(function[i] * delta[i]);
}

template <class T>
class ReferenceEngine final : public Engine<T> {
 public:
  using Complex = std::complex<T>;

  explicit ReferenceEngine(Task task) : task_(std::move(task)) {
    while (near_pole_pairs_ < task_.pairs() && task_.sin_theta[at(near_pole_pairs_)] < kNearPole) ++near_pole_pairs_;
  }

  void synthesis(const Complex* alm, Complex* delta, const Progress& progress) const override {
    for_each_m(progress, [&](Index k) {
      const auto norm = math::wigner_start_norm(task_.spin, task_.m[at(k)]);
      over_pairs(k, [&]<class Real>(const StepTable<Real>& table, Index begin, Index end) {
        std::vector<RingSums<Real>> sums(at(task_.width()));
        for (Index pair = begin; pair < end; pair += kLanes)
          synthesise_block(k, norm, table, pair, std::min<Index>(kLanes, end - pair), alm, delta, sums);
      });
    });
  }

  void adjoint(const Complex* delta, Complex* alm, const Progress& progress) const override {
    for_each_m(progress, [&](Index k) {
      const Index m = task_.m[at(k)];
      const auto norm = math::wigner_start_norm(task_.spin, m);
      const Index lowest = math::lowest_degree(task_.spin, m);
      const Index degrees = std::max<Index>(0, task_.lmax - lowest + 1);
      std::vector<DegreeSums> sums(at(degrees * task_.width()));
      over_pairs(k, [&]<class Real>(const StepTable<Real>& table, Index begin, Index end) {
        std::vector<RingSums<Real>> rings(at(task_.width()));
        for (Index pair = begin; pair < end; pair += kLanes)
          adjoin_block(k, norm, table, pair, std::min<Index>(kLanes, end - pair), delta, sums, rings);
      });
      store_coefficients(k, lowest, sums, alm);
    });
  }

 private:
  // Own m are ascending, so the longest come first and the last threads finish with short ones.
  template <class Work>
  void for_each_m(const Progress& progress, Work&& work) const {
    const auto count = static_cast<Index>(task_.m.size());
    std::atomic<Index> done{0};
#pragma omp parallel for schedule(dynamic, 1)
    for (Index k = 0; k < count; ++k) {
      work(k);
      const Index finished = ++done;
      if (progress && omp_get_thread_num() == 0) progress(static_cast<double>(finished) / static_cast<double>(count));
    }
  }

  // Calls work(table, begin, end) for the pairs next to the poles and for the others.
  template <class Work>
  void over_pairs(Index k, Work&& work) const {
    const Index m = task_.m[at(k)];
    const Index first = task_.first_pair[at(k)];
    const Index middle = std::max(first, near_pole_pairs_);
    if (first < middle) work(StepTable<long double>(task_.spin, m, task_.lmax), first, middle);
    if (middle < task_.pairs()) work(StepTable<double>(task_.spin, m, task_.lmax), middle, task_.pairs());
  }

  const Complex* coefficients(const Complex* alm, Index k, Index component, Index map) const {
    return alm + map * task_.map_stride + component * task_.component_stride + task_.alm_offset[at(k)];
  }

  template <class Real>
  void synthesise_block(Index k, math::Extended<long double> norm, const StepTable<Real>& table, Index pair,
                        Index count, const Complex* alm, Complex* delta, std::vector<RingSums<Real>>& sums) const {
    const Index m = task_.m[at(k)];
    std::fill(sums.begin(), sums.end(), RingSums<Real>{});
    PairBlock<Real> block(task_.spin, m, norm, &task_.cos_theta[at(pair)], &task_.sin_theta[at(pair)], count);
    alignas(64) Lanes<Real> same{};
    alignas(64) Lanes<Real> mixed{};
    for (Index l = table.lowest; l <= task_.lmax; ++l) {
      if (!block.all_below()) {
        block.functions(same, mixed);
        const int p = math::parity(l, m, task_.spin);
        for (Index map = 0; map < task_.maps; ++map) {
          if (task_.spin == 0) {
            const Complex a = coefficients(alm, k, 0, map)[l];
            add(sums[at(map)].re[p], a.real(), same);
            add(sums[at(map)].im[p], a.imag(), same);
          } else {
            const Complex e = coefficients(alm, k, 0, map)[l];
            const Complex b = coefficients(alm, k, 1, map)[l];
            RingSums<Real>& q = sums[at(map)];
            RingSums<Real>& u = sums[at(task_.maps + map)];
            add(q.re[p], e.real(), same);
            add(q.im[p], e.imag(), same);
            add(q.re[1 - p], -static_cast<double>(b.imag()), mixed);
            add(q.im[1 - p], b.real(), mixed);
            add(u.re[p], b.real(), same);
            add(u.im[p], b.imag(), same);
            add(u.re[1 - p], e.imag(), mixed);
            add(u.im[1 - p], -static_cast<double>(e.real()), mixed);
          }
        }
      }
      if (l < task_.lmax) block.advance(table.steps[at(l - table.lowest)]);
    }
    store_rings(k, pair, count, sums, delta);
  }

  template <class Real>
  void store_rings(Index k, Index pair, Index count, const std::vector<RingSums<Real>>& sums, Complex* delta) const {
    for (Index i = 0; i < count; ++i) {
      const Index north = task_.north_slot[at(pair + i)];
      const Index south = task_.south_slot[at(pair + i)];
      for (Index w = 0; w < task_.width(); ++w) {
        const RingSums<Real>& s = sums[at(w)];
        const auto [even_re, odd_re] = std::pair(s.re[0][at(i)], s.re[1][at(i)]);
        const auto [even_im, odd_im] = std::pair(s.im[0][at(i)], s.im[1][at(i)]);
        if (north >= 0)
          delta[task_.delta_position(k, pair + i, north) + w] = {static_cast<T>(even_re + odd_re),
                                                                 static_cast<T>(even_im + odd_im)};
        if (south >= 0)
          delta[task_.delta_position(k, pair + i, south) + w] = {static_cast<T>(even_re - odd_re),
                                                                 static_cast<T>(even_im - odd_im)};
      }
    }
  }

  // Sums and differences of the two rings of each pair: what even and odd functions meet.
  template <class Real>
  void load_rings(Index k, Index pair, Index count, const Complex* delta, std::vector<RingSums<Real>>& rings) const {
    std::fill(rings.begin(), rings.end(), RingSums<Real>{});
    for (Index i = 0; i < count; ++i) {
      const Index north = task_.north_slot[at(pair + i)];
      const Index south = task_.south_slot[at(pair + i)];
      for (Index w = 0; w < task_.width(); ++w) {
        const Complex n = north >= 0 ? delta[task_.delta_position(k, pair + i, north) + w] : Complex(0);
        const Complex s = south >= 0 ? delta[task_.delta_position(k, pair + i, south) + w] : Complex(0);
        RingSums<Real>& sums = rings[at(w)];
        sums.re[0][at(i)] = static_cast<Real>(n.real()) + static_cast<Real>(s.real());
        sums.im[0][at(i)] = static_cast<Real>(n.imag()) + static_cast<Real>(s.imag());
        sums.re[1][at(i)] = static_cast<Real>(n.real()) - static_cast<Real>(s.real());
        sums.im[1][at(i)] = static_cast<Real>(n.imag()) - static_cast<Real>(s.imag());
      }
    }
  }

  template <class Real>
  void adjoin_block(Index k, math::Extended<long double> norm, const StepTable<Real>& table, Index pair, Index count,
                    const Complex* delta, std::vector<DegreeSums>& sums, std::vector<RingSums<Real>>& rings) const {
    const Index m = task_.m[at(k)];
    load_rings(k, pair, count, delta, rings);
    PairBlock<Real> block(task_.spin, m, norm, &task_.cos_theta[at(pair)], &task_.sin_theta[at(pair)], count);
    alignas(64) Lanes<Real> same{};
    alignas(64) Lanes<Real> mixed{};
    for (Index l = table.lowest; l <= task_.lmax; ++l) {
      if (!block.all_below()) {
        block.functions(same, mixed);
        const int p = math::parity(l, m, task_.spin);
        DegreeSums* degree = &sums[at((l - table.lowest) * task_.width())];
        for (Index map = 0; map < task_.maps; ++map) {
          const RingSums<Real>& q = rings[at(map)];
          DegreeSums& e = degree[map];
          add(e.re, same, q.re[p]);
          add(e.im, same, q.im[p]);
          if (task_.spin == 0) continue;
          const RingSums<Real>& u = rings[at(task_.maps + map)];
          DegreeSums& b = degree[task_.maps + map];
          subtract(e.re, mixed, u.im[1 - p]);
          add(e.im, mixed, u.re[1 - p]);
          add(b.re, same, u.re[p]);
          add(b.im, same, u.im[p]);
          add(b.re, mixed, q.im[1 - p]);
          subtract(b.im, mixed, q.re[1 - p]);
        }
      }
      if (l < task_.lmax) block.advance(table.steps[at(l - table.lowest)]);
    }
  }

  void store_coefficients(Index k, Index lowest, const std::vector<DegreeSums>& sums, Complex* alm) const {
    const Index m = task_.m[at(k)];
    for (Index component = 0; component < task_.components; ++component) {
      for (Index map = 0; map < task_.maps; ++map) {
        Complex* out = alm + (coefficients(alm, k, component, map) - alm);
        for (Index l = m; l < std::min(lowest, task_.lmax + 1); ++l) out[l] = 0;
        for (Index l = lowest; l <= task_.lmax; ++l) {
          const DegreeSums& sum = sums[at((l - lowest) * task_.width() + component * task_.maps + map)];
          double re = 0;
          double im = 0;
          for (int i = 0; i < kLanes; ++i) {
            re += sum.re[at(i)];
            im += sum.im[at(i)];
          }
          out[l] = {static_cast<T>(re), static_cast<T>(im)};
        }
      }
    }
  }

  Task task_;
  Index near_pole_pairs_ = 0;
};

}  // namespace

template <class T>
std::unique_ptr<Engine<T>> make_reference_engine(Task task) {
  return std::make_unique<ReferenceEngine<T>>(std::move(task));
}

template std::unique_ptr<Engine<float>> make_reference_engine<float>(Task);
template std::unique_ptr<Engine<double>> make_reference_engine<double>(Task);

}  // namespace armilla::legendre
