#include <armilla/legendre/engine.hpp>
#include <armilla/legendre/ring_values.hpp>
#include <armilla/legendre/scalar_kernel.hpp>
#include <armilla/legendre/start_values.hpp>
#include <armilla/legendre/store_coefficients.hpp>
#include <armilla/legendre/wigner_stage.hpp>
#include <armilla/legendre/wigner_vectors.hpp>
#include <armilla/math/ishioka.hpp>
#include <armilla/math/spin_bands.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace armilla::legendre {

namespace {

using Complex64 = std::complex<double>;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// Spins up to this go through the scalar kernel, all above through the Wigner recurrence.
constexpr Index kMostSpin = 3;

// Dividing by sin^s costs eps / sin^s of the rms of the field: rings where that exceeds 1e-14 take the Wigner
// recurrence.
constexpr double kLossAllowed = 0.0222;  // 2.2e-16 / 1e-14
// Rings nearer to a pole than this run the scalar recurrence in -sin^2(theta), the others in cos^2(theta).
constexpr double kPolar = 0.5;
// Next to the poles the two-step recurrence loses like l^2 eps / theta in either variable: there, scalars take the
// Wigner recurrence, which is in 1 - cos(theta). These rings feel few m.
constexpr double kNearPole = 0.004;
// Nearer than this, where a grid has a ring or two, it runs in long double for all spins.
constexpr double kAtPole = 2e-4;

// Memory of one thread, kept from m to m.
struct Workspace final : EngineWorkspace {
  math::IshiokaTable table;
  math::SpinBands plus, minus;  // for m and for -m
  std::vector<Complex64> up, down;
  std::vector<double> coefficients;  // [step][field][4]
  std::vector<double> rings;         // [field][4][pair]
  std::vector<double> variable, start, scale;
  std::vector<double> lanes;
  WignerWorkspace wigner;
};

/// Ishioka's recurrence for all fields of an m at once; spins 1 to 3 are turned into scalar fields first.
template <class T>
class FastEngine final : public Engine<T> {
 public:
  using Complex = std::complex<T>;

  explicit FastEngine(Task task)
      : task_(task),
        wigner_(task, kAtPole),
        vectors_(task),
        starts_(task.sin_theta, task.m.empty() ? 0 : task.m.back()),
        scalar_lmax_(task.lmax + (task.spin <= kMostSpin ? task.spin : 0)) {
    const double limit = task_.spin == 0           ? 0.0
                         : task_.spin <= kMostSpin ? std::pow(kLossAllowed, 1.0 / static_cast<double>(task_.spin))
                                                   : 2.0;
    const double near = task_.spin == 0 ? kNearPole : kAtPole;
    while (near_pole_pairs_ < task_.pairs() && task_.sin_theta[at(near_pole_pairs_)] < near) ++near_pole_pairs_;
    while (polar_pairs_ < task_.pairs() && task_.sin_theta[at(polar_pairs_)] < kPolar) ++polar_pairs_;
    while (wigner_pairs_ < task_.pairs() && task_.sin_theta[at(wigner_pairs_)] < limit) ++wigner_pairs_;
    for (Index p = 0; p < task_.pairs(); ++p) {
      const double s = task_.sin_theta[at(p)];
      const double c = task_.cos_theta[at(p)];
      variable_.push_back(s < kPolar ? -s * s : c * c);
      divisor_.push_back(task_.spin == 0 ? 1.0 : std::pow(s, -static_cast<double>(task_.spin)));
    }
  }

  Index count() const override { return static_cast<Index>(task_.m.size()); }
  std::unique_ptr<EngineWorkspace> make_workspace() const override { return std::make_unique<Workspace>(); }

  void synthesise(Index k, const Complex* alm, Complex* delta, EngineWorkspace& workspace) const override {
    auto& work = static_cast<Workspace&>(workspace);
    const auto [first, near, middle] = ranges(k);
    wigner_.synthesise(k, first, near, alm, delta);
    if (near < middle) vectors_.synthesise(k, near, middle, alm, delta, work.wigner);
    if (middle == task_.pairs()) return;
    prepare(k, work);
    for (Index map = 0; map < task_.maps; ++map) load_coefficients(k, map, alm, work);
    for (const auto& [begin, end] : scalar_ranges(middle)) {
      const ScalarKernelTask kernel = kernel_task(k, begin, end, work);
      scalar_synthesis(kernel, work.coefficients.data(), work.rings.data());
      unpack_halves(task_, k, begin, end, kernel.pairs, work.rings.data(), factors(), delta);
    }
  }

