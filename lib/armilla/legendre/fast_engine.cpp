#include <armilla/legendre/engine.hpp>
#include <armilla/legendre/map_vector_stage.hpp>
#include <armilla/legendre/pair_parts.hpp>
#include <armilla/legendre/ring_vector_stage.hpp>
#include <armilla/legendre/scalar_kernel.hpp>
#include <armilla/legendre/scalar_tables.hpp>
#include <armilla/legendre/start_values.hpp>
#include <armilla/legendre/wigner_vectors.hpp>

#include <algorithm>
#include <utility>

namespace armilla::legendre {

namespace {

using core::at;

// Memory of one thread, reused for all m.
struct Workspace final : EngineWorkspace {
  explicit Workspace(const DegreeTables& degrees) : tables(degrees) {}

  ScalarTables tables;
  Index m = -1;  // the m of the tables; -1: none
  core::AlignedVector<double> start, scale, variable;
  BatchWorkspace batch;
  FewWorkspace few;
  WignerWorkspace wigner;
};

// Number of maps of a batch that use panels: those that fill panels, and a remainder of three after full panels.
// RingVectorStage transforms the others.
Index maps_of_panels(const Task& task) {
  const Index panel = kPanelFields / task.components;
  const Index rest = task.maps % panel;
  return rest == 3 && task.maps > panel ? task.maps : task.maps - rest;
}

// Start values smaller than this get a negative scale, and the kernels skip their steps up to the first one that
// contributes. For small lmax, these checks take longer than the steps that they save.
constexpr Index kSmallLmax = 320;
double least_start_value(Index lmax) { return lmax <= kSmallLmax ? 0x1p-500 : 0x1p-80; }

/// Ishioka's recurrence for all fields of an m at once; spins 1 to 3 are converted to scalar fields first.
template <class T>
class FastEngine final : public Engine<T> {
 public:
  using Complex = std::complex<T>;

  explicit FastEngine(Task task)
      : task_(task),
        parts_(task),
        batch_maps_(maps_of_panels(task)),
        few_(task, HalfFactors(task).even, HalfFactors(task).odd),
        batch_(task, task.lmax + task.spin, HalfFactors(task).even, HalfFactors(task).odd),
        degrees_(task.spin <= kMaxScalarSpin ? task.spin : 0, task.lmax),
        wigner_(task, parts_.wigner),
        starts_(task.spin <= kMaxScalarSpin ? task.sin_theta : std::span<const double>(),
                task.m.empty() ? 0 : task.m.back(), least_start_value(task.lmax)) {
    for (Index p = 0; p < task_.pairs(); ++p) {
      const double s = task_.sin_theta[at(p)];
      const double c = task_.cos_theta[at(p)];
      variable_.push_back(p < parts_.polar ? -s * s : c * c);
    }
  }

  Index count() const override { return static_cast<Index>(task_.m.size()); }
  std::unique_ptr<EngineWorkspace> make_workspace() const override { return std::make_unique<Workspace>(degrees_); }

  void synthesise(Index k, const Complex* alm, Complex* delta, EngineWorkspace& workspace) const override {
    synthesise_some(k, alm, delta, static_cast<Workspace&>(workspace), {});
  }
  void apply_adjoint(Index k, const Complex* delta, Complex* alm, EngineWorkspace& workspace) const override {
    apply_adjoint_some(k, delta, alm, static_cast<Workspace&>(workspace), {});
  }

  // Stepwise only if a single pass of the batch kernel processes all maps.
  void synthesise_stepwise(Index k, const Complex* alm, Complex* delta, EngineWorkspace& workspace,
                           const PairHook& written) const override {
    auto& work = static_cast<Workspace&>(workspace);
    const bool stepwise = batch_.is_one_chunk(batch_maps_) && few_maps().count == 0;
    synthesise_some(k, alm, delta, work, stepwise ? written : PairHook());
    written(0, stepwise ? parts_.wigner : kAllPairs);
  }
  void apply_adjoint_stepwise(Index k, const Complex* delta, Complex* alm, EngineWorkspace& workspace,
                              const PairHook& wanted) const override {
    auto& work = static_cast<Workspace&>(workspace);
    const bool stepwise = batch_.is_one_chunk(batch_maps_) && few_maps().count == 0;
    wanted(0, stepwise ? parts_.wigner : kAllPairs);
    apply_adjoint_some(k, delta, alm, work, stepwise ? wanted : PairHook());
  }

