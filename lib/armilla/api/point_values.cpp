#include <armilla/api/point_values.hpp>
#include <armilla/comm/phase.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/points/point_field.hpp>

#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace armilla {

namespace {

void check_points(std::span<const double> theta, std::span<const double> phi, Index maps) {
  if (theta.size() != phi.size())
    throw InputError(
        fmt::format("{} values of theta, but {} of phi: pass one of each per point", theta.size(), phi.size()));
  if (maps < 1) throw InputError(fmt::format("maps = {} is below 1", maps));
  for (std::size_t i = 0; i < theta.size(); ++i)
    if (!(theta[i] >= 0 && theta[i] <= core::kPi) || !std::isfinite(phi[i]))
      throw InputError(
          fmt::format("point {} of this rank has theta = {}, phi = {}: use theta in [0, pi] and a finite "
                      "phi, in rad",
                      i, theta[i], phi[i]));
}

}  // namespace

template <class T>
PointValues<T>::PointValues(const Communicator& comm, std::vector<double> theta, std::vector<double> phi,
                            FieldKind fields, Index maps)
    : total_(0), ranks_(comm.size()) {
  std::vector<Index> counts(core::at(comm.size()));
  counts[core::at(comm.rank())] = static_cast<Index>(theta.size());
  comm::phase(comm, [&] { check_points(theta, phi, maps); });
  comm.sum(std::span<Index>(counts));
  auto local = std::make_shared<points::LocalPoints>();
  for (int rank = 0; rank < comm.size(); ++rank) {
    if (rank < comm.rank()) local->first += counts[core::at(rank)];
    total_ += counts[core::at(rank)];
  }
  comm::phase(comm, [&] {
    if (total_ == 0) throw InputError("there are no points on any rank: pass at least one");
    local->theta = std::move(theta);
    local->phi = std::move(phi);
    field_ = std::make_shared<points::PointField<T>>(std::move(fields), std::move(local), maps);
  });
}

template <class T>
PointValues<T>::PointValues(std::shared_ptr<points::PointField<T>> field, Index total, int ranks)
    : field_(std::move(field)), total_(total), ranks_(ranks) {}

template <class T>
const FieldKind& PointValues<T>::fields() const {
  return field_->kind();
}

template <class T>
Index PointValues<T>::maps() const {
  return field_->maps();
}

template <class T>
std::span<const double> PointValues<T>::theta() const {
  return field_->points()->theta;
}

template <class T>
std::span<const double> PointValues<T>::phi() const {
  return field_->points()->phi;
}

template <class T>
std::span<T> PointValues<T>::data() {
  return field_->data();
}

template <class T>
std::span<const T> PointValues<T>::data() const {
  return std::as_const(*field_).data();
}

ARMILLA_INSTANTIATE_CLASS(PointValues);

}  // namespace armilla
