#include <armilla/comm/phase.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/ops/reproducible_sum.hpp>
#include <armilla/ops/solvers/batch_vectors.hpp>
#include <armilla/ops/solvers/point_fit.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace armilla::ops {

namespace {

// Block size of sums; one thread sums each block.
constexpr Index kPointsOfBlock = 4096;

}  // namespace

/// u is the residual of the values.
template <class T>
class PointFit<T>::Vector final : public FitVector<T> {
 public:
  explicit Vector(PointFit& fit) : fit_(fit) {}

  void advance(const Alm& a, std::span<const double> minus, const std::vector<bool>& active) override {
    fit_.transform_.synthesis(a, fit_.scratch_.write());
    std::vector<double> one(minus.size(), 0.0), keep(minus.size(), 1.0);
    for (std::size_t s = 0; s < minus.size(); ++s)
      if (active[s]) {
        one[s] = 1;
        keep[s] = -minus[s];
      }
    fit_.combine(one, fit_.scratch_.read(), keep, fit_.left_.write());
  }
  void scale(std::span<const double> by) override {
    fit_.combine(std::vector<double>(by.size(), 0.0), fit_.left_.read(), by, fit_.left_.write());
  }
  std::vector<double> squares() override { return fit_.squares(fit_.left_.read()); }
  void adjoint(Alm& b) override { fit_.adjoint(fit_.left_.read(), b); }

 private:
  PointFit& fit_;
};

template <class T>
PointFit<T>::Work::Work(Index fields, Index points) : numbers_(fields * points) {
  for (Index f = 0; f < fields; ++f) {
    write_.emplace_back(numbers_.data() + f * points, core::at(points));
    read_.emplace_back(write_.back());
  }
}

template <class T>
PointFit<T>::PointFit(points::PointTransform<T>& transform, ConstValues values, std::vector<double> scales,
                      std::span<const double> weights)
    : transform_(transform),
      values_(values),
      scales_(std::move(scales)),
      weights_(weights),
      memory_(backend::host_memory()),
      left_(static_cast<Index>(values.size()), transform.points()),
      scratch_(static_cast<Index>(values.size()), transform.points()) {}

template <class T>
void PointFit<T>::combine(std::span<const double> a, ConstValues x, std::span<const double> b, Values y) const {
  const auto spin_fields = transform_.spec().kind.spin_fields();
  const std::size_t components = core::at(transform_.spec().kind.components());
  for (std::size_t s = 0; s < systems(); ++s) {
    const transform::SpinField& field = spin_fields[s % spin_fields.size()];
    const std::size_t first = s / spin_fields.size() * components + core::at(field.first);
    const auto of_x = static_cast<T>(a[s]), of_y = static_cast<T>(b[s]);
    for (std::size_t f = first; f < first + core::at(field.components); ++f) {
      const T* from = x[f].data();
      T* to = y[f].data();
#pragma omp parallel for schedule(static)
      for (Index i = 0; i < transform_.points(); ++i) to[i] = of_x * from[i] + (of_y == 0 ? T(0) : of_y * to[i]);
    }
  }
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
void PointFit<T>::adjoint(ConstValues values, Alm& b) {
  for (std::size_t f = 0; f < values.size(); ++f) {
    const T* from = values[f].data();
    T* to = scratch_.write()[f].data();
#pragma omp parallel for schedule(static)
    for (Index i = 0; i < transform_.points(); ++i) to[i] = static_cast<T>(weight(i) * static_cast<double>(from[i]));
  }
  transform_.adjoint_synthesis(scratch_.read(), b);
}

template <class T>
std::vector<double> PointFit<T>::squares(ConstValues values) const {
  const Index points = transform_.points(), blocks = (points + kPointsOfBlock - 1) / kPointsOfBlock;
  std::vector<Index> all{blocks};
  comm().sum(all);
  const std::vector<double> of_fields =
      sums_over_rows<1>(comm(), static_cast<Index>(values.size()), blocks, all.front(), [&](Index field, Index block) {
        double sum = 0;
        const Index end = std::min(points, (block + 1) * kPointsOfBlock);
        for (Index i = block * kPointsOfBlock; i < end; ++i) {
          const auto value = static_cast<double>(values[core::at(field)][core::at(i)]);
          sum += weight(i) * value * value;
        }
        return std::array{sum};
      });
  return sums_of_systems(transform_.spec().kind, of_fields);
}

template <class T>
void PointFit<T>::multiply(const Alm& a, Alm& b) {
  transform_.synthesis(a, scratch_.write());
  adjoint(scratch_.read(), b);
}

template <class T>
void PointFit<T>::precondition(const Alm& a, Alm& b) {
  comm::phase(comm(), [&] { std::ranges::copy(a.data(), b.data().begin()); });
}

template <class T>
std::vector<double> PointFit<T>::set_left(const Alm* alm) {
  if (alm != nullptr) transform_.synthesis(*alm, left_.write());
  combine(scales_, values_, std::vector<double>(systems(), alm == nullptr ? 0.0 : -1.0), left_.write());
  return squares(left_.read());
}

template <class T>
std::unique_ptr<FitVector<T>> PointFit<T>::vector_of_left() {
  return std::make_unique<Vector>(*this);
}

ARMILLA_INSTANTIATE_CLASS(PointFit);

}  // namespace armilla::ops