  void adjoin(Index k, const Complex* delta, Complex* alm, EngineWorkspace& workspace) const override {
    auto& work = static_cast<Workspace&>(workspace);
    const auto [first, near, middle] = ranges(k);
    std::vector<Complex64> sums(at(wigner_.degrees(k) * task_.width()));
    if (first < near) wigner_.adjoin(k, first, near, delta, sums);
    if (near < middle) vectors_.adjoin(k, near, middle, delta, sums, work.wigner);
    if (middle < task_.pairs()) {
      prepare(k, work);
      for (const auto& [begin, end] : scalar_ranges(middle)) {
        const ScalarKernelTask kernel = kernel_task(k, begin, end, work);
        pack_halves(task_, k, begin, end, kernel.pairs, delta, factors(), work.rings.data());
        scalar_adjoint(kernel, work.rings.data(), work.coefficients.data(), work.lanes);
        for (Index map = 0; map < task_.maps; ++map) add_coefficients(k, map, work, sums);
      }
    }
    store_coefficients(task_, k, wigner_.lowest(k), sums, alm);
  }

 private:
  // Pairs from first on take the plain Wigner recurrence, from near on the same in vectors (spins), from middle on the
  // scalar kernel.
  struct Ranges {
    Index first, near, middle;
  };
  Ranges ranges(Index k) const {
    const Index first = task_.first_pair[at(k)];
    const Index near = std::max(first, near_pole_pairs_);
    return {first, near, std::max(near, wigner_pairs_)};
  }

  // The scalar kernel's pairs in at most two ranges, those of the polar variable first; none empty.
  std::vector<std::pair<Index, Index>> scalar_ranges(Index middle) const {
    std::vector<std::pair<Index, Index>> ranges;
    const Index split = std::max(middle, polar_pairs_);
    if (middle < split) ranges.emplace_back(middle, split);
    if (split < task_.pairs()) ranges.emplace_back(split, task_.pairs());
    return ranges;
  }

  // Tables of one m, and room for its coefficients.
  void prepare(Index k, Workspace& work) const {
    const Index m = task_.m[at(k)];
    work.table.set(m, scalar_lmax_);
    if (task_.spin > 0) {
      work.plus.set(task_.spin, m, task_.lmax);
      work.minus.set(task_.spin, -m, task_.lmax);
    }
    work.coefficients.resize(at(work.table.steps() * task_.width() * 4));
  }

  // Start values of one m at pairs begin .. end - 1, which share a variable, and room for their rings.
  ScalarKernelTask kernel_task(Index k, Index begin, Index end, Workspace& work) const {
    const Index pairs = end - begin;
    const Index padded = (pairs + kPairPadding - 1) / kPairPadding * kPairPadding;
    for (auto* array : {&work.variable, &work.start, &work.scale}) array->resize(at(padded));
    std::copy_n(variable_.begin() + begin, pairs, work.variable.begin());
    // y_0 = lambda_mm / (eps_{m+1} alpha_0), and alpha_0 = 1 / eps_{m+1}.
    starts_.get(task_.m[at(k)], begin, pairs, work.start.data(), work.scale.data());
    // Padded pairs go with the last real one, so that they hold nobody back.
    for (auto* array : {&work.variable, &work.start, &work.scale})
      std::fill(array->begin() + pairs, array->end(), (*array)[at(pairs - 1)]);
    work.rings.resize(at(padded * task_.width() * 4));
    return {.steps = work.table.steps(),
            .fields = task_.width(),
            .pairs = padded,
            .ab = begin < polar_pairs_ ? work.table.ab_polar.data() : work.table.ab.data(),
            .x2 = work.variable.data(),
            .start = work.start.data(),
            .start_scale = work.scale.data()};
  }

  const Complex* coefficients(const Complex* alm, Index k, Index component, Index map) const {
    return alm + map * task_.map_stride + component * task_.component_stride + task_.alm_offset[at(k)];
  }

