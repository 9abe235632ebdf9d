#include <armilla/comm/exchange.hpp>
#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/ops/alm_algebra.hpp>

#include <algorithm>
#include <complex>
#include <functional>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::ops {

namespace {

template <class T>
std::complex<T> rounded(std::complex<double> value) {
  return {static_cast<T>(value.real()), static_cast<T>(value.imag())};
}

/// Location of the coefficients of one m on this rank: l = m .. last at offset + l.
struct Row {
  Index m, last, offset;
  Index length() const { return std::max<Index>(last - m + 1, 0); }
};

/// Rows of the local m up to `mmax`, with l up to `lmax`.
std::vector<Row> own_rows(const dist::AlmDistribution& alm, int rank, Index lmax, Index mmax) {
  std::vector<Row> rows;
  const std::vector<Index> own_m = alm.local_m(rank);
  const std::vector<Index> offsets = alm.local_offsets(rank);
  for (std::size_t k = 0; k < own_m.size(); ++k)
    if (own_m[k] <= mmax) rows.push_back({own_m[k], std::min(lmax, alm.layout().lmax()), offsets[k]});
  return rows;
}

/// Coefficients that a rank exchanges with the other ranks when the owners of m change. For each pair of ranks, both
/// sides visit the m in ascending order, and for each m all maps, components and l.
struct Trade {
  std::vector<Row> rows;                     ///< local rows
  std::vector<int> partner;                  ///< [row] rank that owns this m in the other distribution
  std::vector<Index> counts, displacements;  ///< [rank]
  Index size = 0;

  Trade(const dist::AlmDistribution& own, const dist::AlmDistribution& other, int rank, Index width)
      : rows(own_rows(own, rank, std::min(own.layout().lmax(), other.layout().lmax()), other.layout().mmax())),
        counts(static_cast<std::size_t>(own.ranks()), 0),
        displacements(counts) {
    for (const Row& row : rows) {
      partner.push_back(other.owner(row.m));
      counts[static_cast<std::size_t>(partner.back())] += row.length() * width;
    }
    for (std::size_t r = 0; r < counts.size(); ++r) {
      displacements[r] = size;
      size += counts[r];
    }
  }

  /// Calls visit(position in the buffer, map, component, row) for each row of coefficients.
  template <class Visit>
  void walk(Index maps, Index components, Visit&& visit) const {
    std::vector<Index> position = displacements;
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (Index map = 0; map < maps; ++map)
        for (Index c = 0; c < components; ++c) {
          Index& at = position[static_cast<std::size_t>(partner[i])];
          visit(at, map, c, rows[i]);
          at += rows[i].length();
        }
  }
};

template <class T, class Complex>
Complex* row_of(std::span<Complex> component, const Row& row) {
  return component.data() + row.offset + row.m;
}

template <class T>
void clear(transform::AlmField<T>& alm) {
  std::ranges::fill(alm.data(), std::complex<T>());
}

/// Resizes without communication: both distributions assign the same m to this rank.
template <class T>
void resize_here(const transform::AlmField<T>& from, transform::AlmField<T>& to) {
  const Index lmax = to.distribution().layout().lmax();
  const Index mmax = to.distribution().layout().mmax();
  const std::vector<Row> source = own_rows(from.distribution(), from.rank(), lmax, mmax);
  const std::vector<Row> target =
      own_rows(to.distribution(), to.rank(), from.distribution().layout().lmax(), from.distribution().layout().mmax());
  clear(to);
  for (Index map = 0; map < to.maps(); ++map)
    for (Index c = 0; c < to.kind().components(); ++c)
      for (std::size_t i = 0; i < source.size(); ++i)
        std::copy_n(row_of<T>(from.component(map, c), source[i]), source[i].length(),
                    row_of<T>(to.component(map, c), target[i]));
}

template <class T>
bool is_on_device(const transform::AlmField<T>& alm) {
  return alm.memory()->space() == core::MemorySpace::kDevice;
}

/// y = a x + b y in the memory of `y`, with the factors (a, b) of each component.
template <class T, class Factors>
void combine_on_device(const transform::AlmField<T>& x, transform::AlmField<T>& y, const Factors& factors) {
  const std::shared_ptr<backend::Memory> memory = y.memory();
  const Index components = y.kind().components(), numbers = 2 * y.local_size();
  T* to = reinterpret_cast<T*>(y.update(memory));
  const T* from = reinterpret_cast<const T*>(x.read(memory));
  for (Index i = 0; i < y.maps() * components; ++i) {
    const auto [a, b] = factors(i % components);
    memory->ops<T>().combine(static_cast<T>(a), from + i * numbers, static_cast<T>(b), to + i * numbers, numbers);
  }
}

void check_alm_factors(std::span<const double> factors, Index components) {
  if (static_cast<Index>(factors.size()) != components)
    throw core::InternalError("arithmetic of alm: there must be one factor for each component");
}

}  // namespace

template <class T>
void scale(transform::AlmField<T>& alm, std::span<const double> factors) {
  check_alm_factors(factors, alm.kind().components());
  if (is_on_device(alm))
    return combine_on_device(alm, alm, [&](Index c) { return std::pair(factors[core::at(c)], 0.0); });
  for (Index k = 0; k < alm.maps(); ++k)
    for (Index c = 0; c < alm.kind().components(); ++c)
      for (std::complex<T>& value : alm.component(k, c))
        value = rounded<T>(factors[core::at(c)] * std::complex<double>(value));
}

