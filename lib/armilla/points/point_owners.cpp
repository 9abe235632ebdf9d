#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/points/point_owners.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <omp.h>

namespace armilla::points {

using core::at;
using core::kPi;

namespace {

// Cost of a row pair, in units of one point: its samples are fetched and combined.
constexpr double kPointsOfPair = 64;

/// Divides `count` points into parts of consecutive points, one for each thread.
struct Parts {
  Index count, parts = omp_get_max_threads();
  Index begin(Index part) const { return count * part / parts; }
};

}  // namespace

Index PointOwners::pair_of(double theta, Index rows) {
  const Index row = std::min(static_cast<Index>(theta / kPi * static_cast<double>(rows)), rows - 1);
  return std::min(row, rows - 1 - row);
}

void PointOwners::check(std::span<const double> theta, std::span<const double> phi, Index offset) {
  const auto count = static_cast<Index>(theta.size());
  Index first = count;
#pragma omp parallel for schedule(static) reduction(min : first)
  for (Index i = 0; i < count; ++i)
    if (!(theta[at(i)] >= 0 && theta[at(i)] <= kPi) || !std::isfinite(phi[at(i)])) first = std::min(first, i);
  if (first == count) return;
  if (theta[at(first)] >= 0 && theta[at(first)] <= kPi)
    throw core::InputError(fmt::format("point {}: phi = {} is not a finite number", offset + first, phi[at(first)]));
  throw core::InputError(fmt::format("point {}: theta = {} is outside [0, pi]: use colatitudes in radians",
                                     offset + first, theta[at(first)]));
}

PointOwners::PointOwners(const comm::Communicator& comm, Index rows, std::span<const double> theta,
                         std::span<const double> phi)
    : comm_(comm),
      rows_(rows),
      given_(static_cast<Index>(theta.size())),
      pair_begin_(at(comm.size() + 1), rows / 2),
      theta_(theta),
      phi_(phi) {
  std::vector<Index> counts(at(comm.size()), 0);
  counts[at(comm.rank())] = given_;
  comm.sum(counts);
  comm::phase(comm, [&] {
    if (theta.size() != phi.size())
      throw core::InputError(fmt::format("points: {} values of theta but {} of phi", theta.size(), phi.size()));
    // A single rank plans all points, and the plan checks them with the same messages.
    if (comm.size() > 1) check(theta, phi, std::accumulate(counts.begin(), counts.begin() + comm.rank(), Index{0}));
  });
  pair_begin_.front() = 0;
  if (comm.size() == 1) {
    exchange_.emplace(comm, given_);
    return;
  }
  std::vector<Index> in_pairs;
  comm::phase(comm, [&] { in_pairs = count_pairs(theta); });
  comm.sum(in_pairs);
  pair_begin_ = ranges(in_pairs, comm.size());
  exchange_points(theta, phi);
}

PointOwners::PointOwners(const comm::Communicator& comm, Index rows, Index count)
    : comm_(comm), rows_(rows), given_(count), pair_begin_{0, rows / 2} {
  if (comm.size() > 1) throw core::InternalError("the points of several ranks have coordinates on the host");
  exchange_.emplace(comm, count);
}

std::vector<Index> PointOwners::count_pairs(std::span<const double> theta) const {
  const Parts parts{static_cast<Index>(theta.size())};
  const std::size_t pairs = at(rows_ / 2);
  std::vector<std::vector<Index>> counts(at(parts.parts), std::vector<Index>(pairs, 0));
#pragma omp parallel for schedule(static, 1)
  for (Index part = 0; part < parts.parts; ++part)
    for (Index i = parts.begin(part); i < parts.begin(part + 1); ++i)
      ++counts[at(part)][at(pair_of(theta[at(i)], rows_))];
  for (std::size_t part = 1; part < counts.size(); ++part)
    for (std::size_t pair = 0; pair < pairs; ++pair) counts[0][pair] += counts[part][pair];
  return counts[0];
}

std::vector<Index> PointOwners::ranges(std::span<const Index> counts, int ranks) {
  std::vector<Index> begin(at(ranks + 1), static_cast<Index>(counts.size()));
  begin.front() = 0;
  double all = kPointsOfPair * static_cast<double>(counts.size());
  for (const Index count : counts) all += static_cast<double>(count);
  // Places each boundary where the cost before it is closest to the share of the ranks before it.
  double before = 0;
  int rank = 1;
  for (std::size_t pair = 0; pair < counts.size() && rank < ranks; ++pair) {
    const double cost = kPointsOfPair + static_cast<double>(counts[pair]);
    while (rank < ranks && before + cost / 2 >= all * rank / ranks) begin[at(rank++)] = static_cast<Index>(pair);
    before += cost;
  }
  return begin;
}

int PointOwners::owner_of(double theta) const {
  const auto after = std::upper_bound(pair_begin_.begin(), pair_begin_.end() - 1, pair_of(theta, rows_));
  return static_cast<int>(after - pair_begin_.begin()) - 1;
}

void PointOwners::exchange_points(std::span<const double> theta, std::span<const double> phi) {
  std::vector<int> owners;
  comm::phase(comm_, [&] {
    owners.resize(theta.size());
#pragma omp parallel for schedule(static)
    for (Index i = 0; i < given_; ++i) owners[at(i)] = owner_of(theta[at(i)]);
  });
  exchange_.emplace(comm_, owners);
  comm::phase(comm_, [&] {
    theta_here_.resize(at(exchange_->received()));
    phi_here_.resize(at(exchange_->received()));
  });
  const std::array here{theta.data(), phi.data()};
  const std::array there{theta_here_.data(), phi_here_.data()};
  exchange_->send<double>({here}, {there});
  theta_ = theta_here_;
  phi_ = phi_here_;
}

template <class T>
void PointOwners::give_back(std::span<const T* const> owned, std::span<T* const> given) const {
  exchange_->send_back<T>({owned}, {given});
}

template <class T>
void PointOwners::take(std::span<const T* const> given, std::span<T* const> owned) const {
  exchange_->send<T>({given}, {owned});
}

ARMILLA_INSTANTIATE(PointOwners::give_back);
ARMILLA_INSTANTIATE(PointOwners::take);

}  // namespace armilla::points
