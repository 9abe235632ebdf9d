#include <armilla/core/error.hpp>
#include <armilla/core/exception_collector.hpp>
#include <armilla/ops/random_alm.hpp>

#include <cmath>
#include <complex>
#include <string>
#include <vector>

#include <Random123/philox.h>
#include <fmt/format.h>

namespace armilla::ops {

namespace {

using core::Index;

// Two independent normal deviates as real and imaginary part (Box-Muller).
std::complex<double> normal_pair(std::uint64_t seed, Index map, Index component, Index l, Index m) {
  using Generator = r123::Philox4x32;
  // The component is stored in the top byte of the word of m, because m requires at most 24 bits.
  const Generator::ctr_type counter = {{static_cast<std::uint32_t>(l),
                                        static_cast<std::uint32_t>(m) | (static_cast<std::uint32_t>(component) << 24),
                                        static_cast<std::uint32_t>(map), static_cast<std::uint32_t>(map >> 32)}};
  const Generator::key_type key = {{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}};
  const auto bits = Generator()(counter, key);
  const auto uniform = [&bits](int i) {  // (0, 1], 53 bits
    const std::uint64_t word = (static_cast<std::uint64_t>(bits[static_cast<std::size_t>(2 * i)]) << 32) |
                               bits[static_cast<std::size_t>(2 * i + 1)];
    return (static_cast<double>(word >> 11) + 1.0) * 0x1p-53;
  };
  const double radius = std::sqrt(-2 * std::log(uniform(0)));
  const double angle = 2 * core::kPi * uniform(1);
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

// A square matrix, stored by rows.
struct Matrix {
  explicit Matrix(std::size_t size) : n(size), values(size * size, 0.0) {}
  double* operator[](std::size_t row) { return &values[row * n]; }
  const double* operator[](std::size_t row) const { return &values[row * n]; }

  std::size_t n;
  std::vector<double> values;
};

// Lower Cholesky factor of the matrix of spectra at one degree; a component without power has a row of zeros.
Matrix cholesky(const Matrix& c, Index l) {
  Matrix factor(c.n);
  for (std::size_t i = 0; i < c.n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double rest = c[i][j];
      for (std::size_t k = 0; k < j; ++k) rest -= factor[i][k] * factor[j][k];
      // Rounding errors of perfectly correlated spectra are tolerated, indefinite matrices are not.
      const double tolerance = 1e-9 * std::sqrt(std::abs(c[i][i] * c[j][j]));
      if (i == j) {
        if (rest < -tolerance)
          throw core::InputError(
              fmt::format("random_alm: the spectra at l = {} are not a valid covariance (the matrix is not positive): "
                          "check the cross spectra against the auto spectra",
                          l));
        factor[i][i] = std::sqrt(std::max(rest, 0.0));
      } else if (factor[j][j] > 0) {
        factor[i][j] = rest / factor[j][j];
      } else if (std::abs(rest) > tolerance) {
        throw core::InputError(
            fmt::format("random_alm: at l = {}, a cross spectrum is nonzero although its auto spectrum is zero", l));
      }
    }
  }
  return factor;
}

// Columns for all pairs of components; nullptr if the table has no such column.
using Columns = std::vector<std::vector<const std::vector<double>*>>;

Columns find_columns(const alm::SpectraTable& spectra, const std::vector<std::string>& names, Index lmax) {
  if (spectra.lmax < lmax)
    throw core::InputError(
        fmt::format("random_alm: the spectra end at l = {}, below lmax = {}: lower lmax", spectra.lmax, lmax));
  Columns columns(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const auto* found = spectra.find(alm::spectrum_name(names[i], names[j]));
      if (found == nullptr) found = spectra.find(alm::spectrum_name(names[j], names[i]));
      columns[i].push_back(found);
      if (i == j && found == nullptr)
        throw core::InputError(fmt::format("random_alm: the spectra have no column {}: their columns are {}",
                                           alm::spectrum_name(names[i], names[i]), fmt::join(spectra.names, ", ")));
    }
  }
  return columns;
}

// The Cholesky factors of all degrees.
std::vector<Matrix> factors_of(const transform::FieldKind& kind, Index lmax, const alm::SpectraTable& spectra) {
  const Columns columns = find_columns(spectra, kind.alm_names(), lmax);
  std::vector<Matrix> factors;
  for (Index l = 0; l <= lmax; ++l) {
    Matrix c(static_cast<std::size_t>(kind.components()));
    for (std::size_t i = 0; i < c.n; ++i)
      for (std::size_t j = 0; j <= i; ++j)
        c[i][j] = columns[i][j] == nullptr ? 0.0 : (*columns[i][j])[static_cast<std::size_t>(l)];
    for (const transform::SpinField& spin_field : kind.spin_fields())  // spin s has no degrees below s
      if (l < spin_field.spin)
        for (Index i = spin_field.first; i < spin_field.first + spin_field.components; ++i)
          for (std::size_t j = 0; j < c.n; ++j)
            c[static_cast<std::size_t>(i)][j] = c[j][static_cast<std::size_t>(i)] = 0;
    factors.push_back(cholesky(c, l));
  }
  return factors;
}

}  // namespace

