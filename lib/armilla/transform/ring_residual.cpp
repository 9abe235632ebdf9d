#include <armilla/transform/ring_residual.hpp>

#include <algorithm>
#include <utility>

#include <omp.h>

namespace armilla::transform {

namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

std::vector<Index> lengths(const PartTables& tables) {
  std::vector<Index> nphi;
  for (const fft::RingShape& ring : tables.rings) nphi.push_back(ring.nphi);
  return nphi;
}
std::vector<double> longitudes(const PartTables& tables) {
  std::vector<double> phi0;
  for (const fft::RingShape& ring : tables.rings) phi0.push_back(ring.phi0);
  return phi0;
}

// Classes that a ring needs: those of the m that it feels.
Index classes(const fft::RingShape& ring, Index mmax) {
  return std::min(ring.m_count, std::min(ring.nphi / 2, mmax) + 1);
}

}  // namespace

RingSpectra::RingSpectra(const PartTables& tables, Index mmax, Index width)
    : rings_(tables.rings), aliases_(lengths(tables), longitudes(tables), mmax) {
  const Index count = slots();
  std::vector<Index> first(at(mmax + 1), count);
  first_slot_.assign(at(mmax + 1), count);
  for (Index slot = count - 1; slot >= 0; --slot) {
    fft::RingShape& ring = rings_[at(slot)];
    for (Index m = 0; m < std::min(ring.m_count, mmax + 1); ++m) first_slot_[at(m)] = slot;
    ring.m_count = classes(ring, mmax);
    for (Index c = 0; c < ring.m_count; ++c) first[at(c)] = slot;
  }
  for (const Index slot : first) {
    shift_.push_back(size_ - slot * width);
    size_ += (count - slot) * width;
  }
  for (Index m = 0; m <= mmax; ++m) {
    bool all = true;
    for (Index slot = first_slot(m); slot < count && all; ++slot) all = m == 0 || aliases_.is_plain(m, slot);
    plain_.push_back(all);
  }
  columns_ = {width, shift_, &aliases_};
}

fft::RingTask RingSpectra::ring_task(const PartTables& tables, Index maps) const {
  return {.rings = rings_,
          .m_shift = shift_,
          .components = tables.part.components,
          .maps = maps,
          .component_stride = tables.map_size,
          .map_stride = tables.map_stride};
}

std::vector<double> RingSpectra::factors(std::span<const double> weight) const {
  std::vector<double> factor;
  for (std::size_t slot = 0; slot < rings_.size(); ++slot)
    factor.push_back(weight[slot] * static_cast<double>(rings_[slot].nphi));
  return factor;
}

template <class T>
Index RingSpectra::bytes(const PartTables& tables, Index mmax, Index width) {
  // Of each class all slots from the first one on that has it.
  std::vector<Index> first(at(mmax + 1), static_cast<Index>(tables.rings.size()));
  for (Index slot = static_cast<Index>(tables.rings.size()) - 1; slot >= 0; --slot)
    for (Index c = 0; c < classes(tables.rings[at(slot)], mmax); ++c) first[at(c)] = slot;
  Index numbers = 0;
  for (const Index slot : first) numbers += static_cast<Index>(tables.rings.size()) - slot;
  return numbers * width * static_cast<Index>(sizeof(std::complex<T>));
}

template <class T>
RingResidual<T>::RingResidual(const PartTables& tables, Index mmax, std::shared_ptr<fft::PlanCache<T>> plans)
    : tables_(tables),
      spectra_(tables, mmax, tables.part.components * tables.maps),
      rings_(spectra_.ring_task(tables, tables.maps), std::move(plans)),
      left_(spectra_.size()) {}

template <class T>
void RingResidual<T>::set(const T* map, std::span<const double> weight) {
  factor_ = spectra_.factors(weight);
  rings_.adjoint(map, weight, left_.data());
}

// Slots that a thread takes at once.
constexpr Index kRun = 8;

// Threads take runs of slots, so that each goes through all m in order: so aliases are summed up in the order of m.
template <class Work>
void over_slots(Index slots, const Work& work) {
#pragma omp parallel
  {
    const Index threads = omp_get_num_threads();
    const Index thread = omp_get_thread_num();
    // The last slots, at the equator, feel the most m: dealt out in turns.
    for (Index begin = thread * kRun; begin < slots; begin += threads * kRun)
      work(SlotRange{begin, std::min(begin + kRun, slots)});
  }
}

template <class T>
void RingResidual<T>::gather(Complex* delta) const {
  over_slots(spectra_.slots(), [&](const SlotRange& range) {
    for (Index m = 0; m < static_cast<Index>(tables_.exchange.m_shift.size()); ++m) {
      const SlotRange own{std::max(range.begin, spectra_.first_slot(m)), range.end};
      if (own.begin < own.end)
        gather_column(spectra_.columns(), m, own, left_.data(), delta + tables_.exchange.m_shift[at(m)]);
    }
  });
}

