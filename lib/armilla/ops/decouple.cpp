#include <armilla/core/error.hpp>
#include <armilla/math/dense_solver.hpp>
#include <armilla/ops/mode_coupling.hpp>

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

namespace armilla::ops {

namespace {

/// Masks of half the sky and more stay above 1e-3 or so, of bands narrower than a small mask tells apart far below
/// this; and W of a mask on pixels is known to some 1e-4.
constexpr double kSmallestCondition = 1e-5;

/// What a spectrum, or a sum of two, is multiplied with: of E and B, EE' = even EE + odd BB, BB' = odd EE + even BB and
/// EB' = (even - odd) EB; so EE + BB sees the sum of both, EE - BB and EB the difference.
enum class Combination { kEven, kSum, kDifference };

/// Bands of `width` degrees from `first` on; the last one ends at lmax.
struct Bands {
  Index first, lmax, width;

  Index count() const { return lmax < first ? 0 : (lmax - first) / width + 1; }
  Index band_of(Index l) const { return (l - first) / width; }
  Index size_of(Index band) const { return std::min(width, lmax + 1 - (first + band * width)); }

  /// Means over the bands.
  std::vector<double> bin(const std::vector<double>& column) const {
    std::vector<double> means(static_cast<std::size_t>(count()), 0.0);
    for (Index l = first; l <= lmax; ++l)
      means[static_cast<std::size_t>(band_of(l))] +=
          column[static_cast<std::size_t>(l)] / static_cast<double>(size_of(band_of(l)));
    return means;
  }
  std::vector<double> spread(const std::vector<double>& means) const {
    std::vector<double> column(static_cast<std::size_t>(lmax + 1), 0.0);
    for (Index l = first; l <= lmax; ++l)
      column[static_cast<std::size_t>(l)] = means[static_cast<std::size_t>(band_of(l))];
    return column;
  }
  /// Rows averaged, columns summed.
  std::vector<double> bin_matrix(const ModeCoupling& coupling, Combination combination) const {
    const Index n = count();
    std::vector<double> matrix(static_cast<std::size_t>(n * n), 0.0);
    const double odd = combination == Combination::kEven ? 0.0 : combination == Combination::kSum ? 1.0 : -1.0;
    for (Index l = first; l <= lmax; ++l)
      for (Index other = first; other <= lmax; ++other) {
        const auto at = static_cast<std::size_t>(l * (lmax + 1) + other);
        matrix[static_cast<std::size_t>(band_of(l) * n + band_of(other))] +=
            (coupling.even[at] + odd * coupling.odd[at]) / static_cast<double>(size_of(band_of(l)));
      }
    return matrix;
  }
};

class Decoupler {
 public:
  Decoupler(const comm::Communicator& comm, const transform::FieldKind& kind, std::span<const double> mask, Index lmax,
            Index width)
      : comm_(comm), kind_(kind), mask_(mask), lmax_(lmax), width_(width) {}

  alm::SpectraTable run(const alm::SpectraTable& table) {
    alm::SpectraTable result = table;
    const auto parts = kind_.parts();
    for (std::size_t p = 0; p < parts.size(); ++p)
      for (std::size_t q = p; q < parts.size(); ++q) decouple_parts(parts[p], parts[q], result);
    return result;
  }

 private:
  void decouple_parts(const transform::FieldPart& p, const transform::FieldPart& q, alm::SpectraTable& table) {
    const Index s = p.spin;
    const Index t = q.spin;
    if (s == 0 || t == 0) {
      for (Index i = p.first; i < p.first + p.components; ++i)
        for (Index j = q.first; j < q.first + q.components; ++j)
          column(table, i, j) = solve(s, t, Combination::kEven, column(table, i, j));
      return;
    }
    unmix(s, t, Combination::kSum, column(table, p.first, q.first), column(table, p.first + 1, q.first + 1));
    std::vector<double>& eb = column(table, p.first, q.first + 1);
    if (p.first == q.first)
      eb = solve(s, t, Combination::kDifference, eb);
    else
      unmix(s, t, Combination::kDifference, eb, column(table, p.first + 1, q.first));
  }

