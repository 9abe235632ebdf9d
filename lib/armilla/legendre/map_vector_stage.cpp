#include <armilla/core/instantiate.hpp>
#include <armilla/legendre/map_vector_stage.hpp>

#include <algorithm>
#include <span>
#include <type_traits>
#include <utility>

namespace armilla::legendre {

namespace {

using core::at;

// Size of the coefficients and halves of a chunk of maps, in values: 2 MiB.
constexpr Index kNumbers = 256 << 10;

// Size of the slices of Delta that are passed to a hook; the halves of a slice are as large.
constexpr Index kSliceBytes = 16 << 10;
constexpr Index kMinPairs = 4;

// With fewer fields, non-temporal stores are not faster.
constexpr Index kMinToStream = 8;

// Chunks of nearly equal size, each consisting of whole panels.
Index maps_of_chunk(const Task& task, Index scalar_lmax) {
  const Index per_map = 4 * task.components * (scalar_lmax / 2 + task.pairs());
  const Index most = std::max<Index>(2 * kPanelFields, kNumbers / std::max<Index>(per_map, 1));
  const Index chunks = (task.maps + most - 1) / most;
  return panels_of((task.maps + chunks - 1) / chunks) * kPanelFields;
}

// The panel of scalar maps that starts at index `map` of a chunk.
template <class Complex>
auto panel_maps(const Task& task, Index k, const MapRange& maps, Index map, Complex* alm) {
  using Number =
      std::conditional_t<std::is_const_v<Complex>, const typename Complex::value_type, typename Complex::value_type>;
  PanelMaps<Number> panel{};
  const auto fill = [&](Index first, Number** places) {
    const Index count = std::clamp<Index>(maps.count - first, 0, kPanelFields);
    for (Index i = 0; i < count; ++i)
      places[i] = reinterpret_cast<Number*>(task.coefficients(alm, k, 0, maps.first + first + i));
    return count;
  };
  panel.count = fill(map, panel.own);
  panel.ahead_count = fill(map + kPanelFields, panel.ahead);
  return panel;
}

// Writes the halves of a call to Delta.
template <class T>
class DeltaSink final : public HalvesSink {
 public:
  DeltaSink(const ScalarCall& call, std::span<const PairRings> rings, const PanelFields& fields, bool streamed,
            const PairHook& written, std::complex<T>* delta)
      : call_(call), rings_(rings), fields_(fields), streamed_(streamed), written_(written), delta_(delta) {}

  void take(Index panel, Index first, Index count, const double* halves) override {
    unpack_panel(&rings_[at(first)], count, fields_, panel, streamed_, halves, delta_);
  }
  void taken(Index first, Index count) override {
    if (!written_) return;
    const Index low = call_.kernel.low_pairs;
    const Index pair = first < low ? call_.begin + first : call_.middle + (first - low);
    written_(pair, pair + count);
  }

