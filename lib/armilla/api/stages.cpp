#include <armilla/api/access.hpp>
#include <armilla/api/stages.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/dist/work.hpp>
#include <armilla/fft/ring_transform.hpp>
#include <armilla/legendre/engine.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace armilla {

using core::at;

namespace {

/// Checks the parameters, and derives those of both stages.
struct StageShape {
  explicit StageShape(const StageSpec& spec)
      : layout(spec.lmax, spec.mmax.value_or(spec.lmax)), components(spec.spin == 0 ? 1 : 2) {
    api::check_spec(FieldKind::spin(spec.spin), spec.lmax, spec.maps);
    // All orders of one rank.
    first_pair = dist::first_pairs(AlmDistribution(layout, 1), spec.grid, spec.spin);
    width = components * spec.maps;
  }

  AlmLayout layout;
  Index components, width;
  std::vector<Index> first_pair;  // [m]
};

// `what` are the numbers 0 .. count - 1 that a list names.
void check_list(std::span<const Index> list, Index count, const char* what) {
  std::vector<Index> sorted(list.begin(), list.end());
  std::ranges::sort(sorted);
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i] < 0 || sorted[i] >= count)
      throw InputError(fmt::format("{} {} does not exist: use 0 to {}", what, sorted[i], count - 1));
    if (i > 0 && sorted[i] == sorted[i - 1]) throw InputError(fmt::format("{} {} is given twice", what, sorted[i]));
  }
}

template <class Values>
void check_size(const Values& values, Index size, const char* what) {
  if (static_cast<Index>(values.size()) != size)
    throw InputError(fmt::format("{} has {} values, but the stage needs {}", what, values.size(), size));
}

}  // namespace

template <class T>
struct api::LegendreStageState {
  LegendreStageState(StageSpec spec_, std::vector<Index> orders_)
      : spec(std::move(spec_)), shape(spec), orders(std::move(orders_)) {
    check_list(orders, shape.layout.mmax() + 1, "order");
    if (!std::ranges::is_sorted(orders)) throw InputError("the orders are not ascending: sort them");
    const auto pairs = spec.grid.pairs();
    const auto rings = static_cast<Index>(spec.grid.rings().size());
    for (const grid::RingPair& pair : pairs) {
      cos_theta.push_back(pair.cos_theta);
      sin_theta.push_back(pair.sin_theta);
      north.push_back(pair.north);
      south.push_back(pair.south);
    }
    block.assign(pairs.size(), 0);
    for (const Index m : orders) {
      alm_offset.push_back(alm_size - m);
      alm_size += shape.layout.lmax() - m + 1;
      first_pair.push_back(shape.first_pair[at(m)]);
      shift.push_back(delta_size);
      delta_size += rings * shape.width;
    }
    const Index of_component = alm_size;
    alm_size *= shape.width;
    engine = legendre::make_engine<T>("auto", {.lmax = shape.layout.lmax(),
                                               .spin = spec.spin,
                                               .components = shape.components,
                                               .maps = spec.maps,
                                               .m = orders,
                                               .alm_offset = alm_offset,
                                               .component_stride = of_component,
                                               .map_stride = shape.components * of_component,
                                               .cos_theta = cos_theta,
                                               .sin_theta = sin_theta,
                                               .first_pair = first_pair,
                                               .block_shift = shift,
                                               .pair_block = block,
                                               .north_slot = north,
                                               .south_slot = south});
  }

  StageSpec spec;
  StageShape shape;
  std::vector<Index> orders;
  std::vector<double> cos_theta, sin_theta;
  std::vector<Index> alm_offset, first_pair, shift, north, south;
  std::vector<int> block;
  Index alm_size = 0, delta_size = 0;
  std::unique_ptr<legendre::Engine<T>> engine;
};

template <class T>
struct api::RingStageState {
  RingStageState(StageSpec spec_, std::vector<Index> numbers) : spec(std::move(spec_)), shape(spec) {
    check_list(numbers, static_cast<Index>(spec.grid.rings().size()), "ring");
    const auto pairs = spec.grid.pairs();
    std::vector<Index> slot(spec.grid.rings().size(), -1), pair_of(spec.grid.rings().size());
    for (std::size_t i = 0; i < numbers.size(); ++i) slot[at(numbers[i])] = static_cast<Index>(i);
    for (std::size_t p = 0; p < pairs.size(); ++p)
      for (const Index ring : {pairs[p].north, pairs[p].south})
        if (ring >= 0) pair_of[at(ring)] = static_cast<Index>(p);
    for (const Index number : numbers) {
      const Ring& ring = spec.grid.rings()[at(number)];
      const grid::RingPair& pair = pairs[at(pair_of[at(number)])];
      const Index image = pair.north == number ? pair.south : pair.north;
      // The orders whose first pair is this one or before.
      const auto count = std::ranges::upper_bound(shape.first_pair, pair_of[at(number)]) - shape.first_pair.begin();
      rings.push_back({ring.nphi, ring.phi0, map_size, static_cast<Index>(count), image >= 0 ? slot[at(image)] : -1});
      map_size += ring.nphi;
    }
    for (Index m = 0; m <= shape.layout.mmax(); ++m)
      shift.push_back(m * static_cast<Index>(numbers.size()) * shape.width);
    delta_size = (shape.layout.mmax() + 1) * static_cast<Index>(numbers.size()) * shape.width;
    const Index of_component = map_size;
    map_size *= shape.width;
    transform = std::make_unique<fft::RingTransform<T>>(fft::RingTask{.rings = rings,
                                                                      .m_shift = shift,
                                                                      .components = shape.components,
                                                                      .maps = spec.maps,
                                                                      .component_stride = of_component,
                                                                      .map_stride = shape.components * of_component},
                                                        std::make_shared<fft::PlanCache<T>>());
  }

