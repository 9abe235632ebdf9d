#include <armilla/core/aligned_buffer.hpp>
#include <armilla/fft/ring_fold.hpp>
#include <armilla/fft/ring_transform.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace armilla::fft {

namespace {

// Delta_m of a block is a run of this many bytes for each m, where the rank's rings suffice: two cache lines.
constexpr Index kRunBytes = 128;
// A chirped ring costs about this many times as much as a direct one of its length.
constexpr double kChirpCost = 4.0;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

Index padded_to(Index count, Index multiple) { return (count + multiple - 1) / multiple * multiple; }

}  // namespace

// Delta_m of the rings of a block for kTileM values of m, one row per ring and w.
template <class T>
struct RingTransform<T>::Tile {
  // Rows of a power of two would fall onto the same few sets of the cache.
  static constexpr Index kStride = kTileM + 4;
  struct Source {
    Index row;       // of `values`
    Index position;  // s * width + w of the first w
    Index m_count;
  };

  std::complex<T>* row(Index unit, Index part, Index columns, Index w) {
    return values.data() + ((2 * unit + part) * columns + w) * kStride;
  }

  void set_lines(Index w_count) {
    lines.clear();
    for (const Source& source : sources)
      for (Index w = 0; w < w_count; ++w)
        if (lines.empty() || source.position + w >= lines.back() + kLineValues) lines.push_back(source.position + w);
    if (lines.back() != sources.back().position + w_count - 1) lines.push_back(sources.back().position + w_count - 1);
  }

  // Calls body(position in delta, tile value) for m = first .. first + count - 1, m by m, and has the lines of later m
  // fetched: `delta` is far apart for neighbouring m, which no prefetcher of the hardware follows.
  template <class Body>
  void for_each(std::span<const Index> m_shift, Index first, Index count, Index w_count, const std::complex<T>* delta,
                const Body& body) {
    for (Index i = 0; i < count; ++i) {
      const Index shift = m_shift[at(first + i)];
      const Index ahead = first + i + kAhead < sources.back().m_count ? m_shift[at(first + i + kAhead)] : shift;
      for (const Index position : lines) __builtin_prefetch(delta + ahead + position);
      for (const Source& source : sources) {
        if (first + i >= source.m_count) continue;
        std::complex<T>* value = values.data() + source.row * kStride + i;
        for (Index w = 0; w < w_count; ++w) body(shift + source.position + w, value[w * kStride]);
      }
    }
  }

  static constexpr Index kAhead = 24;
  static constexpr Index kLineValues = 64 / static_cast<Index>(sizeof(std::complex<T>));
  core::AlignedBuffer<std::complex<T>> values;
  std::vector<Source> sources;
  std::vector<Index> lines;  // positions of one value in each cache line of an m
};

template <class T>
struct RingTransform<T>::Workspace {
  explicit Workspace(const RingTransform& owner)
      : transform(owner),
        chirps(owner.plans_->workspace()),
        stride(padded_to(owner.longest_, 8) + 8),
        spectra(stride * owner.columns_ * static_cast<Index>(owner.most_units_)),
        values(owner.longest_),
        phases(2 * owner.most_units_) {
    const Index rows = 2 * static_cast<Index>(owner.most_units_) * owner.columns_;
    tile.values = core::AlignedBuffer<std::complex<T>>(rows * Tile::kStride);
    tile.sources.reserve(2 * owner.most_units_);
  }

  void set_block(const Block& block_, Index w_begin_, Index w_count_) {
    block = &block_;
    w_begin = w_begin_;
    w_count = w_count_;
    tile.sources.clear();
    for (std::size_t u = block->begin; u < block->end; ++u) {
      const Unit& unit = transform.units_[u];
      for (const auto& [part, slot] : {std::pair(Index{0}, unit.real), std::pair(Index{1}, unit.imaginary)}) {
        if (slot < 0) continue;
        const RingShape& ring = transform.task_.rings[at(slot)];
        const Index local = static_cast<Index>(u - block->begin);
        tile.sources.push_back(
            {(2 * local + part) * transform.columns_, slot * transform.task_.width() + w_begin, ring.m_count});
        phases[at(2 * local + part)].set(ring.phi0, ring.m_count);
      }
    }
    tile.set_lines(w_count);
  }

