#include <armilla/comm/phase.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/ops/reproducible_sum.hpp>
#include <armilla/ops/solvers/batch_vectors.hpp>

#include <array>
#include <complex>

namespace armilla::ops {

namespace {

// Offsets of one system in a field.
struct SystemRange {
  Index begin;
  Index length;
};

SystemRange range_of(const transform::FieldKind& kind, Index system, Index size) {
  const auto spin_fields = static_cast<Index>(kind.spin_fields().size());
  const transform::SpinField& spin_field = kind.spin_fields()[static_cast<std::size_t>(system % spin_fields)];
  return {(system / spin_fields * kind.components() + spin_field.first) * size, spin_field.components * size};
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

std::vector<double> sums_of_systems(const transform::FieldKind& kind, std::span<const double> of_components) {
  std::vector<double> sums;
  for (std::size_t first = 0; first < of_components.size(); first += static_cast<std::size_t>(kind.components()))
    for (const transform::SpinField& spin_field : kind.spin_fields()) {
      double sum = 0;
      for (Index c = spin_field.first; c < spin_field.first + spin_field.components; ++c)
        sum += of_components[first + static_cast<std::size_t>(c)];
      sums.push_back(sum);
    }
  return sums;
}

template <class T>
std::vector<double> inner_products(const comm::Communicator& comm, const transform::AlmField<T>& a,
                                   const transform::AlmField<T>& b) {
  const dist::AlmDistribution& own = a.distribution();
  const Index components = a.kind().components();
  const Index fields = a.maps() * components;
  std::vector<Index> own_m;
  std::vector<double> sums;
  std::shared_ptr<backend::Memory> memory = a.memory();
  if (memory->space() == core::MemorySpace::kHost) memory = b.memory();
  comm::phase(comm, [&] {
    own_m = own.local_m(a.rank());
    const std::vector<Index> offsets = own.local_offsets(a.rank());
    std::vector<Index> begin, length;  // in real values
    for (std::size_t k = 0; k < own_m.size(); ++k) {
      begin.push_back(2 * (offsets[k] + own_m[k]));
      length.push_back(2 * (own.layout().lmax() + 1 - own_m[k]));
    }
    sums.resize(static_cast<std::size_t>(fields) * own_m.size());
    memory->ops<T>().sum_products({begin, length, fields, 2 * a.local_size()}, backend::NumberWeights<T>{},
                                  numbers(a.read(memory)), numbers(b.read(memory)), sums);
  });
  const auto rows = static_cast<Index>(own_m.size());
  const std::vector<double> of_fields =
      sums_over_rows<1>(comm, fields, rows, own.layout().mmax() + 1, [&](Index field, Index row) {
        const double both_signs = own_m[static_cast<std::size_t>(row)] == 0 ? 1 : 2;
        return std::array{both_signs * sums[static_cast<std::size_t>(field * rows + row)]};
      });
  return sums_of_systems(a.kind(), of_fields);
}

template <class Field>
void combine_each(std::span<const double> a, const Field& x, std::span<const double> b, Field& y,
                  const std::shared_ptr<backend::Memory>& memory) {
  using T = decltype(precision_of(y));
  const Index each = numbers_per_place(y);
  const auto* from = numbers(x.read(memory));
  auto* to = numbers(y.update(memory));
  const backend::ArrayOps<T>& ops = memory->ops<T>();
  for (std::size_t s = 0; s < systems_of(y); ++s) {
    if (a[s] == 0 && b[s] == 1) continue;
    const SystemRange range = range_of(y.kind(), static_cast<Index>(s), y.local_size());
    ops.combine(static_cast<T>(a[s]), from + each * range.begin, static_cast<T>(b[s]), to + each * range.begin,
                each * range.length);
  }
}

ARMILLA_INSTANTIATE(inner_products);
template void combine_each(std::span<const double>, const transform::AlmField<float>&, std::span<const double>,
                           transform::AlmField<float>&, const std::shared_ptr<backend::Memory>&);
template void combine_each(std::span<const double>, const transform::AlmField<double>&, std::span<const double>,
                           transform::AlmField<double>&, const std::shared_ptr<backend::Memory>&);
template void combine_each(std::span<const double>, const transform::MapField<float>&, std::span<const double>,
                           transform::MapField<float>&, const std::shared_ptr<backend::Memory>&);
template void combine_each(std::span<const double>, const transform::MapField<double>&, std::span<const double>,
                           transform::MapField<double>&, const std::shared_ptr<backend::Memory>&);

}  // namespace armilla::ops
