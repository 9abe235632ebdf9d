#include <armilla/legendre/batch_stage.hpp>
#include <armilla/legendre/engine.hpp>
#include <armilla/legendre/ring_runs.hpp>
#include <armilla/legendre/scalar_kernel.hpp>
#include <armilla/legendre/scalar_tables.hpp>
#include <armilla/legendre/start_values.hpp>
#include <armilla/legendre/wigner_vectors.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace armilla::legendre {

namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// Spins up to this go through the scalar kernel, all above through the Wigner recurrence.
constexpr Index kMostSpin = 3;

// Errors of the scalar kernel relative to the rms of a field, eps = 2.2e-16:
// - dividing by sin^s costs eps / sin^s. Rings where that exceeds 5e-14 take the Wigner recurrence;
constexpr double kLossAllowed = 4.4e-3;
// - next to the poles and to the equator kTwoTerm loses some 0.4 and 0.1 eps sqrt(lmax) / angle (measured at lmax
// 4095). Rings where that exceeds 1e-12 take the Wigner recurrence and kEquator; they are few, and those at the poles
// feel few m;
constexpr double kNearPole = 1.5e-4;
constexpr double kNearEquator = 2e-5;
// - a rounding of the variable costs lmax eps, of -sin^2 less than of cos^2 where that one is the smaller of the two.
constexpr double kPolar = 0.70710678;

// Pairs from the pole to the equator, by the recurrence that they take; each part ends where the next begins.
struct Parts {
  Index wigner = 0;  // Wigner recurrence
  Index polar = 0;   // two terms in -sin^2
  Index square = 0;  // two terms in cos^2
  Index end = 0;     // the equator's form

  explicit Parts(const Task& task) : end(task.pairs()) {
    const auto pairs_below = [&](double sine) {
      const auto first = std::lower_bound(task.sin_theta.begin(), task.sin_theta.end(), sine);
      return static_cast<Index>(first - task.sin_theta.begin());
    };
    if (task.spin > kMostSpin) {
      wigner = polar = square = end;
      return;
    }
    const double root = std::sqrt(static_cast<double>(task.lmax));
    const double loss = task.spin == 0 ? 0.0 : std::pow(kLossAllowed, 1.0 / static_cast<double>(task.spin));
    wigner = pairs_below(std::max(kNearPole * root, loss));
    polar = std::max(wigner, pairs_below(kPolar));
    square = end;
    while (square > polar && std::abs(task.cos_theta[at(square - 1)]) < kNearEquator * root) --square;
  }
};

// Each half of Delta is divided by sin^s, the odd one multiplied by cos.
std::vector<double> half_factors(const Task& task, bool odd) {
  std::vector<double> factors;
  for (Index p = 0; p < task.pairs(); ++p) {
    const double divisor = task.spin == 0 ? 1.0 : std::pow(task.sin_theta[at(p)], -static_cast<double>(task.spin));
    factors.push_back(odd ? divisor * task.cos_theta[at(p)] : divisor);
  }
  return factors;
}

// Memory of one thread, kept from m to m.
struct Workspace final : EngineWorkspace {
  explicit Workspace(const DegreeTables& degrees) : tables(degrees) {}

  ScalarTables tables;
  core::AlignedVector<double> coefficients;  // [field][step][4]
  core::AlignedVector<double> equator;       // likewise
  core::AlignedVector<double> rings;         // [field][4][pair]
  core::AlignedVector<double> start, scale, variable;
  ScalarKernelWorkspace kernel;
  WignerWorkspace wigner;
  BatchWorkspace batch;
};

/// Ishioka's recurrence for all fields of an m at once; spins 1 to 3 are turned into scalar fields first.
template <class T>
class FastEngine final : public Engine<T> {
 public:
  using Complex = std::complex<T>;

  explicit FastEngine(Task task)
      : task_(task),
        parts_(task),
        runs_(task, half_factors(task, false), half_factors(task, true)),
        batch_(task, task.lmax + task.spin, half_factors(task, false), half_factors(task, true)),
        degrees_(task.spin <= kMostSpin ? task.spin : 0, task.lmax),
        wigner_(task, parts_.wigner),
        starts_(task.spin <= kMostSpin ? task.sin_theta : std::span<const double>(),
                task.m.empty() ? 0 : task.m.back()) {
    for (Index p = 0; p < task_.pairs(); ++p) {
      const double s = task_.sin_theta[at(p)];
      const double c = task_.cos_theta[at(p)];
      variable_.push_back(p < parts_.polar ? -s * s : c * c);
    }
  }

