#include <armilla/transform/device_ring_maps.hpp>

#include <utility>

namespace armilla::transform {

namespace {

// Numbers of each array: one for each part on one rank alone, else one for all.
std::vector<Index> sizes(std::span<const std::unique_ptr<PartTables>> parts) {
  std::vector<Index> sizes;
  for (const auto& part : parts) {
    if (part->ranks == 1)
      sizes.push_back(part->exchange.send_size);
    else if (sizes.empty())
      sizes.push_back(part->exchange.receive_size);
    else
      sizes.front() += part->exchange.receive_size;
  }
  return sizes;
}

}  // namespace

template <class T>
DeviceRingMaps<T>::DeviceRingMaps(std::span<const std::unique_ptr<PartTables>> parts,
                                  std::span<const std::unique_ptr<backend::Backend<T>>> backends,
                                  const std::shared_ptr<backend::Memory>& memory, std::span<const double> weight)
    : parts_(parts), backends_(backends), memory_(memory), weight_(weight.begin(), weight.end()) {
  for (const Index size : sizes(parts)) spectra_.emplace_back(memory->allocate(Buffer::bytes_of(size)), size);
}

template <class T>
backend::SpectraStage<T>& DeviceRingMaps<T>::stage(std::size_t part) const {
  backend::SpectraStage<T>& stage = *backends_[part]->spectra();
  stage.set_weights(weight_);
  return stage;
}

template <class T>
void DeviceRingMaps<T>::set(const MapField<T>& map) {
  const T* pixels = map.read(memory_);
  for (std::size_t p = 0; p < parts_.size(); ++p)
    backends_[p]->rings_adjoint(pixels + parts_[p]->map_begin(), weight_, at(p).data());
}

template <class T>
void DeviceRingMaps<T>::scale(std::span<const double> by) {
  for (std::size_t p = 0; p < parts_.size(); ++p) stage(p).scale(of_part(by, p, parts_.size()), at(p).data());
}

template <class T>
std::vector<double> DeviceRingMaps<T>::squares() const {
  return squares_of_parts(parts_.size(), parts_.front()->maps, own_rings(),
                          [&](std::size_t p, std::span<double> sums) { stage(p).squares(at(p).data(), sums); });
}

template <class T>
void DeviceRingMaps<T>::take_off(std::size_t part, const std::complex<T>* delta) {
  stage(part).take_off(delta, at(part).data());
}

template <class T>
Index DeviceRingMaps<T>::bytes(const FieldTransformSpec& spec, int rank) {
  std::vector<std::unique_ptr<PartTables>> parts;
  for (const FieldPart& part : spec.kind.parts()) parts.push_back(std::make_unique<PartTables>(spec, part, rank));
  Index bytes = 0;
  for (const Index size : sizes(parts)) bytes += Buffer::bytes_of(size);
  return bytes;
}

template class DeviceRingMaps<float>;
template class DeviceRingMaps<double>;

}  // namespace armilla::transform