template <class T>
void RingResidual<T>::take_off(const Complex* delta) {
  over_slots(spectra_.slots(), [&](const SlotRange& range) {
    for (Index m = 0; m < static_cast<Index>(tables_.exchange.m_shift.size()); ++m) {
      const SlotRange own{std::max(range.begin, spectra_.first_slot(m)), range.end};
      if (own.begin < own.end)
        take_off_column(spectra_.columns(), m, own, factor_, delta + tables_.exchange.m_shift[at(m)], left_.data(),
                        left_.data());
    }
  });
}

template <class T>
void RingResidual<T>::scale(std::span<const double> by) {
  const auto maps = static_cast<Index>(by.size());
  const Index rows = spectra_.size() / maps;  // of maps, one for each class, ring and component
#pragma omp parallel for schedule(static)
  for (Index row = 0; row < rows; ++row)
    for (Index map = 0; map < maps; ++map) left_.data()[row * maps + map] *= static_cast<T>(by[at(map)]);
}

template <class T>
void RingResidual<T>::squares(std::span<double> sums) const {
  const Index maps = tables_.maps;
  std::vector<double> of_threads(at(maps * omp_get_max_threads()));  // nothing is allocated, or thrown, by the threads
  over_slots(spectra_.slots(), [&](const SlotRange& range) {
    const std::span<double> of_map(of_threads.data() + maps * omp_get_thread_num(), at(maps));
    for (Index slot = range.begin; slot < range.end; ++slot) {
      std::ranges::fill(of_map, 0.0);
      const fft::RingShape& ring = spectra_.ring(slot);
      for (Index c = 0; c < ring.m_count; ++c) {
        const Complex* numbers = left_.data() + spectra_.columns().place(c, slot);
        const double multiplicity = spectra_.multiplicity(c, slot);
        for (Index component = 0; component < tables_.part.components; ++component)
          for (Index map = 0; map < maps; ++map) {
            const std::complex<double> value(numbers[component * maps + map]);
            of_map[at(map)] += multiplicity * (value.real() * value.real() + value.imag() * value.imag());
          }
      }
      // Spectra have the weight once, squares twice; Parseval's sum over all classes is nphi times that over pixels.
      const double factor = factor_[at(slot)];
      for (Index map = 0; map < maps; ++map)
        sums[at(map * spectra_.slots() + slot)] = factor != 0 ? of_map[at(map)] / factor : 0;
    }
  });
}

template <class T>
Index RingResidual<T>::bytes(const PartTables& tables, Index mmax) {
  return RingSpectra::bytes<T>(tables, mmax, tables.part.components * tables.maps) +
         fft::RingTransform<T>::workspace_bytes(tables.ring_task());
}

template <class T>
RingNormal<T>::RingNormal(const PartTables& tables, Index mmax)
    : tables_(tables),
      spectra_(tables, mmax, tables.part.components * tables.maps),
      size_(kRun * (mmax + 1) * spectra_.columns().width) {}

template <class T>
void RingNormal<T>::apply(std::span<const double> weight, Complex* delta) {
  while (some_.size() < at(omp_get_max_threads())) some_.emplace_back(size_);
  // What is taken off nothing, and read again, has the sign of the factors.
  std::vector<double> factor = spectra_.factors(weight);
  for (double& f : factor) f = -f;
  const auto& m_shift = tables_.exchange.m_shift;
  const RingColumns& all = spectra_.columns();
  over_slots(spectra_.slots(), [&](const SlotRange& range) {
    core::AlignedBuffer<Complex>& spectra = some_[at(omp_get_thread_num())];
    std::ranges::fill(spectra.span(), Complex(0));
    std::vector<Index> shift;
    for (std::size_t c = 0; c < all.shift.size(); ++c)
      shift.push_back((static_cast<Index>(c) * kRun - range.begin) * all.width);
    const RingColumns own{all.width, shift, all.aliases};
    const auto for_each_m = [&](const auto& work) {
      for (Index m = 0; m < static_cast<Index>(m_shift.size()); ++m) {
        const SlotRange slots{std::max(range.begin, spectra_.first_slot(m)), range.end};
        if (slots.begin < slots.end) work(m, slots, delta + m_shift[at(m)]);
      }
    };
    for_each_m([&](Index m, const SlotRange& slots, Complex* column) {
      take_off_column(own, m, slots, factor, column, spectra.data(), spectra.data());
    });
    for_each_m([&](Index m, const SlotRange& slots, Complex* column) {
      gather_column(own, m, slots, spectra.data(), column);
    });
  });
}

template <class T>
Index RingNormal<T>::bytes(const PartTables&, Index mmax, Index width) {
  return omp_get_max_threads() * kRun * (mmax + 1) * width * static_cast<Index>(sizeof(Complex));
}

template class RingNormal<float>;
template class RingNormal<double>;
template Index RingSpectra::bytes<float>(const PartTables&, Index, Index);
template Index RingSpectra::bytes<double>(const PartTables&, Index, Index);
template class RingResidual<float>;
template class RingResidual<double>;

}  // namespace armilla::transform