  Index count() const override { return static_cast<Index>(task_.m.size()); }
  std::unique_ptr<EngineWorkspace> make_workspace() const override { return std::make_unique<Workspace>(degrees_); }

  void synthesise(Index k, const Complex* alm, Complex* delta, EngineWorkspace& workspace) const override {
    auto& work = static_cast<Workspace&>(workspace);
    const Index first = task_.first_pair[at(k)];
    if (first < parts_.wigner) wigner_.synthesise(k, first, parts_.wigner, alm, delta, work.wigner);
    if (std::max(first, parts_.wigner) >= parts_.end) return;
    prepare(k, work);
    if (is_batch()) {
      const auto calls = [&](const auto& body) { for_each_scalar_call(k, work, body); };
      batch_.synthesise(k, calls, work.tables, alm, delta, work.batch);
      return;
    }
    make_room(work);
    for (Index map = 0; map < task_.maps; ++map) load(k, map, alm, work);
    for_each_call(k, [&](const Call& call) {
      const ScalarKernelTask kernel = kernel_task(k, call, work);
      work.rings.resize(at(kernel.pairs * task_.width() * 4));
      scalar_synthesis(kernel, form_coefficients(kernel, work), work.rings.data(), work.kernel);
      const auto unpack = [&](Index begin, Index end, Index place) {
        if (begin < end) runs_.unpack(task_, k, begin, end, kernel.pairs, work.rings.data() + place, delta);
      };
      unpack(call.begin, call.middle, 0);
      unpack(call.middle, call.end, kernel.low_pairs);
    });
  }

  void adjoin(Index k, const Complex* delta, Complex* alm, EngineWorkspace& workspace) const override {
    auto& work = static_cast<Workspace&>(workspace);
    const Index first = task_.first_pair[at(k)];
    if (std::max(first, parts_.wigner) < parts_.end) {
      prepare(k, work);
      if (is_batch()) {
        const auto calls = [&](const auto& body) { for_each_scalar_call(k, work, body); };
        batch_.adjoin(k, calls, work.tables, delta, alm, work.batch);
      } else {
        adjoin_fields(k, delta, alm, work);
      }
    } else {
      for (Index component = 0; component < task_.components; ++component)
        for (Index map = 0; map < task_.maps; ++map) {
          Complex* c = task_.coefficients(alm, k, component, map);
          std::fill(c + task_.m[at(k)], c + task_.lmax + 1, Complex(0));
        }
    }
    if (first < parts_.wigner) wigner_.adjoin(k, first, parts_.wigner, delta, alm, work.wigner);
  }

 private:
  bool is_batch() const { return task_.width() >= BatchStage<T>::kFewest; }

  void adjoin_fields(Index k, const Complex* delta, Complex* alm, Workspace& work) const {
    make_room(work);
    std::ranges::fill(work.coefficients, 0.0);
    for_each_call(k, [&](const Call& call) {
      const ScalarKernelTask kernel = kernel_task(k, call, work);
      work.rings.resize(at(kernel.pairs * task_.width() * 4));
      const auto pack = [&](Index begin, Index end, Index place, Index room) {
        if (begin < end) runs_.pack(task_, k, begin, end, kernel.pairs, room, delta, work.rings.data() + place);
      };
      pack(call.begin, call.middle, 0, kernel.low_pairs);
      pack(call.middle, call.end, kernel.low_pairs, kernel.pairs - kernel.low_pairs);
      if (kernel.form == ScalarForm::kEquator) {
        work.equator.assign(work.coefficients.size(), 0.0);
        scalar_adjoint(kernel, work.rings.data(), work.equator.data(), work.kernel);
        for (Index field = 0; field < task_.width(); ++field)
          work.tables.scale_equator(&work.equator[at(field * kernel.field_stride)], 4,
                                    &work.coefficients[at(field * kernel.field_stride)], true);
      } else {
        scalar_adjoint(kernel, work.rings.data(), work.coefficients.data(), work.kernel);
      }
    });
    for (Index map = 0; map < task_.maps; ++map) store(k, map, work, alm);
  }

  // Tables of one m.
  void prepare(Index k, Workspace& work) const { work.tables.set(task_.m[at(k)], parts_.square < parts_.end); }
  void make_room(Workspace& work) const { work.coefficients.resize(at(work.tables.field_stride() * task_.width())); }

  // One call of the scalar kernel: pairs begin .. middle - 1 in -sin^2, middle .. end - 1 in cos^2.
  struct Call {
    ScalarForm form;
    Index begin, middle, end;
  };

