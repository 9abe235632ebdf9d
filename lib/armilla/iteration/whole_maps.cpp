#include <armilla/comm/exchange.hpp>
#include <armilla/comm/phase.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/iteration/whole_maps.hpp>

#include <algorithm>
#include <memory>
#include <numeric>

namespace armilla::iteration {

namespace {

Index share(Index maps, int ranks, int rank) { return maps > rank ? (maps - rank - 1) / ranks + 1 : 0; }

// Offset of each block, followed by the end of the last one.
std::vector<Index> begins(const std::vector<Index>& counts) {
  std::vector<Index> begin(counts.size() + 1, 0);
  std::partial_sum(counts.begin(), counts.end(), begin.begin() + 1);
  return begin;
}

// Number of complex values that hold this number of real ones.
Index pairs(Index reals) { return (reals + 1) / 2; }

}  // namespace

template <class T>
WholeMaps<T>::WholeMaps(const comm::Communicator& comm, const FieldTransformSpec& spec)
    : comm_(comm),
      spec_(spec),
      whole_(whole_spec(spec, comm.rank())),
      map_(spec.kind, whole_.pixels, 0, whole_.maps),
      alm_(spec.kind, whole_.alm, 0, whole_.maps) {}

template <class T>
FieldTransformSpec WholeMaps<T>::whole_spec(const FieldTransformSpec& spec, int rank) {
  FieldTransformSpec whole = spec;
  whole.maps = share(spec.maps, spec.alm->ranks(), rank);
  whole.alm = std::make_shared<dist::AlmDistribution>(spec.alm->layout(), 1, spec.alm->m_step());
  whole.pixels = std::make_shared<dist::PixelDistribution>(spec.pixels->shared_grid(), 1);
  return whole;
}

template <class T>
Index WholeMaps<T>::maps_of(int rank) const {
  return share(spec_.maps, comm_.size(), rank);
}

template <class T>
void WholeMaps<T>::exchange(const std::vector<Index>& send_counts, const std::vector<Index>& receive_counts) {
  const std::vector<Index> from = begins(send_counts);
  const std::vector<Index> to = begins(receive_counts);
  comm::phase(comm_, [&] { receive_.resize(static_cast<std::size_t>(to.back())); });
  comm::exchange<T>(comm_, send_, send_counts, std::span(from).first(send_counts.size()), receive_, receive_counts,
                    std::span(to).first(receive_counts.size()));
}

template <class T>
void WholeMaps<T>::take(const MapField<T>& map) {
  const Index components = spec_.kind.components();
  std::vector<Index> send_counts, receive_counts;
  for (int r = 0; r < comm_.size(); ++r) {
    send_counts.push_back(pairs(maps_of(r) * components * map.local_size()));
    receive_counts.push_back(pairs(whole_.maps * components * spec_.pixels->local_pixels(r)));
  }
  comm::phase(comm_, [&] {
    const std::vector<Index> begin = begins(send_counts);
    send_.assign(static_cast<std::size_t>(begin.back()), Complex(0));
    for (int r = 0; r < comm_.size(); ++r) {
      T* to = reinterpret_cast<T*>(send_.data() + begin[static_cast<std::size_t>(r)]);
      for (Index k = r; k < spec_.maps; k += comm_.size())
        for (Index c = 0; c < components; ++c) to = std::ranges::copy(map.component(k, c), to).out;
    }
  });
  exchange(send_counts, receive_counts);
  const std::vector<Index> begin = begins(receive_counts);
  for (int r = 0; r < comm_.size(); ++r) {
    const T* from = reinterpret_cast<const T*>(receive_.data() + begin[static_cast<std::size_t>(r)]);
    for (Index k = 0; k < whole_.maps; ++k)
      for (Index c = 0; c < components; ++c)
        for (const dist::PixelRange& range : spec_.pixels->pixel_ranges(r)) {
          std::copy_n(from, range.count, map_.component(k, c).data() + range.first);
          from += range.count;
        }
  }
}

template <class T>
void WholeMaps<T>::give(AlmField<T>& alm) {
  const Index components = spec_.kind.components();
  const Index lmax = spec_.alm->layout().lmax();
  std::vector<Index> send_counts, receive_counts;
  for (int r = 0; r < comm_.size(); ++r) {
    send_counts.push_back(whole_.maps * components * spec_.alm->local_size(r));
    receive_counts.push_back(maps_of(r) * components * alm.local_size());
  }
  const std::vector<Index> offsets = whole_.alm->local_offsets(0);
  comm::phase(comm_, [&] {
    send_.resize(static_cast<std::size_t>(begins(send_counts).back()));
    Complex* to = send_.data();
    for (int r = 0; r < comm_.size(); ++r) {
      const std::vector<Index> own_m = spec_.alm->local_m(r);
      for (Index k = 0; k < whole_.maps; ++k)
        for (Index c = 0; c < components; ++c)
          for (const Index m : own_m) {
            const Index offset = offsets[static_cast<std::size_t>(m / spec_.alm->m_step())];
            const std::span<const Complex> from = std::as_const(alm_).component(k, c);
            to = std::copy(from.begin() + offset + m, from.begin() + offset + lmax + 1, to);
          }
    }
  });
  exchange(send_counts, receive_counts);
  const Complex* from = receive_.data();
  for (int r = 0; r < comm_.size(); ++r)
    for (Index k = r; k < spec_.maps; k += comm_.size())
      for (Index c = 0; c < components; ++c) {
        std::copy_n(from, alm.local_size(), alm.component(k, c).data());
        from += alm.local_size();
      }
}

template <class T>
core::MemoryEstimate WholeMaps<T>::memory(const FieldTransformSpec& spec, int rank) {
  const FieldTransformSpec own = whole_spec(spec, rank);
  const Index maps = spec.map_memory<T>(rank).held();
  const Index alm = spec.alm_memory<T>(rank).held();
  const Index own_maps = own.map_memory<T>(0).held();
  const Index own_alm = own.alm_memory<T>(0).held();
  return {.kept = own_maps + own_alm, .workspace = std::max(own_maps, alm) + std::max(maps, own_alm)};
}

ARMILLA_INSTANTIATE_CLASS(WholeMaps);

}  // namespace armilla::iteration
