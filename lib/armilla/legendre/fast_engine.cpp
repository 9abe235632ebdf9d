#include <armilla/core/exception_collector.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/legendre/engine.hpp>
#include <armilla/legendre/map_vector_stage.hpp>
#include <armilla/legendre/order_tables.hpp>
#include <armilla/legendre/pair_parts.hpp>
#include <armilla/legendre/ring_vector_stage.hpp>
#include <armilla/legendre/wigner_vectors.hpp>

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

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

// Number of maps of a batch that use panels, without kept values: those that fill panels, and a remainder of three
// after full panels. RingVectorStage transforms the others.
Index maps_of_panels(const Task& task) {
  const Index panel = kPanelFields / task.components;
  const Index rest = task.maps % panel;
  return rest == 3 && task.maps > panel ? task.maps : task.maps - rest;
}

// Start values smaller than this get a negative scale, and the kernels skip their steps up to the first one that
// contributes. For small lmax, these checks take longer than the steps that they save.
constexpr Index kSmallLmax = 320;
double least_start_value(Index lmax) { return lmax <= kSmallLmax ? 0x1p-500 : 0x1p-80; }

/// The tables that engines share, of any precision and number of maps: those of degrees, and those of all m if they are
/// kept.
struct SharedTables {
  /// All on which they depend.
  struct Key {
    Index lmax, spin;
    std::vector<Index> m, first_pair;
    std::vector<double> cos_theta, sin_theta;
    Index tables, values;  ///< limits; 0: none are kept
    bool operator==(const Key&) const = default;
  };

  explicit SharedTables(Key key_)
      : key(std::move(key_)), degrees(key.spin <= kMaxScalarSpin ? key.spin : 0, key.lmax) {}

  Key key;
  DegreeTables degrees;
  std::vector<std::unique_ptr<OrderTables>> orders;  ///< [local m] or empty
  bool keeps_values = false;                         ///< whether these have the values of the recurrence
};

/// The tables of an engine in use with this key, or else those that fill(tables) completes. Another thread that needs
/// them waits.
template <class Fill>
std::shared_ptr<const SharedTables> share_tables(SharedTables::Key key, const Fill& fill) {
  static std::mutex lock;
  static std::vector<std::weak_ptr<const SharedTables>> in_use;
  const std::lock_guard guard(lock);
  std::erase_if(in_use, [](const auto& tables) { return tables.expired(); });
  for (const auto& one : in_use)
    if (auto tables = one.lock(); tables && tables->key == key) return tables;
  auto made = std::make_shared<SharedTables>(std::move(key));
  fill(*made);
  in_use.push_back(made);
  return made;
}

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
        wigner_(task, parts_.wigner),
        starts_(task.spin <= kMaxScalarSpin ? task.sin_theta : std::span<const double>(),
                task.m.empty() ? 0 : task.m.back(), least_start_value(task.lmax)) {
    for (Index p = 0; p < task_.pairs(); ++p) {
      const double s = task_.sin_theta[at(p)];
      const double c = task_.cos_theta[at(p)];
      variable_.push_back(p < parts_.polar ? -s * s : c * c);
    }
    const KeptLimits kept = task_.spin <= kMaxScalarSpin ? limits : KeptLimits{};
    tables_ = share_tables({task_.lmax,
                            task_.spin,
                            {task_.m.begin(), task_.m.end()},
                            {task_.first_pair.begin(), task_.first_pair.end()},
                            {task_.cos_theta.begin(), task_.cos_theta.end()},
                            {task_.sin_theta.begin(), task_.sin_theta.end()},
                            kept.tables,
                            kept.values},
                           [&](SharedTables& tables) { keep_tables(tables); });
    // Kept values serve the ring vectors, which are then faster than panels: up to 1.3 times at lmax 63.
    if (tables_->keeps_values) batch_maps_ = 0;
  }

  Index count() const override { return static_cast<Index>(task_.m.size()); }
  bool keeps_tables() const override { return !tables_->orders.empty(); }
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
    if (!tables_->orders.empty()) return *tables_->orders[at(k)];
    if (!work.order) work.order.emplace(tables_->degrees);
    if (work.order->m() != task_.m[at(k)]) set(k, *work.order);
    return *work.order;
  }
  void set(Index k, OrderTables& order) const {
    order.set(task_.m[at(k)], task_.first_pair[at(k)], parts_, variable_, starts_);
  }

  void keep_tables(SharedTables& tables) const {
    if (OrderTables::bytes_of_all(task_.lmax, task_.spin, task_.pairs()) > tables.key.tables) return;
    tables.orders.resize(task_.m.size());
    for_each(tables.orders, [&](Index k, std::unique_ptr<OrderTables>& order) {
      order = std::make_unique<OrderTables>(tables.degrees, task_.m[at(k)]);
      set(k, *order);
    });
    Index bytes = 0;
    for (const auto& order : tables.orders) bytes += order->value_bytes();
    tables.keeps_values = bytes <= tables.key.values;
    if (tables.keeps_values)
      for_each(tables.orders, [](Index, std::unique_ptr<OrderTables>& order) { order->keep_values(); });
  }

  template <class Body>
  static void for_each(std::vector<std::unique_ptr<OrderTables>>& orders, const Body& body) {
    core::ExceptionCollector collect;
#pragma omp parallel for schedule(dynamic)
    for (std::size_t k = 0; k < orders.size(); ++k) collect([&] { body(static_cast<Index>(k), orders[k]); });
    collect.rethrow();
  }

  MapRange few_maps() const { return {batch_maps_, task_.maps - batch_maps_}; }

  Task task_;
  PairParts parts_;
  Index batch_maps_;
  RingVectorStage<T> few_;
  MapVectorStage<T> batch_;
  WignerVectors<T> wigner_;
  StartValues starts_;
  std::vector<double> variable_;  ///< [pair] -sin^2 up to parts_.polar, then cos^2
  std::shared_ptr<const SharedTables> tables_;
};

}  // namespace

template <class T>
std::unique_ptr<Engine<T>> make_fast_engine(Task task, const KeptLimits& limits) {
  return std::make_unique<FastEngine<T>>(std::move(task), limits);
}

ARMILLA_INSTANTIATE(make_fast_engine);

}  // namespace armilla::legendre