  std::complex<T>* spectrum(std::size_t unit, Index w) {
    return spectra.data() + (static_cast<Index>(unit - block->begin) * transform.columns_ + w) * stride;
  }

  // Calls body(unit, w, north, south, count) for the units of the block that feel m = first or more.
  template <class Body>
  void for_each_unit(Index first, const Body& body) {
    for (std::size_t u = block->begin; u < block->end; ++u) {
      const Unit& unit = transform.units_[u];
      const RingShape& north = transform.task_.rings[at(unit.real)];
      const Index count = std::min(kTileM, north.m_count - first);
      if (count <= 0) continue;
      const Index local = static_cast<Index>(u - block->begin);
      fill_phase(phases[at(2 * local)], first, count, tile_phase[0]);
      const bool paired = unit.imaginary >= 0;
      const bool same = paired && transform.task_.rings[at(unit.imaginary)].phi0 == north.phi0;
      if (paired && !same) fill_phase(phases[at(2 * local + 1)], first, count, tile_phase[1]);
      for (Index w = 0; w < w_count; ++w)
        body(u, w, RingTile<T>{tile.row(local, 0, transform.columns_, w), &tile_phase[0]},
             RingTile<T>{paired ? tile.row(local, 1, transform.columns_, w) : nullptr, &tile_phase[same ? 0 : 1]},
             count);
    }
  }

  static void fill_phase(const RingPhase& phase, Index first, Index count, TilePhase& out) {
    for (Index i = 0; i < count; ++i) {
      const std::complex<double> p = phase(first + i);
      out.re[i] = p.real();
      out.im[i] = p.imag();
    }
  }

  const RingTransform& transform;
  ChirpWorkspace<T> chirps;
  Index stride;  // between spectra: whole cache lines, and not a power of two
  core::AlignedBuffer<std::complex<T>> spectra;
  core::AlignedBuffer<std::complex<T>> values;  // pixels of one pair of rings
  Tile tile;
  std::vector<RingPhase> phases;  // [unit][part]
  TilePhase tile_phase[2];
  const Block* block = nullptr;
  Index w_begin = 0;
  Index w_count = 0;
};

template <class T>
RingTransform<T>::RingTransform(RingTask task, std::shared_ptr<PlanCache<T>> plans)
    : task_(std::move(task)), plans_(std::move(plans)) {
  for (const RingShape& ring : task_.rings) {
    plans_->prepare(ring.nphi);
    longest_ = std::max(longest_, ring.nphi);
  }
  make_units();
  make_blocks();
}

template <class T>
void RingTransform<T>::make_units() {
  const Index slots = static_cast<Index>(task_.rings.size());
  for (Index slot = 0; slot < slots; ++slot) {
    const RingShape& ring = task_.rings[at(slot)];
    Index mirror = ring.mirror;
    if (mirror >= 0) {
      const RingShape& image = task_.rings[at(mirror)];
      if (image.nphi != ring.nphi || image.m_count != ring.m_count) mirror = -1;
    }
    if (mirror < 0 || slot < mirror) units_.push_back({slot, mirror});
  }
}

template <class T>
void RingTransform<T>::make_blocks() {
  const Index run = kRunBytes / static_cast<Index>(sizeof(std::complex<T>));
  columns_ = std::min(run, task_.width());
  for (std::size_t u = 0; u < units_.size();) {
    Block block{u, u, 0, 0, 0};
    for (Index values = 0; u < units_.size() && values < run; ++u) {
      const RingShape& ring = task_.rings[at(units_[u].real)];
      const double n = static_cast<double>(ring.nphi);
      block.end = u + 1;
      block.nphi = std::max(block.nphi, ring.nphi);
      block.m_count = std::max(block.m_count, ring.m_count);
      block.cost += n * (1 + std::log2(n)) * (RingFft<T>::is_direct(ring.nphi) ? 1.0 : kChirpCost) +
                    4 * static_cast<double>(ring.m_count);
      values += (units_[u].imaginary >= 0 ? 2 : 1) * task_.width();
    }
    most_units_ = std::max(most_units_, block.end - block.begin);
    blocks_.push_back(block);
  }
  std::ranges::stable_sort(blocks_, std::greater<>(), &Block::cost);
}

