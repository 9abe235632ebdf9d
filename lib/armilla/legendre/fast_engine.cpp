#include <armilla/core/exception_collector.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/legendre/engine.hpp>
#include <armilla/legendre/map_vector_stage.hpp>
#include <armilla/legendre/order_tables.hpp>
#include <armilla/legendre/pair_parts.hpp>
#include <armilla/legendre/ring_vector_stage.hpp>
#include <armilla/legendre/wigner_vectors.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace armilla::legendre {

namespace {

using core::at;

// Memory of one thread, reused for all m.
struct Workspace final : EngineWorkspace {
  std::optional<OrderTables> order;  // unused if the engine keeps tables
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

  FastEngine(Task task, const KeptLimits& limits)
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
    if (few_maps().count > 0 && task_.spin <= kMaxScalarSpin) keep_tables(limits);
  }

  Index count() const override { return static_cast<Index>(task_.m.size()); }
  bool keeps_tables() const override { return !kept_.empty(); }
  std::unique_ptr<EngineWorkspace> make_workspace() const override { return std::make_unique<Workspace>(); }

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
    const OrderTables& order = order_tables(k, work);
    batch_.synthesise(k, {0, batch_maps_}, order, alm, delta, written, work.batch);
    few_.synthesise(k, few_maps(), order, alm, delta, work.few);
  }

  void apply_adjoint_some(Index k, const Complex* delta, Complex* alm, Workspace& work, const PairHook& wanted) const {
    const Index first = task_.first_pair[at(k)];
    if (std::max(first, parts_.wigner) < parts_.end) {
      const OrderTables& order = order_tables(k, work);
      batch_.apply_adjoint(k, {0, batch_maps_}, order, delta, alm, wanted, work.batch);
      few_.apply_adjoint(k, few_maps(), order, delta, alm, work.few);
    } else {
      for (Index component = 0; component < task_.components; ++component)
        for (Index map = 0; map < task_.maps; ++map) {
          Complex* c = task_.coefficients(alm, k, component, map);
          std::fill(c + task_.m[at(k)], c + task_.lmax + 1, Complex(0));
        }
    }
    if (first < parts_.wigner) wigner_.apply_adjoint(k, first, parts_.wigner, delta, alm, work.wigner);
  }

  // The tables of an m. Those in the workspace are shared by both directions if these process the same m successively.
  const OrderTables& order_tables(Index k, Workspace& work) const {
    if (!kept_.empty()) return *kept_[at(k)];
    if (!work.order) work.order.emplace(degrees_);
    if (work.order->m() != task_.m[at(k)]) set(k, *work.order);
    return *work.order;
  }
  void set(Index k, OrderTables& order) const {
    order.set(task_.m[at(k)], task_.first_pair[at(k)], parts_, variable_, starts_);
  }

  void keep_tables(const KeptLimits& limits) {
    if (OrderTables::bytes_of_all(task_.lmax, task_.spin, task_.pairs()) > limits.tables) return;
    kept_.resize(task_.m.size());
    for_each_kept([&](Index k, std::unique_ptr<OrderTables>& order) {
      order = std::make_unique<OrderTables>(degrees_, task_.m[at(k)]);
      set(k, *order);
    });
    Index bytes = 0;
    for (const auto& order : kept_) bytes += order->value_bytes();
    if (bytes <= limits.values) for_each_kept([](Index, std::unique_ptr<OrderTables>& order) { order->keep_values(); });
  }

  template <class Body>
  void for_each_kept(const Body& body) {
    core::ExceptionCollector collect;
#pragma omp parallel for schedule(dynamic)
    for (std::size_t k = 0; k < kept_.size(); ++k) collect([&] { body(static_cast<Index>(k), kept_[k]); });
    collect.rethrow();
  }

  MapRange few_maps() const { return {batch_maps_, task_.maps - batch_maps_}; }

  Task task_;
  PairParts parts_;
  Index batch_maps_;
  RingVectorStage<T> few_;
  MapVectorStage<T> batch_;
  DegreeTables degrees_;
  WignerVectors<T> wigner_;
  StartValues starts_;
  std::vector<double> variable_;                    ///< [pair] -sin^2 up to parts_.polar, then cos^2
  std::vector<std::unique_ptr<OrderTables>> kept_;  ///< [local m] or empty
};

}  // namespace

template <class T>
std::unique_ptr<Engine<T>> make_fast_engine(Task task, const KeptLimits& limits) {
  return std::make_unique<FastEngine<T>>(std::move(task), limits);
}

ARMILLA_INSTANTIATE(make_fast_engine);

}  // namespace armilla::legendre
