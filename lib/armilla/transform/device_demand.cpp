#include <armilla/transform/device_demand.hpp>
#include <armilla/transform/part_plan.hpp>

#include <algorithm>
#include <complex>

namespace armilla::transform {

namespace {

using backend::StageNeed;

template <class Part>
Index sum(const std::vector<StageNeed>& stages, const Part& part) {
  Index bytes = 0;
  for (const StageNeed& stage : stages) bytes += part(stage);
  return bytes;
}

}  // namespace

Index DeviceDemand::arrays() const {
  return delta + sum(stages, [](const StageNeed& stage) { return stage.arrays; });
}

Index DeviceDemand::tables() const {
  return sum(stages, [](const StageNeed& stage) { return stage.tables; });
}

Index DeviceDemand::work(Index work_bytes) const {
  return sum(stages, [&](const StageNeed& stage) { return stage.work_at(work_bytes); });
}

Index DeviceDemand::total(Index work_bytes) const { return arrays() + tables() + work(work_bytes); }

Index DeviceDemand::min_work() const {
  Index least = 0;
  for (const StageNeed& stage : stages)
    for (const backend::WorkSpace& space : stage.work) least = std::max(least, space.least);
  return least;
}

template <class T>
DeviceDemand device_demand(const FieldTransformSpec& spec, int rank) {
  constexpr auto kComplex = static_cast<Index>(sizeof(std::complex<T>));
  const Index numbers = spec.kind.components() * spec.maps;
  DeviceDemand demand;
  demand.alm = numbers * spec.alm->local_size(rank) * kComplex;
  demand.map = numbers * spec.pixels->local_pixels(rank) * static_cast<Index>(sizeof(T));
  std::vector<Index> ring_lengths;
  for (const grid::Ring& ring : spec.pixels->grid().rings()) ring_lengths.push_back(ring.nphi);
  for (const FieldPart& part : spec.kind.parts()) {
    const PartTables tables(spec, part, rank);
    const dist::ExchangePlan& plan = tables.exchange;
    if (tables.ranks == 1)
      demand.delta = std::max(demand.delta, plan.send_size * kComplex);
    else
      demand.delta += (plan.send_size + plan.receive_size) * kComplex;
    demand.stages.push_back(backend::legendre_need<T>(spec.options, tables.legendre_task(), spec.theta_quadrature()));
    demand.stages.push_back(backend::rings_need<T>(tables.ring_task(), ring_lengths));
  }
  return demand;
}

template DeviceDemand device_demand<float>(const FieldTransformSpec&, int);
template DeviceDemand device_demand<double>(const FieldTransformSpec&, int);

}  // namespace armilla::transform