template <class T>
void add(transform::AlmField<T>& alm, std::span<const double> factors, const transform::AlmField<T>& other,
         std::span<const double> other_factors) {
  if (!(alm.kind() == other.kind()) || !(alm.distribution().layout() == other.distribution().layout()) ||
      (other.maps() != 1 && alm.maps() != other.maps()))
    throw core::InputError(fmt::format(
        "add: the two alm have lmax {}, mmax {}, fields {}, {} maps and lmax {}, mmax {}, fields {}, {} maps: use alm "
        "with the same",
        alm.distribution().layout().lmax(), alm.distribution().layout().mmax(), fmt::join(alm.kind().alm_names(), " "),
        alm.maps(), other.distribution().layout().lmax(), other.distribution().layout().mmax(),
        fmt::join(other.kind().alm_names(), " "), other.maps()));
  check_alm_factors(factors, alm.kind().components());
  check_alm_factors(other_factors, alm.kind().components());
  if (is_on_device(alm) && alm.maps() == other.maps())
    return combine_on_device(other, alm,
                             [&](Index c) { return std::pair(other_factors[core::at(c)], factors[core::at(c)]); });
  for (Index k = 0; k < alm.maps(); ++k)
    for (Index c = 0; c < alm.kind().components(); ++c) {
      const std::span<const std::complex<T>> added = other.component(other.maps() == 1 ? 0 : k, c);
      const std::span<std::complex<T>> sum = alm.component(k, c);
      std::ranges::transform(sum, added, sum.begin(), [&](std::complex<T> a, std::complex<T> b) {
        return rounded<T>(factors[core::at(c)] * std::complex<double>(a) +
                          other_factors[core::at(c)] * std::complex<double>(b));
      });
    }
}

template <class T>
void multiply(transform::AlmField<T>& alm, std::span<const std::vector<double>> windows) {
  const Index components = alm.kind().components();
  if (static_cast<Index>(windows.size()) != components)
    throw core::InputError("multiply: specify one window per component of the alm");
  for (Index c = 0; c < components; ++c) {
    std::vector<double> window = windows[static_cast<std::size_t>(c)];
    window.resize(static_cast<std::size_t>(alm.distribution().layout().lmax() + 1), 0.0);
    transform::multiply_degrees<T>(alm, c, 1, window);
  }
}

template <class T>
void resize(const comm::Communicator& comm, const transform::AlmField<T>& from, transform::AlmField<T>& to) {
  const dist::AlmDistribution& source = from.distribution();
  const dist::AlmDistribution& target = to.distribution();
  std::vector<std::complex<T>> sent, received;
  comm::phase(comm, [&] {
    if (!(from.kind() == to.kind()) || from.maps() != to.maps())
      throw core::InputError("resize: the two alm differ in fields or number of maps: use alm with the same fields");
    if (source.layout().mmax() == target.layout().mmax()) resize_here(from, to);
  });
  if (source.layout().mmax() == target.layout().mmax()) return;
  const Index components = from.kind().components();
  const Trade out(source, target, comm.rank(), from.maps() * components);
  const Trade in(target, source, comm.rank(), from.maps() * components);
  comm::phase(comm, [&] {
    sent.resize(static_cast<std::size_t>(out.size));
    received.resize(static_cast<std::size_t>(in.size));
    out.walk(from.maps(), components, [&](Index at, Index map, Index c, const Row& row) {
      std::copy_n(row_of<T>(from.component(map, c), row), row.length(), sent.data() + at);
    });
  });
  comm::exchange<T>(comm, sent, out.counts, out.displacements, received, in.counts, in.displacements);
  clear(to);
  in.walk(from.maps(), components, [&](Index at, Index map, Index c, const Row& row) {
    std::copy_n(received.data() + at, row.length(), row_of<T>(to.component(map, c), row));
  });
}

template <class T>
core::MemoryEstimate resize_memory(const transform::FieldKind& kind, const dist::AlmDistribution& from,
                                   const dist::AlmDistribution& to, int rank) {
  if (from.layout().mmax() == to.layout().mmax()) return {};
  const Index numbers = Trade(from, to, rank, kind.components()).size + Trade(to, from, rank, kind.components()).size;
  return {.workspace = numbers * static_cast<Index>(sizeof(std::complex<T>))};
}

template void scale<float>(transform::AlmField<float>&, std::span<const double>);
template void add<float>(transform::AlmField<float>&, std::span<const double>, const transform::AlmField<float>&,
                         std::span<const double>);
template void multiply<float>(transform::AlmField<float>&, std::span<const std::vector<double>>);
template void scale<double>(transform::AlmField<double>&, std::span<const double>);
template void add<double>(transform::AlmField<double>&, std::span<const double>, const transform::AlmField<double>&,
                          std::span<const double>);
template void multiply<double>(transform::AlmField<double>&, std::span<const std::vector<double>>);
ARMILLA_INSTANTIATE(resize);
ARMILLA_INSTANTIATE(resize_memory);

}  // namespace armilla::ops
