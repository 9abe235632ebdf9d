#include <armilla/transform/ring_maps.hpp>

#include <set>

namespace armilla::transform {

std::vector<double> of_part(std::span<const double> systems, std::size_t part, std::size_t parts) {
  std::vector<double> own;
  for (std::size_t s = part; s < systems.size(); s += parts) own.push_back(systems[s]);
  return own;
}

template <class T>
HostRingMaps<T>::HostRingMaps(std::span<const std::unique_ptr<PartTables>> parts, Index mmax,
                              std::span<const double> weight)
    : weight_(weight.begin(), weight.end()) {
  const auto plans = std::make_shared<fft::PlanCache<T>>();
  for (const auto& tables : parts) {
    parts_.push_back(std::make_unique<RingResidual<T>>(*tables, mmax, plans));
    begins_.push_back(tables->map_begin());
  }
}

template <class T>
void HostRingMaps<T>::set(const MapField<T>& map) {
  for (std::size_t p = 0; p < parts_.size(); ++p) parts_[p]->set(map.data().data() + begins_[p], weight_);
}

template <class T>
void HostRingMaps<T>::scale(std::span<const double> by) {
  for (std::size_t p = 0; p < parts_.size(); ++p) parts_[p]->scale(of_part(by, p, parts_.size()));
}

template <class T>
std::vector<double> HostRingMaps<T>::squares() const {
  return squares_of_parts(parts_.size(), parts_.front()->maps(), own_rings(),
                          [&](std::size_t p, std::span<double> sums) { parts_[p]->squares(sums); });
}

template <class T>
Index HostRingMaps<T>::bytes(const FieldTransformSpec& spec, int rank) {
  Index bytes = 0;
  std::set<Index> lengths;
  for (const FieldPart& part : spec.kind.parts()) {
    const PartTables tables(spec, part, rank);
    for (const fft::RingShape& ring : tables.rings) lengths.insert(ring.nphi);
    bytes += RingResidual<T>::bytes(tables, spec.alm->layout().mmax());
  }
  return bytes + fft::PlanCache<T>::bytes(lengths);
}

template class HostRingMaps<float>;
template class HostRingMaps<double>;

}  // namespace armilla::transform
