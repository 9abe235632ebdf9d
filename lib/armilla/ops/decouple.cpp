#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>
#include <armilla/ops/decouple.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <Eigen/LU>
#include <fmt/format.h>

namespace armilla::ops {

namespace {

/// The reciprocal condition number exceeds about 1e-3 for masks that cover at least half the sky. It is far below this
/// limit if bands are narrower than the mask can resolve. The spectrum W of a pixelised mask is accurate to about 1e-4.
constexpr double kSmallestCondition = 1e-5;

/// The spins of each pair of spin fields, in ascending order.
std::set<std::pair<Index, Index>> pairs_of_spins(const transform::FieldKind& kind) {
  std::set<std::pair<Index, Index>> pairs;
  for (const transform::SpinField& p : kind.spin_fields())
    for (const transform::SpinField& q : kind.spin_fields())
      if (p.first <= q.first) pairs.insert(std::minmax({p.spin, q.spin}));
  return pairs;
}

}  // namespace

/// Bands of `width` degrees, starting at `first`; the last one ends at lmax.
struct Decoupler::Bands {
  Index first, lmax, width;

  Index count() const { return lmax < first ? 0 : (lmax - first) / width + 1; }
  Index band_of(Index l) const { return (l - first) / width; }
  Index size_of(Index band) const { return std::min(width, lmax + 1 - (first + band * width)); }

  /// Returns the mean of each band.
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
  /// Averages over the rows of each band and sums over its columns.
  Eigen::MatrixXd bin_matrix(const ModeCoupling& coupling, Combination combination) const {
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(count(), count());
    const double odd = combination == Combination::kEven ? 0.0 : combination == Combination::kSum ? 1.0 : -1.0;
    for (Index l = first; l <= lmax; ++l)
      for (Index other = first; other <= lmax; ++other) {
        const auto at = static_cast<std::size_t>(l * (lmax + 1) + other);
        matrix(band_of(l), band_of(other)) +=
            (coupling.even[at] + odd * coupling.odd[at]) / static_cast<double>(size_of(band_of(l)));
      }
    return matrix;
  }
};

/// LU factors of a matrix between bands, computed in place with partial pivoting.
class Decoupler::Solver {
 public:
  explicit Solver(Eigen::MatrixXd matrix) : matrix_(std::move(matrix)), lu_(matrix_) {}

  /// Estimate in the 1-norm (Higham 1988); 0 if the matrix is singular or not finite.
  double reciprocal_condition() const {
    const bool regular = (matrix_.diagonal().array().abs() > 0).all();
    return regular && matrix_.allFinite() ? lu_.rcond() : 0;
  }
  /// values = A^-1 values.
  void solve(std::vector<double>& values) const {
    const Eigen::VectorXd right = Eigen::Map<Eigen::VectorXd>(values.data(), matrix_.rows());
    Eigen::Map<Eigen::VectorXd>(values.data(), matrix_.rows()) = lu_.solve(right);
  }

 private:
  Eigen::MatrixXd matrix_;  // the factors
  Eigen::PartialPivLU<Eigen::Ref<Eigen::MatrixXd>> lu_;
};

Decoupler::Decoupler(const comm::Communicator& comm, const transform::FieldKind& kind, std::span<const double> mask,
                     Index lmax, Index width)
    : kind_(kind), lmax_(lmax), width_(width) {
  for (const auto& [s, t] : pairs_of_spins(kind)) {
    const ModeCoupling coupling = mode_coupling(comm, mask, lmax, s, t);
    comm::phase(comm, [&] {
      if (s == 0) return add(coupling, s, t, Combination::kEven);
      add(coupling, s, t, Combination::kSum);
      add(coupling, s, t, Combination::kDifference);
    });
  }
}

void Decoupler::add(const ModeCoupling& coupling, Index s, Index t, Combination combination) {
  const Bands bands{t, lmax_, width_};
  if (bands.count() == 0) return;
  auto solver = std::make_shared<const Solver>(bands.bin_matrix(coupling, combination));
  if (const double condition = solver->reciprocal_condition(); condition < kSmallestCondition)
    throw core::InputError(fmt::format(
        "the mask couples degrees up to lmax = {} too strongly to separate them: the matrix for spins {} and {} has a "
        "reciprocal condition number of {:.1e}. Use bins of more than {} degree{}, or a larger mask",
        lmax_, s, t, condition, width_, width_ == 1 ? "" : "s"));
  solvers_.emplace(Key{s, t, combination}, std::move(solver));
}

alm::SpectraTable Decoupler::run(const alm::SpectraTable& table) const {
  if (table.lmax != lmax_)
    throw core::InputError(fmt::format("spectra: lmax is {}, but the matrices are for {}", table.lmax, lmax_));
  alm::SpectraTable result = table;
  const auto spin_fields = kind_.spin_fields();
  for (std::size_t p = 0; p < spin_fields.size(); ++p)
    for (std::size_t q = p; q < spin_fields.size(); ++q) decouple_pair(spin_fields[p], spin_fields[q], result);
  return result;
}

core::MemoryEstimate Decoupler::memory(const transform::FieldKind& kind, Index lmax, Index width) {
  Index solvers = 0;
  for (const auto& [s, t] : pairs_of_spins(kind)) solvers += s == 0 ? 1 : 2;
  const Index bands = lmax / width + 1;
  constexpr auto kNumber = static_cast<Index>(sizeof(double));
  return {.tables = solvers * bands * bands * kNumber, .workspace = 2 * (lmax + 1) * (lmax + 1) * kNumber};
}

void Decoupler::decouple_pair(const transform::SpinField& p, const transform::SpinField& q,
                              alm::SpectraTable& table) const {
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

/// Separates x and y: the sum x + y is coupled by one combination of matrices, the difference x - y by the other.
void Decoupler::unmix(Index s, Index t, Combination of_sum, std::vector<double>& x, std::vector<double>& y) const {
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

std::vector<double> Decoupler::solve(Index s, Index t, Combination combination,
                                     const std::vector<double>& found) const {
  const Bands bands{std::max(s, t), lmax_, width_};
  std::vector<double> means = bands.bin(found);
  if (!means.empty()) solvers_.at(Key{std::min(s, t), std::max(s, t), combination})->solve(means);
  return bands.spread(means);
}

std::vector<double>& Decoupler::column(alm::SpectraTable& table, Index i, Index j) const {
  const auto& names = kind_.alm_names();
  const std::string name = alm::spectrum_name(names[static_cast<std::size_t>(i)], names[static_cast<std::size_t>(j)]);
  const auto at = std::ranges::find(table.names, name);
  if (at == table.names.end())
    throw core::InputError(fmt::format("spectra: there is no column {}: use the spectra of one field", name));
  return table.columns[static_cast<std::size_t>(at - table.names.begin())];
}

}  // namespace armilla::ops
