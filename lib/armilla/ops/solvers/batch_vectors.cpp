#include <armilla/ops/reproducible_sum.hpp>
#include <armilla/ops/solvers/batch_vectors.hpp>

#include <algorithm>
#include <complex>

namespace armilla::ops {

namespace {

constexpr Index kBlock = 4096;  // terms that one thread takes at a time

Index blocks_of(Index length) { return (length + kBlock - 1) / kBlock; }

// Where the coefficients of m = 0 stand among the local ones of a component.
struct ZeroM {
  Index begin = 0;
  Index end = 0;
  bool has(Index i) const { return i >= begin && i < end; }
};

ZeroM zero_m_of(const dist::AlmDistribution& alm, int rank) {
  const std::vector<Index> own_m = alm.local_m(rank);
  if (own_m.empty() || own_m.front() != 0) return {};
  const Index begin = alm.local_offsets(rank).front();
  return {begin, begin + alm.layout().lmax() + 1};
}

template <class T>
T* numbers(std::complex<T>* coefficients) {
  return reinterpret_cast<T*>(coefficients);
}
template <class T>
const T* numbers(const std::complex<T>* coefficients) {
  return reinterpret_cast<const T*>(coefficients);
}
double* numbers(double* pixels) { return pixels; }
const double* numbers(const double* pixels) { return pixels; }
float* numbers(float* pixels) { return pixels; }
const float* numbers(const float* pixels) { return pixels; }

template <class T>
T precision_of(const transform::AlmField<T>&);
template <class T>
T precision_of(const transform::MapField<T>&);
template <class T>
constexpr Index numbers_per_place(const transform::AlmField<T>&) {
  return 2;
}
template <class T>
constexpr Index numbers_per_place(const transform::MapField<T>&) {
  return 1;
}

}  // namespace

template <class T>
std::vector<double> inner_products(const comm::Communicator& comm, const transform::AlmField<T>& a,
                                   const transform::AlmField<T>& b) {
  const Index size = a.local_size();
  const Index length = a.kind().components() * size;
  const ZeroM zero = zero_m_of(a.distribution(), a.rank());
  const std::complex<T>* x = a.data().data();
  const std::complex<T>* y = b.data().data();
  const Index terms = 2 * a.kind().components() * a.distribution().layout().size();
  return reproducible_sums_of_blocks(comm, a.maps(), blocks_of(length), terms, [&](Index map, Index block, auto&& add) {
    const Index end = std::min(length, (block + 1) * kBlock);
    for (Index i = block * kBlock; i < end; ++i) {
      const std::complex<double> p(x[map * length + i]);
      const std::complex<double> q(y[map * length + i]);
      const double product = p.real() * q.real() + p.imag() * q.imag();
      add(zero.has(i % size) ? product : 2 * product);
    }
  });
}

template <class T>
std::vector<double> inner_products(const comm::Communicator& comm, const transform::MapField<T>& a,
                                   const transform::MapField<T>& b) {
  const Index length = a.kind().components() * a.local_size();
  const T* x = a.data().data();
  const T* y = b.data().data();
  const Index terms = a.kind().components() * a.distribution().grid().npix();
  return reproducible_sums_of_blocks(comm, a.maps(), blocks_of(length), terms, [&](Index map, Index block, auto&& add) {
    const Index end = std::min(length, (block + 1) * kBlock);
    for (Index i = map * length + block * kBlock; i < map * length + end; ++i)
      add(static_cast<double>(x[i]) * static_cast<double>(y[i]));
  });
}

template <class Field>
void combine_each(std::span<const double> a, const Field& x, std::span<const double> b, Field& y,
                  const std::shared_ptr<backend::Memory>& memory) {
  using T = decltype(precision_of(y));
  const Index length = numbers_per_place(y) * y.kind().components() * y.local_size();
  const auto* from = numbers(x.read(memory));
  auto* to = numbers(y.update(memory));
  for (Index map = 0; map < y.maps(); ++map) {
    const auto k = static_cast<std::size_t>(map);
    if (a[k] == 0 && b[k] == 1) continue;
    memory->combine(static_cast<T>(a[k]), from + map * length, static_cast<T>(b[k]), to + map * length, length);
  }
}

template std::vector<double> inner_products(const comm::Communicator&, const transform::AlmField<float>&,
                                            const transform::AlmField<float>&);
template std::vector<double> inner_products(const comm::Communicator&, const transform::AlmField<double>&,
                                            const transform::AlmField<double>&);
template std::vector<double> inner_products(const comm::Communicator&, const transform::MapField<float>&,
                                            const transform::MapField<float>&);
template std::vector<double> inner_products(const comm::Communicator&, const transform::MapField<double>&,
                                            const transform::MapField<double>&);
template void combine_each(std::span<const double>, const transform::AlmField<float>&, std::span<const double>,
                           transform::AlmField<float>&, const std::shared_ptr<backend::Memory>&);
template void combine_each(std::span<const double>, const transform::AlmField<double>&, std::span<const double>,
                           transform::AlmField<double>&, const std::shared_ptr<backend::Memory>&);
template void combine_each(std::span<const double>, const transform::MapField<float>&, std::span<const double>,
                           transform::MapField<float>&, const std::shared_ptr<backend::Memory>&);
template void combine_each(std::span<const double>, const transform::MapField<double>&, std::span<const double>,
                           transform::MapField<double>&, const std::shared_ptr<backend::Memory>&);

}  // namespace armilla::ops