  // Coefficients of one map into the kernel's form, one field for a scalar, two for a spin.
  void load_coefficients(Index k, Index map, const Complex* alm, Workspace& work) const {
    const Index m = task_.m[at(k)];
    const Index stride = 4 * task_.width();
    const auto transform = [&](const std::vector<Complex64>& c, Index field) {
      work.table.transform(std::span(c).subspan(at(m)), work.coefficients.data() + 4 * field, stride);
    };
    work.up.assign(at(scalar_lmax_ + 1), 0.0);
    const Complex* e = coefficients(alm, k, 0, map);
    if (task_.spin == 0) {
      for (Index l = m; l <= task_.lmax; ++l) work.up[at(l)] = Complex64(e[l]);
      transform(work.up, map);
      return;
    }
    // c+ of E + i B for spin s, c- of E - i B for spin -s, which is spin s of -m; then Q = -(c+ + c-) / 2 and
    // U = i (c+ - c-) / 2 (math/spin.hpp).
    work.down.assign(at(scalar_lmax_ + 1), 0.0);
    const Complex* b = coefficients(alm, k, 1, map);
    for (Index l = wigner_.lowest(k); l <= task_.lmax; ++l) {
      const Complex64 ib = Complex64(-b[l].imag(), b[l].real());
      work.up[at(l)] = Complex64(e[l]) + ib;
      work.down[at(l)] = Complex64(e[l]) - ib;
    }
    work.plus.lower(work.up);
    work.minus.lower(work.down);
    for (Index l = m; l <= scalar_lmax_; ++l) {
      const Complex64 sum = work.up[at(l)] + work.down[at(l)];
      const Complex64 difference = work.up[at(l)] - work.down[at(l)];
      work.up[at(l)] = -0.5 * sum;
      work.down[at(l)] = Complex64(-0.5 * difference.imag(), 0.5 * difference.real());
    }
    transform(work.up, map);
    transform(work.down, task_.maps + map);
  }

  // The transpose of load_coefficients, added to sums [l - lowest][component, map].
  void add_coefficients(Index k, Index map, Workspace& work, std::vector<Complex64>& sums) const {
    const Index m = task_.m[at(k)];
    const Index lowest = wigner_.lowest(k);
    const Index stride = 4 * task_.width();
    const auto transpose = [&](Index field, std::vector<Complex64>& c) {
      c.resize(at(scalar_lmax_ + 1));
      work.table.transpose(work.coefficients.data() + 4 * field, stride, std::span(c).subspan(at(m)));
    };
    transpose(map, work.up);
    if (task_.spin == 0) {
      for (Index l = m; l <= task_.lmax; ++l) sums[at((l - lowest) * task_.width() + map)] += work.up[at(l)];
      return;
    }
    transpose(task_.maps + map, work.down);
    for (Index l = m; l <= scalar_lmax_; ++l) {
      const Complex64 q = work.up[at(l)];
      const Complex64 iu = Complex64(-work.down[at(l)].imag(), work.down[at(l)].real());
      work.up[at(l)] = -0.5 * (q + iu);
      work.down[at(l)] = -0.5 * (q - iu);
    }
    work.plus.raise(work.up);
    work.minus.raise(work.down);
    for (Index l = lowest; l <= task_.lmax; ++l) {
      const Complex64 sum = work.up[at(l)] + work.down[at(l)];
      const Complex64 difference = work.up[at(l)] - work.down[at(l)];
      Complex64* out = &sums[at((l - lowest) * task_.width())];
      out[map] += sum;
      out[task_.maps + map] += Complex64(difference.imag(), -difference.real());
    }
  }

  // Each half of Delta is divided by sin^s, the odd one multiplied by cos.
  auto factors() const {
    return [this](Index pair) {
      return HalfFactors{divisor_[at(pair)], divisor_[at(pair)] * task_.cos_theta[at(pair)]};
    };
  }

  Task task_;
  WignerStage<T> wigner_;
  WignerVectors<T> vectors_;
  StartValues starts_;
  Index scalar_lmax_;
  Index near_pole_pairs_ = 0;
  Index wigner_pairs_ = 0;
  Index polar_pairs_ = 0;
  std::vector<double> variable_;  ///< [pair] -sin^2 of the first polar_pairs_, cos^2 of the others
  std::vector<double> divisor_;   ///< [pair] 1 / sin^spin
};

}  // namespace

template <class T>
std::unique_ptr<Engine<T>> make_fast_engine(Task task) {
  return std::make_unique<FastEngine<T>>(std::move(task));
}

template std::unique_ptr<Engine<float>> make_fast_engine<float>(Task);
template std::unique_ptr<Engine<double>> make_fast_engine<double>(Task);

}  // namespace armilla::legendre