 private:
  void synthesise_some(Index k, const Complex* alm, Complex* delta, Workspace& work, const PairHook& written) const {
    const Index first = task_.first_pair[at(k)];
    if (first < parts_.wigner) wigner_.synthesise(k, first, parts_.wigner, alm, delta, work.wigner);
    if (std::max(first, parts_.wigner) >= parts_.end) return;
    set_tables(k, work);
    const auto calls = [&](const auto& body) { for_each_call(k, work, body); };
    batch_.synthesise(k, {0, batch_maps_}, calls, work.tables, alm, delta, written, work.batch);
    few_.synthesise(k, few_maps(), calls, work.tables, alm, delta, work.few);
  }

  void apply_adjoint_some(Index k, const Complex* delta, Complex* alm, Workspace& work, const PairHook& wanted) const {
    const Index first = task_.first_pair[at(k)];
    if (std::max(first, parts_.wigner) < parts_.end) {
      set_tables(k, work);
      const auto calls = [&](const auto& body) { for_each_call(k, work, body); };
      batch_.apply_adjoint(k, {0, batch_maps_}, calls, work.tables, delta, alm, wanted, work.batch);
      few_.apply_adjoint(k, few_maps(), calls, work.tables, delta, alm, work.few);
    } else {
      for (Index component = 0; component < task_.components; ++component)
        for (Index map = 0; map < task_.maps; ++map) {
          Complex* c = task_.coefficients(alm, k, component, map);
          std::fill(c + task_.m[at(k)], c + task_.lmax + 1, Complex(0));
        }
    }
    if (first < parts_.wigner) wigner_.apply_adjoint(k, first, parts_.wigner, delta, alm, work.wigner);
  }

  // The tables are shared by both directions if these process the same m successively.
  void set_tables(Index k, Workspace& work) const {
    if (work.m == task_.m[at(k)]) return;
    work.m = task_.m[at(k)];
    work.tables.set(task_.m[at(k)], task_.first_pair[at(k)] < parts_.polar, parts_.square < parts_.end);
  }

  MapRange few_maps() const { return {batch_maps_, task_.maps - batch_maps_}; }

  // Calls body(call) for the pairs to which the local m with index k contributes: one call for each form of the
  // recurrence, unless it has no pairs.
  template <class Body>
  void for_each_call(Index k, Workspace& work, const Body& body) const {
    const auto call = [&](ScalarForm form, Index begin, Index middle, Index end) {
      if (begin < end) body(ScalarCall{kernel_task(k, form, begin, middle, end, work), begin, middle, end});
    };
    const Index first = std::max(parts_.wigner, task_.first_pair[at(k)]);
    call(ScalarForm::kTwoTerm, first, std::max(parts_.polar, first), parts_.square);
    const Index equator = std::max(parts_.square, first);
    call(ScalarForm::kEquator, equator, equator, parts_.end);
  }

  // The kernel task of a call, with the start values of one m at its pairs.
  ScalarKernelTask kernel_task(Index k, ScalarForm form, Index begin, Index middle, Index end, Workspace& work) const {
    const auto padded = [](Index pairs) { return (pairs + kPairPadding - 1) / kPairPadding * kPairPadding; };
    const Index low = padded(middle - begin);
    const Index pairs = low + padded(end - middle);
    for (auto* array : {&work.variable, &work.start, &work.scale}) array->resize(at(pairs));
    const auto fill = [&](Index from, Index to, Index place, Index room) {
      if (from == to) return;
      std::copy(variable_.begin() + from, variable_.begin() + to, work.variable.begin() + place);
      // y_0 = lambda_mm / (eps_{m+1} alpha_0), and alpha_0 = 1 / eps_{m+1}.
      starts_.get(task_.m[at(k)], from, to - from, work.start.data() + place, work.scale.data() + place);
      // Padded pairs are copies of the last real pair, so that they do not start to contribute later than it does.
      for (auto* array : {&work.variable, &work.start, &work.scale})
        std::fill(array->begin() + place + (to - from), array->begin() + place + room,
                  (*array)[at(place + (to - from) - 1)]);
    };
    fill(begin, middle, 0, low);
    fill(middle, end, low, pairs - low);
    const bool equator = form == ScalarForm::kEquator;
    return {.form = form,
            .steps = work.tables.steps(),
            .field_stride = work.tables.field_stride(),
            .pairs = pairs,
            .low_pairs = low,
            .low_count = middle - begin,
            .count = end - middle,
            .rows_low = work.tables.rows_polar(),
            .rows = equator ? work.tables.rows_equator() : work.tables.rows(),
            .x2 = work.variable.data(),
            .start = work.start.data(),
            .start_scale = work.scale.data()};
  }

  Task task_;
  PairParts parts_;
  Index batch_maps_;
  RingVectorStage<T> few_;
  MapVectorStage<T> batch_;
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