  // Calls body(call) for the pairs that feel own m number k; none is empty.
  template <class Body>
  void for_each_call(Index k, Body&& body) const {
    const Index first = std::max(parts_.wigner, task_.first_pair[at(k)]);
    if (first < parts_.square) body(Call{ScalarForm::kTwoTerm, first, std::max(parts_.polar, first), parts_.square});
    const Index equator = std::max(parts_.square, first);
    if (equator < parts_.end) body(Call{ScalarForm::kEquator, equator, equator, parts_.end});
  }

  template <class Body>
  void for_each_scalar_call(Index k, Workspace& work, const Body& body) const {
    for_each_call(k, [&](const Call& call) {
      body(ScalarCall{kernel_task(k, call, work), call.begin, call.middle, call.end});
    });
  }

  // Start values of one m at the pairs of a call.
  ScalarKernelTask kernel_task(Index k, const Call& call, Workspace& work) const {
    const auto padded = [](Index pairs) { return (pairs + kPairPadding - 1) / kPairPadding * kPairPadding; };
    const Index low = padded(call.middle - call.begin);
    const Index pairs = low + padded(call.end - call.middle);
    for (auto* array : {&work.variable, &work.start, &work.scale}) array->resize(at(pairs));
    const auto fill = [&](Index begin, Index end, Index place, Index room) {
      if (begin == end) return;
      std::copy(variable_.begin() + begin, variable_.begin() + end, work.variable.begin() + place);
      // y_0 = lambda_mm / (eps_{m+1} alpha_0), and alpha_0 = 1 / eps_{m+1}.
      starts_.get(task_.m[at(k)], begin, end - begin, work.start.data() + place, work.scale.data() + place);
      // Padded pairs go with the last real one, so that they hold nobody back.
      for (auto* array : {&work.variable, &work.start, &work.scale})
        std::fill(array->begin() + place + (end - begin), array->begin() + place + room,
                  (*array)[at(place + (end - begin) - 1)]);
    };
    fill(call.begin, call.middle, 0, low);
    fill(call.middle, call.end, low, pairs - low);
    const bool equator = call.form == ScalarForm::kEquator;
    return {.form = call.form,
            .steps = work.tables.steps(),
            .fields = task_.width(),
            .field_stride = work.tables.field_stride(),
            .pairs = pairs,
            .low_pairs = low,
            .low_count = call.middle - call.begin,
            .count = call.end - call.middle,
            .rows_low = work.tables.rows_polar(),
            .rows = equator ? work.tables.rows_equator() : work.tables.rows(),
            .x2 = work.variable.data(),
            .start = work.start.data(),
            .start_scale = work.scale.data()};
  }

  // Coefficients for the form of a kernel task.
  const double* form_coefficients(const ScalarKernelTask& kernel, Workspace& work) const {
    if (kernel.form != ScalarForm::kEquator) return work.coefficients.data();
    work.equator.resize(work.coefficients.size());
    for (Index field = 0; field < task_.width(); ++field)
      work.tables.scale_equator(&work.coefficients[at(field * kernel.field_stride)], 4,
                                &work.equator[at(field * kernel.field_stride)], false);
    return work.equator.data();
  }

  double* field(Index component, Index map, Workspace& work) const {
    return &work.coefficients[at((component * task_.maps + map) * work.tables.field_stride())];
  }

  void load(Index k, Index map, const Complex* alm, Workspace& work) const {
    const Complex* c = task_.coefficients(alm, k, 0, map);
    if (task_.spin == 0)
      work.tables.load(c, field(0, map, work));
    else
      work.tables.load(c, task_.coefficients(alm, k, 1, map), field(0, map, work), field(1, map, work));
  }

  void store(Index k, Index map, Workspace& work, Complex* alm) const {
    Complex* c = task_.coefficients(alm, k, 0, map);
    if (task_.spin == 0)
      work.tables.store(field(0, map, work), c);
    else
      work.tables.store(field(0, map, work), field(1, map, work), c, task_.coefficients(alm, k, 1, map));
  }

  Task task_;
  Parts parts_;
  RingRuns runs_;
  BatchStage<T> batch_;
  DegreeTables degrees_;
  WignerVectors<T> wigner_;
  StartValues starts_;
  std::vector<double> variable_;  ///< [pair] -sin^2 up to parts_.polar, then cos^2
};

}  // namespace

template <class T>
std::unique_ptr<Engine<T>> make_fast_engine(Task task) {
  return std::make_unique<FastEngine<T>>(std::move(task));
}

template std::unique_ptr<Engine<float>> make_fast_engine<float>(Task);
template std::unique_ptr<Engine<double>> make_fast_engine<double>(Task);

}  // namespace armilla::legendre
