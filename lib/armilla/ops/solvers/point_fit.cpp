#include <armilla/comm/phase.hpp>
#include <armilla/ops/reproducible_sum.hpp>
#include <armilla/ops/solvers/batch_vectors.hpp>
#include <armilla/ops/solvers/point_fit.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace armilla::ops {

namespace {

// Of sums: each is added up by one thread.
constexpr Index kPointsOfBlock = 4096;

/// Components [map, component] of values, as the transform takes them.
template <class T>
std::vector<std::span<T>> fields_of(points::PointField<T>& values) {
  std::vector<std::span<T>> fields;
  for (Index map = 0; map < values.maps(); ++map)
    for (Index c = 0; c < values.kind().components(); ++c) fields.push_back(values.component(map, c));
  return fields;
}
template <class T>
std::vector<std::span<const T>> fields_of(const points::PointField<T>& values) {
  std::vector<std::span<const T>> fields;
  for (Index map = 0; map < values.maps(); ++map)
    for (Index c = 0; c < values.kind().components(); ++c) fields.push_back(values.component(map, c));
  return fields;
}

/// y = a[s] x + b[s] y for each system s.
template <class T>
void combine_points(std::span<const double> a, const points::PointField<T>& x, std::span<const double> b,
                    points::PointField<T>& y) {
  const auto spin_fields = y.kind().spin_fields();
  for (Index map = 0; map < y.maps(); ++map)
    for (std::size_t field = 0; field < spin_fields.size(); ++field) {
      const std::size_t s = core::at(map) * spin_fields.size() + field;
      const auto of_x = static_cast<T>(a[s]), of_y = static_cast<T>(b[s]);
      const Index first = spin_fields[field].first;
      for (Index c = first; c < first + spin_fields[field].components; ++c) {
        const T* from = x.component(map, c).data();
        T* to = y.component(map, c).data();
#pragma omp parallel for schedule(static)
        for (Index i = 0; i < y.local_size(); ++i) to[i] = of_x * from[i] + of_y * to[i];
      }
    }
}

}  // namespace

/// u is what is left of the values.
template <class T>
class PointFit<T>::Vector final : public FitVector<T> {
 public:
  explicit Vector(PointFit& fit) : fit_(fit) {}

  void advance(const Alm& a, std::span<const double> minus, const std::vector<bool>& active) override {
    fit_.synthesis(a);
    std::vector<double> one(minus.size(), 0.0), keep(minus.size(), 1.0);
    for (std::size_t s = 0; s < minus.size(); ++s)
      if (active[s]) {
        one[s] = 1;
        keep[s] = -minus[s];
      }
    combine_points<T>(one, fit_.scratch_, keep, fit_.left_);
  }
  void scale(std::span<const double> by) override {
    combine_points<T>(std::vector<double>(by.size(), 0.0), fit_.left_, by, fit_.left_);
  }
  std::vector<double> squares() override { return fit_.squares(fit_.left_); }
  void adjoint(Alm& b) override { fit_.adjoint(fit_.left_, b); }

 private:
  PointFit& fit_;
};

template <class T>
PointFit<T>::PointFit(points::PointTransform<T>& transform, const Field& values, double scale,
                      std::span<const double> weights)
    : transform_(transform),
      values_(values),
      scale_(scale),
      weights_(weights),
      memory_(backend::host_memory()),
      left_(values.kind(), values.places(), values.maps()),
      scratch_(values.kind(), values.places(), values.maps()) {}

template <class T>
std::size_t PointFit<T>::systems() const {
  return systems_of(values_);
}

template <class T>
auto PointFit<T>::make_alm() const -> std::unique_ptr<Alm> {
  std::unique_ptr<Alm> alm;
  comm::phase(comm(), [&] {
    const points::PointTransformSpec& spec = transform_.spec();
    alm = std::make_unique<Alm>(spec.kind, spec.alm, comm().rank(), spec.maps);
    std::ranges::fill(alm->data(), std::complex<T>{});
  });
  return alm;
}

template <class T>
void PointFit<T>::synthesis(const Alm& a) {
  transform_.synthesis(a, fields_of(scratch_));
}

template <class T>
void PointFit<T>::adjoint(const Field& values, Alm& b) {
  const auto from = fields_of(values);
  const auto to = fields_of(scratch_);
  for (std::size_t f = 0; f < from.size(); ++f) {
#pragma omp parallel for schedule(static)
    for (Index i = 0; i < values.local_size(); ++i)
      to[f][core::at(i)] = static_cast<T>(weight(i) * static_cast<double>(from[f][core::at(i)]));
  }
  transform_.adjoint_synthesis(fields_of(std::as_const(scratch_)), b);
}

template <class T>
std::vector<double> PointFit<T>::squares(const Field& values) const {
  const auto fields = fields_of(values);
  const Index points = values.local_size(), blocks = (points + kPointsOfBlock - 1) / kPointsOfBlock;
  std::vector<Index> all{blocks};
  comm().sum(all);
  const std::vector<double> of_fields =
      sums_over_rows<1>(comm(), static_cast<Index>(fields.size()), blocks, all.front(), [&](Index field, Index block) {
        double sum = 0;
        const Index end = std::min(points, (block + 1) * kPointsOfBlock);
        for (Index i = block * kPointsOfBlock; i < end; ++i) {
          const auto value = static_cast<double>(fields[core::at(field)][core::at(i)]);
          sum += weight(i) * value * value;
        }
        return std::array{sum};
      });
  return sums_of_systems(values.kind(), of_fields);
}

template <class T>
void PointFit<T>::multiply(const Alm& a, Alm& b) {
  synthesis(a);
  adjoint(scratch_, b);
}

template <class T>
void PointFit<T>::precondition(const Alm& a, Alm& b) {
  comm::phase(comm(), [&] { std::ranges::copy(a.data(), b.data().begin()); });
}

template <class T>
std::vector<double> PointFit<T>::set_left(const Alm* alm) {
  const std::vector<double> scales(systems(), scale_);
  if (alm == nullptr) {
    combine_points<T>(scales, values_, std::vector<double>(systems(), 0.0), left_);
  } else {
    transform_.synthesis(*alm, fields_of(left_));
    combine_points<T>(scales, values_, std::vector<double>(systems(), -1.0), left_);
  }
  return squares(left_);
}

template <class T>
std::unique_ptr<FitVector<T>> PointFit<T>::vector_of_left() {
  return std::make_unique<Vector>(*this);
}

template class PointFit<float>;
template class PointFit<double>;

}  // namespace armilla::ops