  StageSpec spec;
  StageShape shape;
  std::vector<fft::RingShape> rings;
  std::vector<Index> shift;
  Index delta_size = 0, map_size = 0;
  std::unique_ptr<fft::RingTransform<T>> transform;
};

template <class T>
LegendreStage<T>::LegendreStage(StageSpec spec, std::vector<Index> orders)
    : state_(api::allocated(
          [&] { return std::make_unique<api::LegendreStageState<T>>(std::move(spec), std::move(orders)); })) {}
template <class T>
LegendreStage<T>::LegendreStage(LegendreStage&& other) noexcept = default;
template <class T>
LegendreStage<T>& LegendreStage<T>::operator=(LegendreStage&& other) noexcept = default;
template <class T>
LegendreStage<T>::~LegendreStage() = default;

template <class T>
Index LegendreStage<T>::alm_size() const {
  return state_->alm_size;
}

template <class T>
Index LegendreStage<T>::delta_size() const {
  return state_->delta_size;
}

template <class T>
void LegendreStage<T>::synthesis(std::span<const std::complex<T>> alm, std::span<std::complex<T>> delta) {
  check_size(alm, alm_size(), "alm");
  check_size(delta, delta_size(), "delta");
  const Index width = state_->shape.width;
  for (std::size_t k = 0; k < state_->orders.size(); ++k)
    for (Index p = 0; p < state_->first_pair[k]; ++p)
      for (const Index ring : {state_->north[at(p)], state_->south[at(p)]})
        if (ring >= 0) std::fill_n(delta.data() + state_->shift[k] + ring * width, width, std::complex<T>());
  state_->engine->synthesis(alm.data(), delta.data(), {});
}

template <class T>
void LegendreStage<T>::adjoint_synthesis(std::span<const std::complex<T>> delta, std::span<std::complex<T>> alm) {
  check_size(alm, alm_size(), "alm");
  check_size(delta, delta_size(), "delta");
  state_->engine->adjoint(delta.data(), alm.data(), {});
}

template <class T>
RingStage<T>::RingStage(StageSpec spec, std::vector<Index> rings)
    : state_(
          api::allocated([&] { return std::make_unique<api::RingStageState<T>>(std::move(spec), std::move(rings)); })) {
}
template <class T>
RingStage<T>::RingStage(RingStage&& other) noexcept = default;
template <class T>
RingStage<T>& RingStage<T>::operator=(RingStage&& other) noexcept = default;
template <class T>
RingStage<T>::~RingStage() = default;

template <class T>
Index RingStage<T>::delta_size() const {
  return state_->delta_size;
}

template <class T>
Index RingStage<T>::map_size() const {
  return state_->map_size;
}

template <class T>
void RingStage<T>::synthesis(std::span<const std::complex<T>> delta, std::span<T> map) {
  check_size(delta, delta_size(), "delta");
  check_size(map, map_size(), "map");
  state_->transform->synthesis(delta.data(), map.data());
}

template <class T>
void RingStage<T>::adjoint_synthesis(std::span<const T> map, std::span<std::complex<T>> delta) {
  check_size(delta, delta_size(), "delta");
  check_size(map, map_size(), "map");
  const Index width = state_->shape.width;
  for (std::size_t m = 0; m < state_->shift.size(); ++m)
    for (std::size_t s = 0; s < state_->rings.size(); ++s)
      if (static_cast<Index>(m) >= state_->rings[s].m_count)
        std::fill_n(delta.data() + state_->shift[m] + static_cast<Index>(s) * width, width, std::complex<T>());
  state_->transform->adjoint(map.data(), {}, delta.data());
}

ARMILLA_INSTANTIATE_CLASS(LegendreStage);
ARMILLA_INSTANTIATE_CLASS(RingStage);

}  // namespace armilla
