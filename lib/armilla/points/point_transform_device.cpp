// Device-only part of transforms at points.
#include <armilla/comm/phase.hpp>
#include <armilla/points/point_transform.hpp>
#include <armilla/transform/device_work.hpp>

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace armilla::points {

using core::at;

namespace {

/// The fields of values [field][point].
template <class T>
std::vector<std::span<T>> fields_of(std::span<T> values, Index count, Index points) {
  std::vector<std::span<T>> fields;
  for (Index f = 0; f < count; ++f) fields.push_back(values.subspan(at(f * points), at(points)));
  return fields;
}

}  // namespace

template <class T>
void PointTransform<T>::synthesis(const transform::AlmField<T>& alm, backend::DualBuffer<T>& values) {
  if (!device_ || comm_.size() > 1) {
    std::span<T> all;
    comm::phase(comm_, [&] { all = {values.overwrite(backend::host_memory()), at(values.size())}; });
    return synthesis(alm, fields_of<T>(all, fields(), points()));
  }
  make_torus(alm);
  phase("points", [&] { device_->interpolate(*halo_, *torus_, values.overwrite(device_->memory())); });
}

template <class T>
void PointTransform<T>::adjoint_synthesis(const backend::DualBuffer<T>& values, transform::AlmField<T>& alm) {
  if (!device_ || comm_.size() > 1) {
    std::span<const T> all;
    comm::phase(comm_, [&] { all = values.host(); });
    return adjoint_synthesis(fields_of<const T>(all, fields(), points()), alm);
  }
  phase("points", [&] { device_->spread(*halo_, values.read(device_->memory()), *torus_); });
  from_torus(alm);
}

template <class T>
backend::DeviceEstimate PointTransform<T>::device_memory(const PointTransformSpec& spec,
                                                         const nufft::KernelChoice& kernel, dist::PairRange pairs,
                                                         Index owned, int ranks, int rank) {
  const transform::FieldTransformSpec torus = torus_spec(spec, kernel, ranks);
  const std::vector<nufft::Band> all = bands(kernel, pairs);
  backend::DeviceEstimate memory = transform::FieldTransform<T>::device_memory(torus, rank);
  memory += DeviceSums<T>::memory(kernel, all, owned, spec.maps * spec.kind.components(), ranks);
  const core::MemoryEstimate fields = torus.map_memory<T>(rank) + torus.alm_memory<T>(rank);
  memory.held += fields;
  // Points are placed before these fields come to the device.
  if (is_placed_there(spec, ranks))
    memory.held.kept += std::max<Index>(
        0, backend::placing_bytes<T>(owned, nufft::CellGrid(kernel.fine_length, kernel.width, all.front()).cells()) -
               fields.held());
  return memory;
}

template <class T>
backend::DeviceEstimate PointTransform<T>::device_memory(const PointTransformSpec& spec, std::span<const Index> counts,
                                                         int ranks, int rank) {
  const std::vector<Index> begin = PointOwners::ranges(counts, ranks);
  const dist::PairRange pairs{begin[at(rank)], begin[at(rank + 1)]};
  const Index owned = std::accumulate(counts.begin() + pairs.first, counts.begin() + pairs.end, Index{0});
  return device_memory(spec, choose(spec), pairs, owned, ranks, rank);
}

template <class T>
transform::FieldTransformSpec PointTransform<T>::choose_device_work() {
  if (backend::has_device(spec_.backend) && !spec_.device_work) {
    const int ranks = comm_.size(), rank = comm_.rank();
    const Index room = transform::device_room(comm_, spec_.backend);
    backend::DeviceEstimate memory;
    Index given = 0;
    comm::phase(comm_, [&] {
      memory = device_memory(spec_, kernel_, owners_.pairs(rank), owners_.owned(), ranks, rank);
      given = torus_spec(spec_, kernel_, ranks).template alm_memory<T>(rank).held();
    });
    const auto total = [&](Index work) { return given + memory.with_work(work).peak(); };
    spec_.device_work = transform::choose_device_work(comm_, room, memory.min_work(), total, [&] {
      return core::ErrorContext{
          .text = fmt::format("transform at points on the GPU: each rank may use {} bytes of its memory, but needs {}: "
                              "use more ranks and GPUs, single precision, fewer fields at once, or backend: cpu",
                              room, total(memory.min_work()))};
    });
  }
  return torus_spec(spec_, kernel_, comm_.size());
}

template <class T>
void PointTransform<T>::make_device(const backend::Placement& place, std::span<const Index> spins, const Given& given) {
  std::shared_ptr<backend::Context<T>> context = backend::make_context<T>(spec_.backend, place);
  context->set_work(*spec_.device_work);
  std::vector<DevicePart<T>> parts;
  for (const Part& part : parts_) parts.push_back(DevicePart<T>::of(*part.plan, part.numbers));
  std::optional<DevicePlan<T>> plan;
  if (parts_.empty() && is_placed_there(spec_, comm_.size())) {
    const DevicePositions copied =
        given.there != nullptr ? DevicePositions() : DevicePositions::copy(context->memory(), given.theta, given.phi);
    plan.emplace(*context, kernel_, bands(kernel_, owners_.pairs(0)).front(),
                 given.there != nullptr ? *given.there : copied);
    parts.push_back(plan->part());
  }
  device_ = std::make_unique<DeviceSums<T>>(comm_, std::move(context), torus_->distribution(), *halo_, parts, spins,
                                            owners_.owned());
  parts_.clear();
}

template void PointTransform<float>::synthesis(const transform::AlmField<float>&, backend::DualBuffer<float>&);
template void PointTransform<float>::adjoint_synthesis(const backend::DualBuffer<float>&, transform::AlmField<float>&);
template backend::DeviceEstimate PointTransform<float>::device_memory(const PointTransformSpec&, std::span<const Index>,
                                                                      int, int);
template transform::FieldTransformSpec PointTransform<float>::choose_device_work();
template void PointTransform<float>::make_device(const backend::Placement&, std::span<const Index>, const Given&);
template void PointTransform<double>::synthesis(const transform::AlmField<double>&, backend::DualBuffer<double>&);
template void PointTransform<double>::adjoint_synthesis(const backend::DualBuffer<double>&,
                                                        transform::AlmField<double>&);
template backend::DeviceEstimate PointTransform<double>::device_memory(const PointTransformSpec&,
                                                                       std::span<const Index>, int, int);
template transform::FieldTransformSpec PointTransform<double>::choose_device_work();
template void PointTransform<double>::make_device(const backend::Placement&, std::span<const Index>, const Given&);

}  // namespace armilla::points
