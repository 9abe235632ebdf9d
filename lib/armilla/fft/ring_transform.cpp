#include <armilla/core/aligned_buffer.hpp>
#include <armilla/fft/ring_phase.hpp>
#include <armilla/fft/ring_transform.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

namespace armilla::fft {

namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// Walks k = m mod nphi without a division per m, and tells where in the half spectrum Delta_m falls.
class Fold {
 public:
  explicit Fold(Index nphi) : nphi_(nphi) {}
  Index index() const { return std::min(k_, nphi_ - k_); }
  bool conjugate() const { return 2 * k_ > nphi_; }
  bool self_conjugate() const { return k_ == 0 || 2 * k_ == nphi_; }
  void next() {
    if (++k_ == nphi_) k_ = 0;
  }

 private:
  Index nphi_;
  Index k_ = 0;
};

}  // namespace

template <class T>
struct RingTransform<T>::Workspace {
  Workspace(Index longest, Index most_m) : spectrum(longest / 2 + 1), values(longest), phases(at(most_m)) {}

  // Fills phases[m] for one ring.
  void set_ring(const RingShape& ring) {
    tables.set(ring.phi0, static_cast<Index>(phases.size()) - 1);
    for (Index m = 0; m < ring.m_count; ++m) phases[at(m)] = tables(m);
  }

  core::AlignedBuffer<std::complex<T>> spectrum;
  core::AlignedBuffer<T> values;
  std::vector<std::complex<double>> phases;
  RingPhase tables;
};

template <class T>
RingTransform<T>::RingTransform(RingTask task, std::shared_ptr<PlanCache<T>> plans)
    : task_(std::move(task)), plans_(std::move(plans)), order_(task_.rings.size()) {
  for (const RingShape& ring : task_.rings) {
    plans_->prepare(ring.nphi);
    longest_ = std::max(longest_, ring.nphi);
    most_m_ = std::max(most_m_, ring.m_count);
  }
  std::iota(order_.begin(), order_.end(), Index{0});
  std::ranges::stable_sort(order_, std::greater<>(), [this](Index slot) { return task_.rings[at(slot)].nphi; });
}

template <class T>
void RingTransform<T>::synthesis(const std::complex<T>* delta, T* map) const {
#pragma omp parallel
  {
    Workspace work(longest_, most_m_);
#pragma omp for schedule(dynamic, 4)
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const Index slot = order_[i];
      const RingShape& ring = task_.rings[at(slot)];
      work.set_ring(ring);
      for (Index w = 0; w < task_.width(); ++w) {
        std::fill_n(work.spectrum.data(), ring.nphi / 2 + 1, std::complex<T>(0));
        const Index position = slot * task_.width() + w;
        if (ring.m_count > 0) work.spectrum.data()[0] = delta[task_.m_shift[0] + position].real();
        Fold fold(ring.nphi);
        for (Index m = 1; m < ring.m_count; ++m) {
          fold.next();
          const std::complex<double> d(delta[task_.m_shift[at(m)] + position]);
          const std::complex<double> p = work.phases[at(m)];
          const double re = d.real() * p.real() - d.imag() * p.imag();
          const double im = d.real() * p.imag() + d.imag() * p.real();
          std::complex<T>& target = work.spectrum.data()[fold.index()];
          if (fold.self_conjugate())
            target += std::complex<T>(static_cast<T>(2 * re), 0);
          else
            target += std::complex<T>(static_cast<T>(re), static_cast<T>(fold.conjugate() ? -im : im));
        }
        plans_->at(ring.nphi).to_real(work.spectrum.data(), work.values.data());
        const auto [component, k] = std::pair(w / task_.maps, w % task_.maps);
        std::copy_n(work.values.data(), ring.nphi,
                    map + k * task_.map_stride + component * task_.component_stride + ring.pixel);
      }
    }
  }
}

template <class T>
void RingTransform<T>::adjoint(const T* map, std::span<const double> factor, std::complex<T>* delta) const {
#pragma omp parallel
  {
    Workspace work(longest_, most_m_);
#pragma omp for schedule(dynamic, 4)
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const Index slot = order_[i];
      const RingShape& ring = task_.rings[at(slot)];
      work.set_ring(ring);
      const double scale = factor.empty() ? 1.0 : factor[at(slot)];
      for (Index w = 0; w < task_.width(); ++w) {
        const auto [component, k] = std::pair(w / task_.maps, w % task_.maps);
        std::copy_n(map + k * task_.map_stride + component * task_.component_stride + ring.pixel, ring.nphi,
                    work.values.data());
        plans_->at(ring.nphi).to_spectrum(work.values.data(), work.spectrum.data());
        const Index position = slot * task_.width() + w;
        Fold fold(ring.nphi);
        for (Index m = 0; m < ring.m_count; ++m, fold.next()) {
          const std::complex<double> x(work.spectrum.data()[fold.index()]);
          const double xi = fold.conjugate() ? -x.imag() : x.imag();
          const std::complex<double> p = work.phases[at(m)];  // times conj(p)
          delta[task_.m_shift[at(m)] + position] = {static_cast<T>(scale * (x.real() * p.real() + xi * p.imag())),
                                                    static_cast<T>(scale * (xi * p.real() - x.real() * p.imag()))};
        }
      }
    }
  }
}

template class RingTransform<float>;
template class RingTransform<double>;

}  // namespace armilla::fft
