#include <armilla/comm/phase.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/io/root_stream.hpp>

#include <algorithm>
#include <numeric>

namespace armilla::io {

namespace {

using core::at;

dist::PixelRange common(const dist::PixelRange& a, Index first, Index count) {
  const Index begin = std::max(a.first, first);
  const Index end = std::min(a.first + a.count, first + count);
  return {begin, std::max<Index>(end - begin, 0)};
}

Index sum_of(std::span<const Index> counts) { return std::accumulate(counts.begin(), counts.end(), Index{0}); }

/// Collective. `received` of the root has room for all.
template <class V>
void collect(const comm::Communicator& comm, const std::vector<V>& sent, std::span<const Index> counts,
             std::vector<V>& received) {
  constexpr Index size = sizeof(V);
  std::vector<Index> bytes(counts.begin(), counts.end());
  for (Index& count : bytes) count *= size;
  comm.gather_bytes(sent.data(), static_cast<Index>(sent.size()) * size, bytes, received.data());
}

}  // namespace

template <class T>
PixelStream<T>::PixelStream(const comm::Communicator& comm, const dist::PixelDistribution& pixels) : comm_(comm) {
  comm::phase(comm, [&] {
    for (int rank = 0; rank < comm.size(); ++rank) ranges_.push_back(pixels.pixel_ranges(rank));
  });
}

template <class T>
PixelStream<T>::PixelStream(const comm::Communicator& comm, std::span<const dist::PixelRange> ranges) : comm_(comm) {
  for (const dist::PixelRange& range : ranges) ranges_.push_back({range});
}

template <class T>
void PixelStream<T>::gather(std::span<const T> mine, Index first, Index count, std::span<T> out) {
  std::vector<Index> counts;
  comm::phase(comm_, [&] {
    sent_.clear();
    Index before = 0;
    for (const dist::PixelRange& range : ranges_[at(comm_.rank())]) {
      const dist::PixelRange part = common(range, first, count);
      if (part.count > 0) {
        const T* begin = mine.data() + before + (part.first - range.first);
        sent_.insert(sent_.end(), begin, begin + part.count);
      }
      before += range.count;
    }
    for (const auto& ranges : ranges_) {
      counts.push_back(0);
      for (const dist::PixelRange& range : ranges) counts.back() += common(range, first, count).count;
    }
    if (comm_.is_root()) received_.resize(at(sum_of(counts)));
  });
  collect(comm_, sent_, counts, received_);
  if (!comm_.is_root()) return;
  const T* source = received_.data();
  for (const auto& ranges : ranges_) {
    for (const dist::PixelRange& range : ranges) {
      const dist::PixelRange part = common(range, first, count);
      if (part.count == 0) continue;
      std::copy(source, source + part.count, out.data() + (part.first - first));
      source += part.count;
    }
  }
}

template <class T>
AlmStream<T>::AlmStream(const comm::Communicator& comm, const dist::AlmDistribution& alm)
    : comm_(comm), layout_(alm.layout()) {
  comm::phase(comm, [&] {
    offsets_ = alm.local_offsets(comm.rank());
    for (int rank = 0; rank < comm.size(); ++rank) own_m_.push_back(alm.local_m(rank));
  });
}

template <class T>
Index AlmStream<T>::begin_of(Index l) const {
  const Index full = std::min(l, layout_.mmax() + 1);
  return full * (full + 1) / 2 + (l - full) * (layout_.mmax() + 1);
}

template <class T>
void AlmStream<T>::gather(std::span<const std::complex<T>> mine, Index first, Index last,
                          std::span<std::complex<T>> out) {
  std::vector<Index> counts;
  comm::phase(comm_, [&] {
    sent_.clear();
    const std::vector<Index>& own = own_m_[at(comm_.rank())];
    for (Index l = first; l < last; ++l)
      for (std::size_t k = 0; k < own.size() && own[k] <= l; ++k) sent_.push_back(mine[at(offsets_[k] + l)]);
    for (const std::vector<Index>& ms : own_m_) {
      counts.push_back(0);
      for (const Index m : ms) counts.back() += std::max<Index>(last - std::max(first, m), 0);
    }
    if (comm_.is_root()) received_.resize(at(sum_of(counts)));
  });
  collect(comm_, sent_, counts, received_);
  if (!comm_.is_root()) return;
  const std::complex<T>* source = received_.data();
  for (const std::vector<Index>& ms : own_m_)
    for (Index l = first; l < last; ++l)
      for (std::size_t k = 0; k < ms.size() && ms[k] <= l; ++k)
        out[at(begin_of(l) + ms[k] - begin_of(first))] = *source++;
}

ARMILLA_INSTANTIATE_CLASS(PixelStream);
ARMILLA_INSTANTIATE_CLASS(AlmStream);

}  // namespace armilla::io