template <class T>
Index RingTransform<T>::first_pixel(Index slot, Index w) const {
  return (w % task_.maps) * task_.map_stride + (w / task_.maps) * task_.component_stride + task_.rings[at(slot)].pixel;
}

template <class T>
template <class Work>
void RingTransform<T>::for_each_block(const Work& work) const {
#pragma omp parallel
  {
    Workspace workspace(*this);
#pragma omp for schedule(dynamic, 1)
    for (std::size_t b = 0; b < blocks_.size(); ++b)
      for (Index w = 0; w < task_.width(); w += columns_) {
        workspace.set_block(blocks_[b], w, std::min(columns_, task_.width() - w));
        work(workspace);
      }
  }
}

template <class T>
void RingTransform<T>::synthesis(const std::complex<T>* delta, T* map) const {
  for_each_block([&](Workspace& work) {
    const Block& block = *work.block;
    for (std::size_t u = block.begin; u < block.end; ++u)
      for (Index w = 0; w < work.w_count; ++w)
        std::fill_n(work.spectrum(u, w), task_.rings[at(units_[u].real)].nphi, std::complex<T>(0));
    for (Index m = 0; m < block.m_count; m += kTileM) {
      work.tile.for_each(task_.m_shift, m, std::min(kTileM, block.m_count - m), work.w_count, delta,
                         [&](Index position, std::complex<T>& value) { value = delta[position]; });
      work.for_each_unit(m,
                         [&](std::size_t u, Index w, const RingTile<T>& north, const RingTile<T>& south, Index count) {
                           fold(north, south, m, count, task_.rings[at(units_[u].real)].nphi, work.spectrum(u, w));
                         });
    }
    for (std::size_t u = block.begin; u < block.end; ++u) {
      const Unit& unit = units_[u];
      const Index n = task_.rings[at(unit.real)].nphi;
      for (Index w = 0; w < work.w_count; ++w) {
        std::complex<T>* z = work.values.data();  // becomes north - i south
        plans_->at(n).forward(work.spectrum(u, w), z, work.chirps);
        T* north = map + first_pixel(unit.real, work.w_begin + w);
        for (Index j = 0; j < n; ++j) north[j] = z[j].real();
        if (unit.imaginary < 0) continue;
        T* south = map + first_pixel(unit.imaginary, work.w_begin + w);
        for (Index j = 0; j < n; ++j) south[j] = -z[j].imag();
      }
    }
  });
}

template <class T>
void RingTransform<T>::adjoint(const T* map, std::span<const double> factor, std::complex<T>* delta) const {
  const auto scale = [&](Index slot) { return factor.empty() || slot < 0 ? 1.0 : factor[at(slot)]; };
  for_each_block([&](Workspace& work) {
    const Block& block = *work.block;
    for (std::size_t u = block.begin; u < block.end; ++u) {
      const Unit& unit = units_[u];
      const Index n = task_.rings[at(unit.real)].nphi;
      for (Index w = 0; w < work.w_count; ++w) {
        std::complex<T>* z = work.values.data();
        const T* north = map + first_pixel(unit.real, work.w_begin + w);
        if (unit.imaginary >= 0) {
          const T* south = map + first_pixel(unit.imaginary, work.w_begin + w);
          for (Index j = 0; j < n; ++j) z[j] = {north[j], south[j]};
        } else {
          for (Index j = 0; j < n; ++j) z[j] = {north[j], T(0)};
        }
        plans_->at(n).forward(z, work.spectrum(u, w), work.chirps);
      }
    }
    for (Index m = 0; m < block.m_count; m += kTileM) {
      work.for_each_unit(m,
                         [&](std::size_t u, Index w, const RingTile<T>& north, const RingTile<T>& south, Index count) {
                           const Unit& unit = units_[u];
                           unfold(work.spectrum(u, w), m, count, task_.rings[at(unit.real)].nphi, scale(unit.real),
                                  scale(unit.imaginary), north, south);
                         });
      work.tile.for_each(task_.m_shift, m, std::min(kTileM, block.m_count - m), work.w_count, delta,
                         [&](Index position, std::complex<T>& value) { delta[position] = value; });
    }
  });
}

template class RingTransform<float>;
template class RingTransform<double>;

}  // namespace armilla::fft
