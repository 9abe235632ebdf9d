#include <armilla/comm/phase.hpp>
#include <armilla/ops/reproducible_sum.hpp>
#include <armilla/ops/solvers/batch_vectors.hpp>

#include <algorithm>
#include <complex>

namespace armilla::ops {

namespace {

// Where the coefficients of m = 0 stand among the local ones of a component.
struct ZeroM {
  Index begin = 0;
  Index end = 0;
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
  const ZeroM zero = zero_m_of(a.distribution(), a.rank());
  const std::size_t systems = systems_of(a);
  std::vector<Index> begin, length;
  for (std::size_t s = 0; s < systems; ++s) {
    const SystemRange range = range_of(a.kind(), static_cast<Index>(s), a.local_size());
    begin.push_back(range.begin);
    length.push_back(range.length);
  }
  const backend::InnerProducts products{begin, length, a.local_size(), zero.begin, zero.end};
  const Index terms = 4 * a.distribution().layout().size();
  std::vector<double> largest(systems);
  std::vector<SumGrids> grids(systems), parts(systems);
  std::shared_ptr<backend::Memory> memory = a.place();
  if (memory->space() == core::MemorySpace::kHost) memory = b.place();
  comm::phase(comm, [&] { memory->largest_products(products, a.read(memory), b.read(memory), largest); });
  comm.max(std::span<double>(largest));
  for (std::size_t s = 0; s < systems; ++s) grids[s] = sum_grids(largest[s], terms);
  comm::phase(comm, [&] { memory->sum_products(products, a.read(memory), b.read(memory), grids, parts); });
  return total_of_parts(comm, parts);
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