template <class T>
void random_alm(transform::AlmField<T>& alm, const alm::SpectraTable& spectra, std::uint64_t seed, Index first_map) {
  random_alm(alm, std::span(&spectra, 1), seed, first_map);
}

template <class T>
void random_alm(transform::AlmField<T>& alm, std::span<const alm::SpectraTable> spectra, std::uint64_t seed,
                Index first_map) {
  const Index lmax = alm.distribution().layout().lmax();
  const Index components = alm.kind().components();
  std::vector<Matrix> factors;
  const std::vector<Index> own_m = alm.distribution().local_m(alm.rank());
  const std::vector<Index> offsets = alm.distribution().local_offsets(alm.rank());
  const auto numbers = alm.data();
  core::ExceptionCollector collect;
  for (Index map = 0; map < alm.maps(); ++map) {
    const std::size_t table = spectra.size() == 1 ? 0 : core::at(map);
    if (map == 0 || spectra.size() > 1) factors = factors_of(alm.kind(), lmax, spectra[table]);
#pragma omp parallel for schedule(dynamic, 1)
    for (std::size_t k = 0; k < own_m.size(); ++k)
      collect([&] {
        const Index m = own_m[k];
        std::vector<std::complex<double>> deviates(static_cast<std::size_t>(components));
        for (Index l = m; l <= lmax; ++l) {
          for (Index c = 0; c < components; ++c) {
            const std::complex<double> pair = normal_pair(seed, first_map + map, c, l, m);
            deviates[static_cast<std::size_t>(c)] =
                m == 0 ? std::complex<double>(pair.real(), 0) : pair * std::sqrt(0.5);
          }
          const Matrix& factor = factors[static_cast<std::size_t>(l)];
          for (Index c = 0; c < components; ++c) {
            std::complex<double> a = 0;
            for (Index j = 0; j <= c; ++j)
              a += factor[static_cast<std::size_t>(c)][static_cast<std::size_t>(j)] *
                   deviates[static_cast<std::size_t>(j)];
            const Index place = (map * components + c) * alm.local_size() + offsets[k] + l;
            numbers[static_cast<std::size_t>(place)] = std::complex<T>(a);
          }
        }
      });
  }
  collect.rethrow();
}

template void random_alm<float>(transform::AlmField<float>&, const alm::SpectraTable&, std::uint64_t, Index);
template void random_alm<double>(transform::AlmField<double>&, const alm::SpectraTable&, std::uint64_t, Index);
template void random_alm<float>(transform::AlmField<float>&, std::span<const alm::SpectraTable>, std::uint64_t, Index);
template void random_alm<double>(transform::AlmField<double>&, std::span<const alm::SpectraTable>, std::uint64_t,
                                 Index);

}  // namespace armilla::ops
