#include <armilla/core/instantiate.hpp>
#include <armilla/legendre/ring_values.hpp>
#include <armilla/legendre/wigner_stage.hpp>
#include <armilla/math/spin.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace armilla::legendre {

namespace {

using core::at;

template <class Real>
using Lanes = std::array<Real, kLanes>;

// Sums over l of one component and map at kLanes pairs: [0] is the part that is even under reflection, [1] the odd
// part.
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

// Sums over rings for one degree, by lane; the lanes are added once per m.
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

// The data of one block of pairs for one m.
template <class Real>
struct Block {
  const Task& task;
  Index k;
  math::Extended<long double> norm;
  const StepTable<Real>& table;
  Index pair;
  Index count;

  PairBlock<Real> start() const {
    return PairBlock<Real>(task.spin, task.m[at(k)], norm, &task.cos_theta[at(pair)], &task.sin_theta[at(pair)], count);
  }
  template <class T>
  const std::complex<T>* coefficients(const std::complex<T>* alm, Index component, Index map) const {
    return alm + map * task.map_stride + component * task.component_stride + task.alm_offset[at(k)];
  }
  int parity(Index l) const { return math::parity(l, task.m[at(k)], task.spin); }
};

template <class T, class Real>
void add_degree(const Block<Real>& b, Index l, const std::complex<T>* alm, const Lanes<Real>& same,
                const Lanes<Real>& mixed, std::vector<RingSums<Real>>& sums) {
  const int p = b.parity(l);
  for (Index map = 0; map < b.task.maps; ++map) {
    if (b.task.spin == 0) {
      const auto a = b.coefficients(alm, 0, map)[l];
      add(sums[at(map)].re[p], a.real(), same);
      add(sums[at(map)].im[p], a.imag(), same);
      continue;
    }
    const auto e = b.coefficients(alm, 0, map)[l];
    const auto c = b.coefficients(alm, 1, map)[l];
    RingSums<Real>& q = sums[at(map)];
    RingSums<Real>& u = sums[at(b.task.maps + map)];
    add(q.re[p], e.real(), same);
    add(q.im[p], e.imag(), same);
    add(q.re[1 - p], -static_cast<double>(c.imag()), mixed);
    add(q.im[1 - p], c.real(), mixed);
    add(u.re[p], c.real(), same);
    add(u.im[p], c.imag(), same);
    add(u.re[1 - p], e.imag(), mixed);
    add(u.im[1 - p], -static_cast<double>(e.real()), mixed);
  }
}

template <class T, class Real>
void synthesise_block(const Block<Real>& b, const std::complex<T>* alm, std::complex<T>* delta,
                      std::vector<RingSums<Real>>& sums) {
  std::fill(sums.begin(), sums.end(), RingSums<Real>{});
  PairBlock<Real> functions = b.start();
  alignas(64) Lanes<Real> same{};
  alignas(64) Lanes<Real> mixed{};
  for (Index l = b.table.lowest; l <= b.task.lmax; ++l) {
    if (!functions.all_below()) {
      functions.functions(same, mixed);
      add_degree(b, l, alm, same, mixed, sums);
    }
    if (l < b.task.lmax) functions.advance(b.table.steps[at(l - b.table.lowest)]);
  }
  for (Index i = 0; i < b.count; ++i)
    for (Index w = 0; w < b.task.width(); ++w) {
      const RingSums<Real>& s = sums[at(w)];
      const auto [even_re, odd_re] = std::pair(s.re[0][at(i)], s.re[1][at(i)]);
      const auto [even_im, odd_im] = std::pair(s.im[0][at(i)], s.im[1][at(i)]);
      store_rings<T>(b.task, delta, b.k, b.pair + i, w,
                     {{static_cast<T>(even_re + odd_re), static_cast<T>(even_im + odd_im)},
                      {static_cast<T>(even_re - odd_re), static_cast<T>(even_im - odd_im)}});
    }
}

// Sums and differences of Delta at the two rings of each pair, by which even and odd functions are multiplied.
template <class T, class Real>
void load_block(const Block<Real>& b, const std::complex<T>* delta, std::vector<RingSums<Real>>& rings) {
  std::fill(rings.begin(), rings.end(), RingSums<Real>{});
  for (Index i = 0; i < b.count; ++i)
    for (Index w = 0; w < b.task.width(); ++w) {
      const auto [n, s] = load_rings<T>(b.task, delta, b.k, b.pair + i, w);
      RingSums<Real>& sums = rings[at(w)];
      sums.re[0][at(i)] = static_cast<Real>(n.real()) + static_cast<Real>(s.real());
      sums.im[0][at(i)] = static_cast<Real>(n.imag()) + static_cast<Real>(s.imag());
      sums.re[1][at(i)] = static_cast<Real>(n.real()) - static_cast<Real>(s.real());
      sums.im[1][at(i)] = static_cast<Real>(n.imag()) - static_cast<Real>(s.imag());
    }
}

template <class Real>
void add_rings(const Block<Real>& b, Index l, const std::vector<RingSums<Real>>& rings, const Lanes<Real>& same,
               const Lanes<Real>& mixed, DegreeSums* degree) {
  const int p = b.parity(l);
  for (Index map = 0; map < b.task.maps; ++map) {
    const RingSums<Real>& q = rings[at(map)];
    DegreeSums& e = degree[map];
    add(e.re, same, q.re[p]);
    add(e.im, same, q.im[p]);
    if (b.task.spin == 0) continue;
    const RingSums<Real>& u = rings[at(b.task.maps + map)];
    DegreeSums& c = degree[b.task.maps + map];
    subtract(e.re, mixed, u.im[1 - p]);
    add(e.im, mixed, u.re[1 - p]);
    add(c.re, same, u.re[p]);
    add(c.im, same, u.im[p]);
    add(c.re, mixed, q.im[1 - p]);
    subtract(c.im, mixed, q.re[1 - p]);
  }
}

template <class T, class Real>
void apply_adjoint_block(const Block<Real>& b, const std::complex<T>* delta, std::vector<DegreeSums>& sums,
                         std::vector<RingSums<Real>>& rings) {
  load_block(b, delta, rings);
  PairBlock<Real> functions = b.start();
  alignas(64) Lanes<Real> same{};
  alignas(64) Lanes<Real> mixed{};
  for (Index l = b.table.lowest; l <= b.task.lmax; ++l) {
    if (!functions.all_below()) {
      functions.functions(same, mixed);
      add_rings(b, l, rings, same, mixed, &sums[at((l - b.table.lowest) * b.task.width())]);
    }
    if (l < b.task.lmax) functions.advance(b.table.steps[at(l - b.table.lowest)]);
  }
}

}  // namespace

