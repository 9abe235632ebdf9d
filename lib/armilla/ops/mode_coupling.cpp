#include <armilla/comm/phase.hpp>
#include <armilla/core/exception_collector.hpp>
#include <armilla/math/wigner_3j.hpp>
#include <armilla/ops/mode_coupling.hpp>

#include <algorithm>
#include <numbers>

namespace armilla::ops {

namespace {

/// Sums over even and odd l + l' + l''.
struct Sums {
  double even = 0;
  double odd = 0;
};

/// `first` and `second`: the 3j symbols for l'' = |l - l'| .. l + l'.
Sums sum_over_mask(std::span<const double> mask, Index l, Index other, std::span<const double> first,
                   std::span<const double> second) {
  Sums sums;
  const Index begin = l > other ? l - other : other - l;
  const Index end = std::min(l + other, static_cast<Index>(mask.size()) - 1);
  for (Index j = begin; j <= end; ++j) {
    const auto i = static_cast<std::size_t>(j - begin);
    const double term = static_cast<double>(2 * j + 1) * mask[static_cast<std::size_t>(j)] * first[i] * second[i];
    ((l + other + j) % 2 == 0 ? sums.even : sums.odd) += term;
  }
  return sums;
}

/// The 3j symbols of one thread.
struct Symbols {
  std::vector<double> of_s, of_t;
};

void fill_row(std::span<const double> mask, Index l, Index s, Index t, Symbols& symbols, ModeCoupling& coupling) {
  for (Index other = std::max(s, t); other <= l; ++other) {
    math::wigner_3j(l, other, s, symbols.of_s);
    if (s != t) math::wigner_3j(l, other, t, symbols.of_t);
    const Sums sums = sum_over_mask(mask, l, other, symbols.of_s, s == t ? symbols.of_s : symbols.of_t);
    const auto at = static_cast<std::size_t>(l * (coupling.lmax + 1) + other);
    coupling.even[at] = sums.even;
    coupling.odd[at] = sums.odd;
  }
}

}  // namespace

ModeCoupling mode_coupling(const comm::Communicator& comm, std::span<const double> mask, Index lmax, Index s, Index t) {
  const auto n = static_cast<std::size_t>(lmax + 1);
  ModeCoupling coupling{lmax, {}, {}};
  // The sums are symmetric in l and l'. Ranks compute rows of the lower triangle in round-robin order; a global sum
  // combines them, because the other ranks hold zeros.
  comm::phase(comm, [&] {
    for (auto* matrix : {&coupling.even, &coupling.odd}) matrix->assign(n * n, 0.0);
    core::ExceptionCollector collect;
#pragma omp parallel
    {
      Symbols symbols;
#pragma omp for schedule(dynamic, 1)
      for (Index l = lmax; l >= std::max(s, t); --l)
        if (l % comm.size() == comm.rank()) collect([&] { fill_row(mask, l, s, t, symbols, coupling); });
    }
    collect.rethrow();
  });
  for (auto* matrix : {&coupling.even, &coupling.odd}) {
    comm.sum(std::span<double>(*matrix));
    for (std::size_t l = 0; l < n; ++l)
      for (std::size_t other = 0; other < l; ++other) (*matrix)[other * n + l] = (*matrix)[l * n + other];
    for (std::size_t i = 0; i < n * n; ++i)
      (*matrix)[i] *= static_cast<double>(2 * (i % n) + 1) / (4 * std::numbers::pi);
  }
  return coupling;
}

}  // namespace armilla::ops