  /// x + y sees one combination, x - y the other.
  void unmix(Index s, Index t, Combination of_sum, std::vector<double>& x, std::vector<double>& y) {
    const Combination of_difference = of_sum == Combination::kSum ? Combination::kDifference : Combination::kSum;
    std::vector<double> sum = x;
    std::vector<double> difference = x;
    for (std::size_t l = 0; l < x.size(); ++l) {
      sum[l] += y[l];
      difference[l] -= y[l];
    }
    sum = solve(s, t, of_sum, sum);
    difference = solve(s, t, of_difference, difference);
    for (std::size_t l = 0; l < x.size(); ++l) {
      x[l] = 0.5 * (sum[l] + difference[l]);
      y[l] = 0.5 * (sum[l] - difference[l]);
    }
  }

  std::vector<double> solve(Index s, Index t, Combination combination, const std::vector<double>& found) {
    const Bands bands{std::max(s, t), lmax_, width_};
    std::vector<double> means = bands.bin(found);
    if (!means.empty()) solver(s, t, combination, bands).solve(means);
    return bands.spread(means);
  }

  const math::DenseSolver& solver(Index s, Index t, Combination combination, const Bands& bands) {
    const auto key = std::tuple(std::min(s, t), std::max(s, t), combination);
    if (const auto known = solvers_.find(key); known != solvers_.end()) return known->second;
    const auto spins = std::pair(std::min(s, t), std::max(s, t));
    if (!couplings_.contains(spins)) couplings_[spins] = mode_coupling(comm_, mask_, lmax_, spins.first, spins.second);
    math::DenseSolver made(bands.bin_matrix(couplings_[spins], combination), bands.count());
    if (made.reciprocal_condition() < kSmallestCondition)
      throw core::InputError(fmt::format(
          "the mask mixes degrees up to lmax = {} so much that they cannot be told apart: the matrix for the spins {} "
          "and {} has a reciprocal condition of {:.1e}: bin over more than {} degree{}, or give a larger mask",
          lmax_, s, t, made.reciprocal_condition(), width_, width_ == 1 ? "" : "s"));
    return solvers_.emplace(key, std::move(made)).first->second;
  }

  std::vector<double>& column(alm::SpectraTable& table, Index i, Index j) const {
    const auto& names = kind_.alm_names();
    const std::string name = alm::spectrum_name(names[static_cast<std::size_t>(i)], names[static_cast<std::size_t>(j)]);
    const auto at = std::ranges::find(table.names, name);
    if (at == table.names.end())
      throw core::InputError(fmt::format("spectra: there is no column {}: give the spectra of one field", name));
    return table.columns[static_cast<std::size_t>(at - table.names.begin())];
  }

  const comm::Communicator& comm_;
  const transform::FieldKind& kind_;
  std::span<const double> mask_;
  Index lmax_;
  Index width_;
  std::map<std::pair<Index, Index>, ModeCoupling> couplings_;
  std::map<std::tuple<Index, Index, Combination>, math::DenseSolver> solvers_;
};

}  // namespace

alm::SpectraTable decouple(const comm::Communicator& comm, const alm::SpectraTable& table,
                           const transform::FieldKind& kind, std::span<const double> mask, Index width) {
  return std::move(decouple(comm, std::span(&table, 1), kind, mask, width).front());
}

std::vector<alm::SpectraTable> decouple(const comm::Communicator& comm, std::span<const alm::SpectraTable> tables,
                                        const transform::FieldKind& kind, std::span<const double> mask, Index width) {
  std::vector<alm::SpectraTable> results;
  if (tables.empty()) return results;
  Decoupler decoupler(comm, kind, mask, tables.front().lmax, width);
  for (const alm::SpectraTable& table : tables) results.push_back(decoupler.run(table));
  return results;
}

}  // namespace armilla::ops
