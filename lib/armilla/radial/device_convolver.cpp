#include <armilla/core/instantiate.hpp>
#include <armilla/radial/device_convolver.hpp>
#include <armilla/radial/device_tables.hpp>

#include <algorithm>
#include <utility>

namespace armilla::radial {

using core::at;

namespace {

constexpr Index kStageBytes = Index{8} << 20;

/// Calls visit(pair, north, ring) for the rings of a range of pairs.
template <class Visit>
void for_rings(const grid::RingGrid& grid, RowPlan::PairRange pairs, const Visit& visit) {
  for (Index pair = pairs.first; pair < pairs.end; ++pair)
    for (bool north : {true, false})
      if (const grid::Ring* ring = ring_of(grid, pair, north)) visit(pair, north, *ring);
}

/// Offset of each ring of the grid if the rings of a range of pairs are stored contiguously.
std::vector<Index> compact_places(const grid::RingGrid& grid, RowPlan::PairRange pairs) {
  std::vector<Index> places(grid.rings().size(), 0);
  Index next = 0;
  for_rings(grid, pairs, [&](Index pair, bool north, const grid::Ring& ring) {
    places[at(ring_number(grid, pair, north))] = next;
    next += ring.nphi;
  });
  return places;
}

/// Offset of each ring in the local pixels of a rank.
std::vector<Index> own_places(const dist::PixelDistribution& pixels, int rank) {
  std::vector<Index> places(pixels.grid().rings().size(), 0);
  const auto rings = pixels.local_rings(rank);
  const auto first = pixels.local_ring_pixels(rank);
  for (std::size_t i = 0; i < rings.size(); ++i) places[at(rings[i])] = first[i];
  return places;
}

}  // namespace

template <class T>
class DeviceConvolver<T>::Stage {
 public:
  Stage(backend::Memory& memory, void* pinned, void* there)
      : memory_(memory), pinned_(static_cast<T*>(pinned)), there_(static_cast<T*>(there)) {}

  /// Appends values to the device array; call finish() after the last ones.
  void put(const T* from, Index count) {
    while (count > 0) {
      const Index now = std::min(count, kNumbers - held_);
      std::copy_n(from, now, pinned_ + held_);
      held_ += now;
      from += now;
      count -= now;
      if (held_ == kNumbers) finish();
    }
  }
  void finish() {
    memory_.from_host(there_, pinned_, held_ * static_cast<Index>(sizeof(T)));
    there_ += held_;
    held_ = 0;
  }
  /// Reads the next values; `left` is the number of values that have not been read.
  void get(T* to, Index count, Index left) {
    while (count > 0) {
      if (next_ == held_) {
        held_ = std::min(left, kNumbers);
        memory_.to_host(pinned_, there_, held_ * static_cast<Index>(sizeof(T)));
        there_ += held_;
        next_ = 0;
      }
      const Index now = std::min(count, held_ - next_);
      std::copy_n(pinned_ + next_, now, to);
      next_ += now;
      to += now;
      count -= now;
      left -= now;
    }
  }

 private:
  static constexpr Index kNumbers = kStageBytes / static_cast<Index>(sizeof(T));