 private:
  const ScalarCall& call_;
  std::span<const PairRings> rings_;
  PanelFields fields_;
  bool streamed_;
  const PairHook& written_;
  std::complex<T>* delta_;
};

}  // namespace

template <class T>
MapVectorStage<T>::MapVectorStage(const Task& task, Index scalar_lmax, std::vector<double> even,
                                  std::vector<double> odd)
    : task_(task), even_(std::move(even)), odd_(std::move(odd)), chunk_(maps_of_chunk(task, scalar_lmax)) {}

template <class T>
double* MapVectorStage<T>::rows(const MapRange& maps, Index component, Index map, const ScalarTables& tables,
                                BatchWorkspace& work) const {
  const Index field = component * maps.count + map;
  const Index panel = field / kPanelFields * kPanelFields * tables.field_stride();
  return &work.coefficients[at(panel + 2 * (field % kPanelFields))];
}

template <class T>
void MapVectorStage<T>::load(Index k, const MapRange& maps, const ScalarTables& tables, const Complex* alm,
                             BatchWorkspace& work) const {
  const Index stride = tables.field_stride();
  work.coefficients.resize(at(coefficients(maps, tables)));
  if (fields(maps).count % kPanelFields != 0) std::ranges::fill(work.coefficients, 0.0);
  if (task_.spin == 0) {
    for (Index map = 0; map < maps.count; map += kPanelFields) {
      load_panel(tables.step_factors(), panel_maps(task_, k, maps, map, alm), rows(maps, 0, map, tables, work));
    }
    return;
  }
  work.fields.resize(at(task_.components * stride));
  double* own = work.fields.data();
  for (Index map = 0; map < maps.count; ++map) {
    tables.load(task_.coefficients(alm, k, 0, maps.first + map), task_.coefficients(alm, k, 1, maps.first + map),
                work.spin, own, own + stride);
    for (Index component = 0; component < task_.components; ++component)
      spread_field(own + component * stride, tables.steps(), rows(maps, component, map, tables, work));
  }
}

template <class T>
void MapVectorStage<T>::store(Index k, const MapRange& maps, const ScalarTables& tables, Complex* alm,
                              BatchWorkspace& work) const {
  if (task_.spin == 0) {
    for (Index map = 0; map < maps.count; map += kPanelFields) {
      store_panel(tables.step_factors(), rows(maps, 0, map, tables, work), panel_maps(task_, k, maps, map, alm));
    }
    return;
  }
  const Index stride = tables.field_stride();
  work.fields.resize(at(task_.components * stride));
  double* own = work.fields.data();
  for (Index map = 0; map < maps.count; ++map) {
    for (Index component = 0; component < task_.components; ++component)
      gather_field(rows(maps, component, map, tables, work), tables.steps(), own + component * stride);
    tables.store(own, own + stride, work.spin, task_.coefficients(alm, k, 0, maps.first + map),
                 task_.coefficients(alm, k, 1, maps.first + map));
  }
}

template <class T>
PairRings MapVectorStage<T>::rings_of(Index k, Index pair) const {
  const auto position = [&](Index slot) { return slot >= 0 ? task_.delta_position(k, pair, slot) : -1; };
  return {position(task_.north_slot[at(pair)]), position(task_.south_slot[at(pair)]), even_[at(pair)], odd_[at(pair)]};
}

template <class T>
template <class Body>
void MapVectorStage<T>::for_each_slice(const RowRange& rows, const PairHook& hook, const Body& body) const {
  const Index pair_bytes = 2 * task_.width() * static_cast<Index>(sizeof(Complex));
  const Index step = hook ? std::max(kMinPairs, kSliceBytes / pair_bytes) : std::max<Index>(rows.end - rows.begin, 1);
  RowRange slice = rows;
  for (Index begin = rows.begin; begin < rows.end; begin = slice.end) {
    slice.begin = begin;
    slice.end = std::min(begin + step, rows.end);
    slice.first = rows.first + (begin - rows.begin);
    body(slice, slice.end == rows.end);
  }
}

template <class T>
void MapVectorStage<T>::synthesise_call(Index k, const MapRange& maps, const ScalarCall& call,
                                        const ScalarTables& tables, Complex* delta, const PairHook& written,
                                        BatchWorkspace& work) const {
  const Index count = panels(maps);
  const double* coefficients = work.coefficients.data();
  if (call.kernel.form == ScalarForm::kEquator) {
    work.equator.resize(work.coefficients.size());
    const Index stride = kPanelFields * tables.field_stride();
    for (Index panel = 0; panel < count; ++panel)
      tables.scale_equator(coefficients + panel * stride, kPanelRow, &work.equator[at(panel * stride)], false);
    coefficients = work.equator.data();
  }
  work.rings.resize(at(call.kernel.pairs));
  for (const RowRange& rows : {low_rows(call), other_rows(call)})
    for (Index pair = rows.begin; pair < rows.end; ++pair)
      work.rings[at(rows.first + pair - rows.begin)] = rings_of(k, pair);
  const bool streamed = !task_.delta_read_at_once && task_.width() >= kMinToStream;
  DeltaSink<T> sink(call, work.rings, fields(maps), streamed, written, delta);
  batch_synthesis(call.kernel, count, coefficients, sink, work.kernel);
  if (streamed) finish_streams();
}

template <class T>
void MapVectorStage<T>::apply_adjoint_call(Index k, const MapRange& maps, const ScalarCall& call, bool first,
                                           const ScalarTables& tables, const Complex* delta, const PairHook& wanted,
                                           BatchWorkspace& work) const {
  const Index count = panels(maps);
  const PairClasses classes = pair_classes(call.kernel);
  work.halves.resize(at(count * classes.rows() * kPanelRow));
  double* halves = work.halves.data();
  const auto pack = [&](const RowRange& rows, Index room) {
    for_each_slice(rows, wanted, [&](const RowRange& slice, bool last) {
      if (wanted) wanted(slice.begin, slice.end);
      const Index own = slice.end - slice.begin;
      pack_rows(task_, k, slice, last ? rows.first + room - slice.first : own, classes, fields(maps), delta, halves);
    });
  };
  pack(low_rows(call), call.kernel.low_pairs);
  pack(other_rows(call), call.kernel.pairs - call.kernel.low_pairs);
  work.coefficients.resize(at(coefficients(maps, tables)));
  if (call.kernel.form != ScalarForm::kEquator) {
    batch_adjoint(call.kernel, count, halves, work.coefficients.data(), work.kernel);
    return;
  }
  work.equator.resize(work.coefficients.size());
  batch_adjoint(call.kernel, count, halves, work.equator.data(), work.kernel);
  const Index stride = kPanelFields * tables.field_stride();
  for (Index panel = 0; panel < count; ++panel)
    tables.scale_equator(&work.equator[at(panel * stride)], kPanelRow, &work.coefficients[at(panel * stride)], !first);
}

ARMILLA_INSTANTIATE_CLASS(MapVectorStage);

}  // namespace armilla::legendre
