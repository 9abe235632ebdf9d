#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/nufft/interpolate.hpp>
#include <armilla/nufft/spread.hpp>
#include <armilla/points/numbered_points.hpp>
#include <armilla/points/point_transform.hpp>
#include <armilla/transform/device_work.hpp>

#include <algorithm>
#include <numbers>
#include <numeric>

namespace armilla::points {

using core::at;

namespace {

// Number of fields that share kernel values. With more fields, their cells would not fit in the caches.
constexpr std::size_t kFieldsAtOnce = 4;

/// The fine grid on 0 .. pi, as a ring grid.
std::shared_ptr<const grid::RingGrid> fine_rings(const nufft::KernelChoice& kernel) {
  const Index length = kernel.fine_length, rows = length / 2;
  std::vector<double> theta;
  for (Index i = 0; i < rows; ++i)
    theta.push_back(static_cast<double>(std::numbers::pi_v<long double> * static_cast<long double>(2 * i + 1) /
                                        static_cast<long double>(length)));
  const std::vector<double> phi0(at(rows), 0.0);
  const std::vector<Index> nphi(at(rows), length);
  grid::RingGrid grid = grid::make_rings(theta, phi0, nphi, {}, "fine grid");
  // Deconvolved values decay more slowly than those of the field. A margin of one width suffices for 1e-12.
  grid.set_order_margin(2 * kernel.width);
  return std::make_shared<const grid::RingGrid>(std::move(grid));
}

/// [map, component]
std::vector<Index> spins_of(const PointTransformSpec& spec) {
  std::vector<Index> spins;
  for (Index map = 0; map < spec.maps; ++map)
    for (const Index spin : spec.kind.spins()) spins.push_back(spin);
  return spins;
}

}  // namespace

template <class T>
nufft::KernelChoice PointTransform<T>::choose(const PointTransformSpec& spec) {
  return nufft::choose_kernel(spec.alm->layout().lmax(), spec.accuracy, core::kPrecisionOf<T>);
}

template <class T>
transform::FieldTransformSpec PointTransform<T>::torus_spec(const PointTransformSpec& spec,
                                                            const nufft::KernelChoice& kernel, int ranks) {
  transform::FieldTransformSpec torus{.kind = spec.kind,
                                      .alm = spec.alm,
                                      .pixels = std::make_shared<dist::PixelDistribution>(fine_rings(kernel), ranks),
                                      .maps = spec.maps,
                                      .backend = spec.backend,
                                      .device_work = spec.device_work};
  torus.options.engine = spec.engine;
  torus.options.deconvolved = {kernel.fine_length / 2, kernel.width, kernel.oversampling};
  return torus;
}

template <class T>
std::vector<nufft::Band> PointTransform<T>::bands(const nufft::KernelChoice& kernel, dist::PairRange pairs) {
  if (pairs.first >= pairs.end) return {};
  // One more row, because the row of a point is rounded.
  const Index rows = kernel.fine_length / 2, halo = (kernel.width + 1) / 2 + 1;
  // Rows beyond a pole require the rows that they mirror.
  const Index reach = pairs.first < halo ? std::max(pairs.end + halo, halo) : pairs.end + halo;
  const nufft::Band north{pairs.first - halo, reach - (pairs.first - halo)};
  if (north.end_row() >= rows - north.end_row()) return {{north.first_row, rows - 2 * north.first_row}};
  return {north, {rows - north.end_row(), north.rows}};
}

template <class T>
std::vector<dist::PairRange> PointTransform<T>::needed(const nufft::KernelChoice& kernel,
                                                       std::span<const Index> begin) {
  std::vector<dist::PairRange> all;
  const Index pairs = kernel.fine_length / 4;
  for (std::size_t rank = 0; rank + 1 < begin.size(); ++rank) {
    const std::vector<nufft::Band> rows = bands(kernel, {begin[rank], begin[rank + 1]});
    if (rows.empty())
      all.push_back({0, 0});
    else
      all.push_back({std::max(Index{0}, rows.front().first_row),
                     rows.size() == 1 ? pairs : std::min(pairs, rows.front().end_row())});
  }
  return all;
}

template <class T>
PointTransform<T>::PointTransform(const comm::Communicator& comm, PointTransformSpec spec,
                                  std::span<const double> theta, std::span<const double> phi,
                                  transform::Monitor monitor)
    : PointTransform(comm, std::move(spec), Given{theta, phi}, std::move(monitor)) {}

template <class T>
PointTransform<T>::PointTransform(const comm::Communicator& comm, PointTransformSpec spec,
                                  const DevicePositions& positions, transform::Monitor monitor)
    : PointTransform(comm, std::move(spec), Given{{}, {}, &positions}, std::move(monitor)) {}

template <class T>
PointOwners PointTransform<T>::owners_of(const comm::Communicator& comm, Index rows, const Given& given) {
  return given.there != nullptr ? PointOwners(comm, rows, given.there->count)
                                : PointOwners(comm, rows, given.theta, given.phi);
}

template <class T>
PointTransform<T>::PointTransform(const comm::Communicator& comm, PointTransformSpec spec, const Given& given,
                                  transform::Monitor monitor)
    : comm_(comm),
      spec_(std::move(spec)),
      monitor_(std::move(monitor)),
      kernel_(choose(spec_)),
      owners_(owners_of(comm, kernel_.fine_length / 2, given)),
      transform_(comm, choose_device_work(), monitor_),
      deconvolution_(kernel_.kernel().deconvolution(spec_.alm->layout().mmax(), kernel_.fine_length)) {
  const backend::Placement place = transform::placement(comm, spec_.backend);
  comm::phase(comm, [&] {
    scaled_.emplace(spec_.kind, spec_.alm, comm.rank(), spec_.maps);
    torus_.emplace(spec_.kind, transform_.spec().pixels, comm.rank(), spec_.maps);
    halo_.emplace(comm, transform_.spec().pixels, needed(kernel_, owners_.pair_begin()),
                  spec_.maps * spec_.kind.components(), transform::RingHalo<T>::Use::kBoth);
    if (!is_placed_there(spec_, comm.size())) make_parts();
    if (backend::has_device(spec_.backend)) make_device(place, spins_of(spec_), given);
  });
}

template <class T>
void PointTransform<T>::make_parts() {
  const std::vector<Index> spins = spins_of(spec_);
  const std::vector<nufft::Band> all = bands(kernel_, owners_.pairs(comm_.rank()));
  for (const nufft::Band& band : all) {
    Part& part = parts_.emplace_back();
    std::span<const double> theta = owners_.theta(), phi = owners_.phi();
    std::vector<double> some_theta, some_phi;
    if (all.size() > 1) {
      part.numbers = in_hemisphere(theta, &band == &all.front());
      some_theta.resize(part.numbers.size());
      some_phi.resize(part.numbers.size());
      gather<double>(theta.data(), part.numbers, some_theta.data());
      gather<double>(phi.data(), part.numbers, some_phi.data());
      theta = some_theta;
      phi = some_phi;
    }
    part.plan = std::make_unique<nufft::PointPlan<T>>(kernel_, band, theta, phi);
    part.rows = std::make_unique<TorusRows<T>>(torus_->distribution(), comm_.rank(), band, spins);
  }
}

template <class T>
void PointTransform<T>::phase(const char* name, const std::function<void()>& work) const {
  std::optional<core::ScopedPhase> timer;
  if (monitor_.timers != nullptr) timer.emplace(*monitor_.timers, name);
  work();
}

template <class T>
void PointTransform<T>::make_torus(const transform::AlmField<T>& alm) {
  comm::phase(comm_, [&] { transform::multiply_orders(alm, deconvolution_, *scaled_, transform_.memory()); });
  transform_.synthesis(*scaled_, *torus_);
}

template <class T>
void PointTransform<T>::from_torus(transform::AlmField<T>& alm) {
  transform_.adjoint_synthesis(*torus_, alm);
  comm::phase(comm_, [&] { transform::multiply_orders(alm, deconvolution_, alm, transform_.memory()); });
}

template <class T>
void PointTransform<T>::synthesis(const transform::AlmField<T>& alm, Values values) {
  make_torus(alm);
  phase("points", [&] {
    if (device_) return device_->interpolate(owners_, *halo_, *torus_, values);
    const auto fields = transform::host_components(std::as_const(*torus_));
    const std::size_t count = fields.size();
    const bool alone = comm_.size() == 1;
    core::AlignedBuffer<T> owned;
    std::vector<T*> to;
    comm::phase(comm_, [&] {
      if (!alone) owned = core::AlignedBuffer<T>(static_cast<Index>(count) * owners_.owned());
      for (std::size_t f = 0; f < count; ++f)
        to.push_back(alone ? values[f].data() : owned.data() + static_cast<Index>(f) * owners_.owned());
    });
    halo_->exchange(comm_, fields, [&](bool own) {
      if (own) return;
      for (Part& part : parts_) {
        part.rows->gather(*halo_);
        core::AlignedBuffer<T> some;
        std::vector<T*> targets = to;
        if (parts_.size() > 1) {
          const auto points = static_cast<Index>(part.numbers.size());
          some = core::AlignedBuffer<T>(static_cast<Index>(count) * points);
          for (std::size_t f = 0; f < count; ++f) targets[f] = some.data() + static_cast<Index>(f) * points;
        }
        for (std::size_t f = 0; f < count; f += kFieldsAtOnce) {
          const std::size_t now = std::min(kFieldsAtOnce, count - f);
          nufft::interpolate<T>(*part.plan, part.rows->from().subspan(f, now), std::span(targets).subspan(f, now));
        }
        if (parts_.size() > 1)
          for (std::size_t f = 0; f < count; ++f) scatter<T>(targets[f], part.numbers, to[f]);
      }
    });
    std::vector<T*> given;
    for (const std::span<T> field : values) given.push_back(field.data());
    owners_.give_back<T>(std::vector<const T*>(to.begin(), to.end()), given);
  });
}

template <class T>
void PointTransform<T>::adjoint_synthesis(ConstValues values, transform::AlmField<T>& alm) {
  phase("points", [&] {
    if (device_) return device_->spread(owners_, *halo_, values, *torus_);
    const std::size_t count = values.size();
    const bool alone = comm_.size() == 1;
    core::AlignedBuffer<T> owned;
    std::vector<const T*> given, from;
    std::vector<T*> taken;
    comm::phase(comm_, [&] {
      for (const std::span<const T> field : values) given.push_back(field.data());
      from = given;
      if (alone) return;
      owned = core::AlignedBuffer<T>(static_cast<Index>(count) * owners_.owned());
      for (std::size_t f = 0; f < count; ++f) {
        taken.push_back(owned.data() + static_cast<Index>(f) * owners_.owned());
        from[f] = taken.back();
      }
    });
    if (!alone) owners_.take<T>(given, taken);
    std::vector<std::span<T>> fields;
    comm::phase(comm_, [&] {
      for (Index map = 0; map < spec_.maps; ++map)
        for (Index c = 0; c < spec_.kind.components(); ++c) {
          fields.push_back(torus_->component(map, c));
          std::ranges::fill(fields.back(), T(0));  // for rows that are in no band of this rank
        }
      for (Part& part : parts_) {
        part.rows->prepare(*halo_, fields);
        core::AlignedBuffer<T> some;
        std::vector<const T*> sources = from;
        if (parts_.size() > 1) {
          const auto points = static_cast<Index>(part.numbers.size());
          some = core::AlignedBuffer<T>(static_cast<Index>(count) * points);
          for (std::size_t f = 0; f < count; ++f) {
            T* to = some.data() + static_cast<Index>(f) * points;
            gather<T>(from[f], part.numbers, to);
            sources[f] = to;
          }
        }
        for (std::size_t f = 0; f < count; f += kFieldsAtOnce) {
          const std::size_t now = std::min(kFieldsAtOnce, count - f);
          nufft::spread<T>(*part.plan, std::span<const T* const>(sources).subspan(f, now),
                           part.rows->to().subspan(f, now));
        }
        part.rows->fold();
      }
    });
    halo_->add_outgoing(comm_, fields);
  });
  from_torus(alm);
}

template <class T>
core::MemoryEstimate PointTransform<T>::memory(const PointTransformSpec& spec, std::span<const Index> counts, int ranks,
                                               int rank, Index given) {
  const nufft::KernelChoice kernel = choose(spec);
  const transform::FieldTransformSpec torus = torus_spec(spec, kernel, ranks);
  const Index fields = spec.maps * spec.kind.components();
  constexpr auto kReal = static_cast<Index>(sizeof(T)), kDouble = static_cast<Index>(sizeof(double));
  const std::vector<Index> begin = PointOwners::ranges(counts, ranks);
  const dist::PairRange pairs{begin[at(rank)], begin[at(rank + 1)]};
  const Index owned = std::accumulate(counts.begin() + pairs.first, counts.begin() + pairs.end, Index{0});
  const std::vector<nufft::Band> all = bands(kernel, pairs);
  const auto with_torus = [&](const core::MemoryEstimate& sums) {
    // Includes rows of the fine grid, and coefficients times the deconvolution.
    return in_turn(
        transform::FieldTransform<T>::memory(torus, rank) + torus.map_memory<T>(rank) + torus.alm_memory<T>(rank),
        sums);
  };
  if (is_placed_there(spec, ranks)) return with_torus(DevicePlan<T>::memory(kernel, all.front(), owned));
  core::MemoryEstimate sums;
  Index rows = 0, planning = 0;
  for (const nufft::Band& band : all) {
    const core::MemoryEstimate plan = nufft::PointPlan<T>::memory(kernel, band, owned / static_cast<Index>(all.size()));
    sums.tables += plan.tables;
    // All points may be in one of two bands.
    planning = std::max(planning, nufft::PointPlan<T>::memory(kernel, band, owned).workspace);
    sums.kept += TorusRows<T>::bytes(kernel.fine_length, band, fields);
    rows += band.rows;
  }
  // Rows shared by strips of cells, for the fields processed at once.
  Index sorting = std::min<Index>(fields, kFieldsAtOnce) * kReal * (rows / nufft::kCellRows + 2) * kernel.width *
                  kernel.fine_length;
  if (all.size() > 1) {
    sums.tables += owned * static_cast<Index>(sizeof(Index));
    planning += owned * kDouble;  // indices of half of the points
    sorting += owned / 2 * fields * kReal;
  }
  if (ranks > 1) {
    sums.kept += transform::RingHalo<T>::bytes(*torus.pixels, needed(kernel, begin), rank, fields,
                                               transform::RingHalo<T>::Use::kBoth);
    sums.tables += (given + 2 * owned) * kDouble;
    planning = std::max(planning, (given + owned) * 2 * kDouble + given * static_cast<Index>(sizeof(int)));
    const Index carried = (given + owned) * 2 * ((fields + 1) / 2) * kReal;
    sorting = owned * fields * kReal + std::max(sorting, carried);
  }
  sums.workspace = std::max(planning, sorting);
  return with_torus(sums);
}

template <class T>
Index PointTransform<T>::rows(const PointTransformSpec& spec) {
  return choose(spec).fine_length / 2;
}

ARMILLA_INSTANTIATE_CLASS(PointTransform);

}  // namespace armilla::points