  backend::Memory& memory_;
  T* pinned_;
  T* there_;
  Index held_ = 0;
  Index next_ = 0;
};

template <class T>
BandMemory DeviceConvolver<T>::device_memory(const dist::PixelDistribution& in,
                                             const std::vector<ConvolutionTarget>& targets, int rank, Index fields) {
  return DeviceBands(in, targets, rank).memory(fields, sizeof(T));
}

template <class T>
core::MemoryEstimate DeviceConvolver<T>::host_memory(const dist::PixelDistribution& in,
                                                     const std::vector<ConvolutionTarget>& targets, int rank,
                                                     Index fields) {
  core::MemoryEstimate estimate;
  estimate.kept = RingHalo<T>::bytes(in, needed_pairs(in, targets), rank, fields) + kStageBytes;
  estimate.kept += device_memory(in, targets, rank, fields).tables;  // for all bands
  return estimate;
}

template <class T>
DeviceConvolver<T>::DeviceConvolver(const comm::Communicator& comm, std::shared_ptr<backend::Context<T>> context,
                                    std::shared_ptr<const dist::PixelDistribution> in,
                                    std::vector<ConvolutionTarget> targets, Index fields, Index work_bytes)
    : comm_(comm),
      context_(std::move(context)),
      in_(std::move(in)),
      targets_(std::move(targets)),
      bands_(DeviceBands(*in_, targets_, comm.rank()).within(work_bytes, fields, sizeof(T))),
      halo_(comm, in_, needed_pairs(*in_, targets_), fields) {
  context_->set_work(work_bytes);
  engine_ = context_->make_radial_engine();
  if (is_at_once()) return;
  const auto bytes = [&](Index pixels) { return fields * pixels * static_cast<Index>(sizeof(T)); };
  Index in_pixels = 0;
  std::vector<Index> out_pixels(targets_.size(), 0);
  for (const DeviceBand& band : bands_) {
    in_pixels = std::max(in_pixels, pixels_of(in_->grid(), band.needed));
    for (std::size_t t = 0; t < targets_.size(); ++t)
      out_pixels[t] = std::max(out_pixels[t], pixels_of(targets_[t].pixels->grid(), band.plans[t].own()));
  }
  pinned_ = context_->memory()->allocate_host(kStageBytes);
  in_pixels_ = context_->memory()->allocate(bytes(in_pixels));
  for (const Index pixels : out_pixels) out_pixels_.push_back(context_->memory()->allocate(bytes(pixels)));
}

template <class T>
void DeviceConvolver<T>::load(std::size_t number, Index fields, bool compact, std::span<const double> weights) {
  const Loaded wanted{number, fields, compact};
  if (loaded_ == wanted) return;
  loaded_.reset();
  const DeviceBand& band = bands_[number];
  const int rank = comm_.rank();
  const std::vector<Index> in_first = compact ? compact_places(in_->grid(), band.needed) : own_places(*in_, rank);
  const PixelPlaces in{in_first, compact ? pixels_of(in_->grid(), band.needed) : in_->local_pixels(rank)};
  std::vector<std::vector<Index>> out_first;
  std::vector<PixelPlaces> out;
  for (std::size_t t = 0; t < targets_.size(); ++t) {
    const dist::PixelDistribution& pixels = *targets_[t].pixels;
    const RowPlan::PairRange own = band.plans[t].own();
    out_first.push_back(compact ? compact_places(pixels.grid(), own) : own_places(pixels, rank));
    out.push_back({out_first.back(), compact ? pixels_of(pixels.grid(), own) : pixels.local_pixels(rank)});
  }
  const auto make = [&] { return make_device_tables(band.plans, weights, in, out, fields); };
  if (bands_.size() == 1) {
    engine_->load(make());
  } else {
    tables_.resize(bands_.size());
    std::optional<backend::RadialTables>& tables = tables_[number];
    if (!tables || tables->fields != fields) tables = make();
    engine_->load(*tables);
  }
  loaded_ = wanted;
}

template <class T>
void DeviceConvolver<T>::at_once(const T* in, std::span<T* const> out, Index fields, std::span<const double> weights) {
  load(0, fields, false, weights);
  (*engine_)(in, out);
}

template <class T>
void DeviceConvolver<T>::operator()(std::span<const std::span<const T>> fields, std::span<const double> weights,
                                    const std::vector<std::vector<std::span<T>>>& out) {
  const auto count = static_cast<Index>(fields.size());
  const auto work = [&](bool own) {
    for (std::size_t band = 0; band < bands_.size(); ++band) {
      const RowPlan::PairRange needed = bands_[band].needed;
      if ((needed.first >= halo_.own().first && needed.end <= halo_.own().end) == own)
        work_on(band, count, weights, out);
    }
  };
  halo_.exchange(comm_, fields, work);
}

template <class T>
void DeviceConvolver<T>::work_on(std::size_t number, Index fields, std::span<const double> weights,
                                 const std::vector<std::vector<std::span<T>>>& out) {
  load(number, fields, true, weights);
  const DeviceBand& band = bands_[number];
  backend::Memory& memory = *context_->memory();
  Stage in(memory, pinned_.get(), in_pixels_.get());
  for (Index field = 0; field < fields; ++field)
    for_rings(in_->grid(), band.needed, [&](Index pair, bool north, const grid::Ring& ring) {
      in.put(halo_.ring(field, pair, north), ring.nphi);
    });
  in.finish();
  std::vector<T*> results;
  for (const auto& pixels : out_pixels_) results.push_back(static_cast<T*>(pixels.get()));
  (*engine_)(static_cast<const T*>(in_pixels_.get()), results);
  for (std::size_t t = 0; t < targets_.size(); ++t) {
    const dist::PixelDistribution& pixels = *targets_[t].pixels;
    const std::vector<Index> places = own_places(pixels, comm_.rank());
    Stage from(memory, pinned_.get(), results[t]);
    Index left = fields * pixels_of(pixels.grid(), band.plans[t].own());
    for (Index field = 0; field < fields; ++field)
      for_rings(pixels.grid(), band.plans[t].own(), [&](Index pair, bool north, const grid::Ring& ring) {
        T* to = out[t][at(field)].data() + places[at(ring_number(pixels.grid(), pair, north))];
        from.get(to, ring.nphi, left);
        left -= ring.nphi;
      });
  }
}

ARMILLA_INSTANTIATE_CLASS(DeviceConvolver);

}  // namespace armilla::radial
