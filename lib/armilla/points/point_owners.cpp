#include <armilla/comm/exchange.hpp>
#include <armilla/comm/phase.hpp>
#include <armilla/core/aligned_buffer.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/points/point_owners.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <omp.h>

namespace armilla::points {

using core::at;
using core::kPi;

namespace {

// Cost of a row pair, in units of one point: its samples are fetched and combined.
constexpr double kPointsOfPair = 64;

std::vector<Index> begins(const std::vector<Index>& counts, Index width) {
  std::vector<Index> first(counts.size());
  std::transform_exclusive_scan(counts.begin(), counts.end(), first.begin(), Index{0}, std::plus<>(),
                                [width](Index count) { return width * count; });
  return first;
}

std::vector<Index> times(const std::vector<Index>& counts, Index width) {
  std::vector<Index> products;
  for (const Index count : counts) products.push_back(width * count);
  return products;
}

/// Throws for the first invalid point; `offset`: number of points on the preceding ranks.
void check(std::span<const double> theta, std::span<const double> phi, Index offset) {
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
  if (comm.size() == 1) return;
  std::vector<Index> in_pairs;
  comm::phase(comm, [&] { in_pairs = count_pairs(theta); });
  comm.sum(in_pairs);
  pair_begin_ = ranges(in_pairs, comm.size());
  exchange_points(theta, phi);
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

void PointOwners::order_by_owner(std::span<const double> theta) {
  const Parts parts{static_cast<Index>(theta.size())};
  const std::size_t ranks = at(comm_.size());
  std::vector<int> owners(theta.size());
  std::vector<std::vector<Index>> next(at(parts.parts), std::vector<Index>(ranks, 0));  // [part][rank] counts, offsets
#pragma omp parallel for schedule(static, 1)
  for (Index part = 0; part < parts.parts; ++part)
    for (Index i = parts.begin(part); i < parts.begin(part + 1); ++i)
      ++next[at(part)][at(owners[at(i)] = owner_of(theta[at(i)]))];
  sent_.assign(ranks, 0);
  received_.resize(ranks);
  Index place = 0;
  for (std::size_t rank = 0; rank < ranks; ++rank)
    for (std::vector<Index>& of_part : next) {
      sent_[rank] += of_part[rank];
      place += std::exchange(of_part[rank], place);
    }
  order_.resize(theta.size());
#pragma omp parallel for schedule(static, 1)
  for (Index part = 0; part < parts.parts; ++part)
    for (Index i = parts.begin(part); i < parts.begin(part + 1); ++i)
      order_[at(next[at(part)][at(owners[at(i)])]++)] = i;
}

void PointOwners::exchange_points(std::span<const double> theta, std::span<const double> phi) {
  const auto ranks = at(comm_.size());
  comm::phase(comm_, [&] { order_by_owner(theta); });
  {  // number of points that each rank receives from each other rank, as integers that a double represents exactly
    std::vector<std::complex<double>> here(ranks), there(ranks);
    for (std::size_t r = 0; r < ranks; ++r) here[r] = static_cast<double>(sent_[r]);
    const std::vector<Index> ones(ranks, 1);
    comm::exchange<double>(comm_, here, ones, begins(ones, 1), there, ones, begins(ones, 1));
    for (std::size_t r = 0; r < ranks; ++r) received_[r] = static_cast<Index>(there[r].real());
  }

  const Index owned = std::accumulate(received_.begin(), received_.end(), Index{0});
  using Pair = std::complex<double>;
  core::AlignedBuffer<Pair> send, receive;
  comm::phase(comm_, [&] {
    send = core::AlignedBuffer<Pair>(given_);
    receive = core::AlignedBuffer<Pair>(owned);
    theta_here_.resize(at(owned));
    phi_here_.resize(at(owned));
#pragma omp parallel for schedule(static)
    for (Index i = 0; i < given_; ++i) send.data()[i] = {theta[at(order_[at(i)])], phi[at(order_[at(i)])]};
  });
  comm::exchange<double>(comm_, send.span(), sent_, begins(sent_, 1), receive.span(), received_, begins(received_, 1));
#pragma omp parallel for schedule(static)
  for (Index i = 0; i < owned; ++i) {
    theta_here_[at(i)] = receive.data()[i].real();
    phi_here_[at(i)] = receive.data()[i].imag();
  }
  theta_ = theta_here_;
  phi_ = phi_here_;
}

template <class T>
void PointOwners::carry(const End& from, std::span<const T* const> values, const End& to,
                        std::span<T* const> results) const {
  const std::size_t fields = values.size();
  if (comm_.size() == 1) {
    for (std::size_t f = 0; f < fields; ++f)
      if (values[f] != results[f]) std::copy_n(values[f], given_, results[f]);
    return;
  }
  // Pairs of fields are sent as complex values.
  const Index width = (static_cast<Index>(fields) + 1) / 2;
  core::AlignedBuffer<std::complex<T>> send, receive;
  comm::phase(comm_, [&] {
    send = core::AlignedBuffer<std::complex<T>>(width * from.points);
    receive = core::AlignedBuffer<std::complex<T>>(width * to.points);
    T* numbers = reinterpret_cast<T*>(send.data());
#pragma omp parallel for schedule(static)
    for (Index i = 0; i < from.points; ++i) {
      T* point = numbers + 2 * width * i;
      const Index place = from.place(i);
      for (std::size_t f = 0; f < fields; ++f) point[f] = values[f][place];
      if (fields % 2 == 1) point[fields] = 0;
    }
  });
  comm::exchange<T>(comm_, send.span(), times(from.counts, width), begins(from.counts, width), receive.span(),
                    times(to.counts, width), begins(to.counts, width));
  const T* numbers = reinterpret_cast<const T*>(receive.data());
#pragma omp parallel for schedule(static)
  for (Index i = 0; i < to.points; ++i) {
    const T* point = numbers + 2 * width * i;
    const Index place = to.place(i);
    for (std::size_t f = 0; f < fields; ++f) results[f][place] = point[f];
  }
}

template <class T>
void PointOwners::give_back(std::span<const T* const> owned, std::span<T* const> given) const {
  carry<T>({this->owned(), received_, {}}, owned, {given_, sent_, order_}, given);
}

template <class T>
void PointOwners::take(std::span<const T* const> given, std::span<T* const> owned) const {
  carry<T>({given_, sent_, order_}, given, {this->owned(), received_, {}}, owned);
}

ARMILLA_INSTANTIATE(PointOwners::give_back);
ARMILLA_INSTANTIATE(PointOwners::take);

}  // namespace armilla::points
