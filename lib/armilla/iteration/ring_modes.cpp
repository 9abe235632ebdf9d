#include <armilla/comm/phase.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/iteration/ring_modes.hpp>

#include <algorithm>
#include <set>

namespace armilla::iteration {

namespace {

// On a device, modes are stored like Delta: for all m that contribute to a ring. Aliases are copies.
template <class T>
class DeviceSpinRingModes final : public SpinRingModes<T> {
 public:
  using typename SpinRingModes<T>::Complex;

  DeviceSpinRingModes(backend::FieldStages<T>& stages, Complex* modes, std::span<const double> weight)
      : stages_(stages), modes_(modes), weight_(weight.begin(), weight.end()) {}

  void set(const T* map) override { stages_.rings_adjoint(map, weight_, modes_); }
  void scale(std::span<const double> by) override { ring_modes().scale(by, modes_); }
  void squares(std::span<double> sums) const override { ring_modes().squares(modes_, sums); }
  void subtract(const Complex* delta) override { ring_modes().subtract(delta, modes_); }
  const Complex* delta(Complex*) const override { return modes_; }

 private:
  // Sets the weights of these maps first, because other maps may use different weights.
  backend::RingModeStage<T>& ring_modes() const {
    stages_.ring_modes()->set_weights(weight_);
    return *stages_.ring_modes();
  }

  backend::FieldStages<T>& stages_;
  Complex* modes_;
  std::vector<double> weight_;
};

using Tables = std::span<const std::unique_ptr<SpinTables>>;

// Size of each buffer on a device, in complex values.
std::vector<Index> buffer_sizes(Tables spin_fields) {
  std::vector<Index> sizes;
  for (const auto& spin_field : spin_fields) {
    if (spin_field->ranks == 1)
      sizes.push_back(spin_field->exchange.send_size);
    else if (sizes.empty())
      sizes.push_back(spin_field->exchange.receive_size);
    else
      sizes.front() += spin_field->exchange.receive_size;
  }
  return sizes;
}

}  // namespace

template <class T>
RingModes<T>::RingModes(DeltaTransform<T>& delta, std::span<const double> weight) : delta_(delta) {
  comm::phase(delta.comm(), [&] {
    if (delta.on_device()) return make_on_device(weight);
    const auto plans = std::make_shared<fft::PlanCache<T>>();
    for (const auto& tables : delta.spin_fields())
      spin_fields_.push_back(
          std::make_unique<HostSpinRingModes<T>>(*tables, delta.spec().alm->layout().mmax(), weight, plans));
  });
}

template <class T>
void RingModes<T>::make_on_device(std::span<const double> weight) {
  for (const Index size : buffer_sizes(delta_.spin_fields())) buffers_.push_back(delta_.allocate(size));
  for (std::size_t p = 0; p < delta_.spin_fields().size(); ++p)
    spin_fields_.push_back(std::make_unique<DeviceSpinRingModes<T>>(
        delta_.stages(p), buffers_[buffers_.size() == 1 ? 0 : p].data(), weight));
}

template <class T>
void RingModes<T>::set(const MapField<T>& map) {
  delta_.in_phase("rings", [&] {
    const T* pixels = map.read(delta_.memory());
    for (std::size_t p = 0; p < spin_fields_.size(); ++p)
      spin_fields_[p]->set(pixels + delta_.spin_fields()[p]->map_begin());
  });
}

template <class T>
void RingModes<T>::scale(std::span<const double> by) {
  comm::phase(delta_.comm(), [&] {
    for (std::size_t p = 0; p < spin_fields_.size(); ++p) {
      std::vector<double> own;
      for (std::size_t s = p; s < by.size(); s += spin_fields_.size()) own.push_back(by[s]);
      spin_fields_[p]->scale(own);
    }
  });
}

template <class T>
std::vector<double> RingModes<T>::squares() const {
  const auto maps = static_cast<std::size_t>(delta_.spec().maps);
  const auto rings = static_cast<std::size_t>(own_rings());
  std::vector<double> squares(maps * spin_fields_.size() * rings);
  comm::phase(delta_.comm(), [&] {
    std::vector<double> of_part(maps * rings);
    for (std::size_t p = 0; p < spin_fields_.size(); ++p) {
      spin_fields_[p]->squares(of_part);
      for (std::size_t map = 0; map < maps; ++map)
        std::copy_n(of_part.data() + map * rings, rings, squares.data() + (map * spin_fields_.size() + p) * rings);
    }
  });
  return squares;
}

template <class T>
void RingModes<T>::subtract(const AlmField<T>& alm) {
  delta_.synthesis(alm, [&](std::size_t p, const std::complex<T>* delta) { spin_fields_[p]->subtract(delta); });
}

template <class T>
void RingModes<T>::adjoint_synthesis(AlmField<T>& alm) {
  delta_.adjoint([&](std::size_t p, std::complex<T>* buffer) { return spin_fields_[p]->delta(buffer); }, alm,
                 DeltaTransform<T>::Rule::kPlain, buffers_.empty() ? nullptr : &buffers_.front());
}

template <class T>
core::MemoryEstimate RingModes<T>::memory(const FieldTransformSpec& spec, int rank) {
  core::MemoryEstimate on_host, on_device;
  std::set<Index> lengths;
  std::vector<std::unique_ptr<SpinTables>> spin_fields;
  for (const SpinField& spin_field : spec.kind.spin_fields()) {
    const SpinTables& tables = *spin_fields.emplace_back(std::make_unique<SpinTables>(spec, spin_field, rank));
    for (const fft::RingShape& ring : tables.rings) lengths.insert(ring.nphi);
    on_host += HostSpinRingModes<T>::memory(tables, spec.alm->layout().mmax());
  }
  if (!spec.on_device()) return on_host + fft::PlanCache<T>::memory(lengths);
  for (const Index size : buffer_sizes(spin_fields)) on_device.kept += backend::DeltaBuffer<T>::bytes_of(size);
  return on_device;
}

template <class T>
void RingNormal<T>::apply(const AlmField<T>& alm, std::span<const double> weight, AlmField<T>& result) {
  comm::phase(delta_.comm(), [&] {
    while (!delta_.on_device() && folds_.size() < delta_.spin_fields().size())
      folds_.push_back(
          std::make_unique<AliasFold<T>>(*delta_.spin_fields()[folds_.size()], delta_.spec().alm->layout().mmax()));
  });
  delta_.normal(
      alm,
      [&](std::size_t p, std::complex<T>* delta) {
        if (!delta_.on_device()) return folds_[p]->apply(weight, delta);
        backend::RingModeStage<T>& modes = *delta_.stages(p).ring_modes();
        modes.set_weights(weight);
        modes.fold_aliases(delta);
      },
      result);
}

template <class T>
core::MemoryEstimate RingNormal<T>::memory(const FieldTransformSpec& spec) {
  core::MemoryEstimate memory;
  for (const SpinField& spin_field : spec.kind.spin_fields())
    if (!spec.on_device()) memory += AliasFold<T>::memory(spec.alm->layout().mmax(), spin_field.components * spec.maps);
  return memory;
}

ARMILLA_INSTANTIATE_CLASS(RingModes);
ARMILLA_INSTANTIATE_CLASS(RingNormal);

}  // namespace armilla::iteration