template <class T>
WignerStage<T>::WignerStage(Task task, double near_pole) : task_(std::move(task)) {
  while (near_pole_pairs_ < task_.pairs() && task_.sin_theta[at(near_pole_pairs_)] < near_pole) ++near_pole_pairs_;
}

// Calls work(block) for the pairs near the poles and for the others, kLanes at a time.
template <class T>
template <class Work>
void WignerStage<T>::over_pairs(Index k, Index begin, Index end, Work&& work) const {
  const Index m = task_.m[at(k)];
  const auto norm = math::wigner_start_norm(task_.spin, m);
  const auto over = [&]<class Real>(Index first, Index last, Real) {
    if (first >= last) return;
    const StepTable<Real> table(task_.spin, m, task_.lmax);
    for (Index pair = first; pair < last; pair += kLanes)
      work(Block<Real>{task_, k, norm, table, pair, std::min<Index>(kLanes, last - pair)});
  };
  const Index middle = std::clamp(near_pole_pairs_, begin, std::max(begin, end));
  over(begin, middle, 0.0L);
  over(middle, end, 0.0);
}

template <class T>
void WignerStage<T>::synthesise(Index k, Index begin, Index end, const Complex* alm, Complex* delta) const {
  over_pairs(k, begin, end, [&]<class Real>(const Block<Real>& block) {
    std::vector<RingSums<Real>> sums(at(task_.width()));
    synthesise_block(block, alm, delta, sums);
  });
}

template <class T>
void WignerStage<T>::apply_adjoint(Index k, Index begin, Index end, const Complex* delta,
                                   std::vector<std::complex<double>>& sums) const {
  std::vector<DegreeSums> lanes(at(degrees(k) * task_.width()));
  over_pairs(k, begin, end, [&]<class Real>(const Block<Real>& block) {
    std::vector<RingSums<Real>> rings(at(task_.width()));
    apply_adjoint_block(block, delta, lanes, rings);
  });
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    double re = 0;
    double im = 0;
    for (int lane = 0; lane < kLanes; ++lane) {
      re += lanes[i].re[at(lane)];
      im += lanes[i].im[at(lane)];
    }
    sums[i] += std::complex<double>(re, im);
  }
}

ARMILLA_INSTANTIATE_CLASS(WignerStage);

}  // namespace armilla::legendre
