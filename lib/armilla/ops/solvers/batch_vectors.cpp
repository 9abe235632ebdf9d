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

// Where the numbers of one system stand in a field.
struct SystemRange {
  Index begin;
  Index length;
};

SystemRange range_of(const transform::FieldKind& kind, Index system, Index size) {
  const auto parts = static_cast<Index>(kind.parts().size());
  const transform::FieldPart& part = kind.parts()[static_cast<std::size_t>(system % parts)];
  return {(system / parts * kind.components() + part.first) * size, part.components * size};
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
  const ZeroM zero = zero_m_of(a.distribution(), a.rank());
  const std::complex<T>* x = a.data().data();
  const std::complex<T>* y = b.data().data();
  const Index blocks = blocks_of(2 * size);  // of the longest part
  const Index terms = 4 * a.distribution().layout().size();
  const auto systems = static_cast<Index>(systems_of(a));
  return reproducible_sums_of_blocks(comm, systems, blocks, terms, [&](Index system, Index block, auto&& add) {
    const SystemRange range = range_of(a.kind(), system, size);
    const Index end = std::min(range.length, (block + 1) * kBlock);
    for (Index i = block * kBlock; i < end; ++i) {
      const std::complex<double> p(x[range.begin + i]);
      const std::complex<double> q(y[range.begin + i]);
      const double product = p.real() * q.real() + p.imag() * q.imag();
      add(zero.has(i % size) ? product : 2 * product);
    }
  });
}

template <class Field>
void combine_each(std::span<const double> a, const Field& x, std::span<const double> b, Field& y,
                  const std::shared_ptr<backend::Memory>& memory) {
  using T = decltype(precision_of(y));
  const Index each = numbers_per_place(y);
  const auto* from = numbers(x.read(memory));
  auto* to = numbers(y.update(memory));
  for (std::size_t s = 0; s < systems_of(y); ++s) {
    if (a[s] == 0 && b[s] == 1) continue;
    const SystemRange range = range_of(y.kind(), static_cast<Index>(s), y.local_size());
    memory->combine(static_cast<T>(a[s]), from + each * range.begin, static_cast<T>(b[s]), to + each * range.begin,
                    each * range.length);
  }
}

template std::vector<double> inner_products(const comm::Communicator&, const transform::AlmField<float>&,
                                            const transform::AlmField<float>&);
template std::vector<double> inner_products(const comm::Communicator&, const transform::AlmField<double>&,
                                            const transform::AlmField<double>&);
template void combine_each(std::span<const double>, const transform::AlmField<float>&, std::span<const double>,
                           transform::AlmField<float>&, const std::shared_ptr<backend::Memory>&);
template void combine_each(std::span<const double>, const transform::AlmField<double>&, std::span<const double>,
                           transform::AlmField<double>&, const std::shared_ptr<backend::Memory>&);
template void combine_each(std::span<const double>, const transform::MapField<float>&, std::span<const double>,
                           transform::MapField<float>&, const std::shared_ptr<backend::Memory>&);
template void combine_each(std::span<const double>, const transform::MapField<double>&, std::span<const double>,
                           transform::MapField<double>&, const std::shared_ptr<backend::Memory>&);

}  // namespace armilla::ops
