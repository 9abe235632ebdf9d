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
    fit_.transform_.synthesis(a, fit_.scratch_);
    std::vector<double> one(minus.size(), 0.0), keep(minus.size(), 1.0);
    for (std::size_t s = 0; s < minus.size(); ++s)
      if (active[s]) {
        one[s] = 1;
        keep[s] = -minus[s];
      }
    fit_.combine(one, fit_.scratch_, keep, fit_.left_);
  }
  void scale(std::span<const double> by) override {
    fit_.combine(std::vector<double>(by.size(), 0.0), fit_.left_, by, fit_.left_);
  }
  std::vector<double> squares() override { return fit_.squares(fit_.left_); }
  void adjoint(Alm& b) override { fit_.adjoint(fit_.left_, b); }

 private:
  PointFit& fit_;
};

template <class T>
PointFit<T>::PointFit(points::PointTransform<T>& transform, const Values& values, std::vector<double> scales,
                      std::span<const double> weights)
    : transform_(transform),
      values_(values),
      scales_(std::move(scales)),
      memory_(transform.comm().size() == 1 ? transform.memory() : backend::host_memory()),
      weights_(weights.size() == 1 ? Index{0} : transform.points()),
      left_(values.size()),
      scratch_(values.size()) {
  if (weights.size() == 1)
    weight_ = weights.front();
  else
    std::ranges::transform(weights, weights_.host().begin(), [](double weight) { return static_cast<T>(weight); });
  for (Values* all : {&left_, &scratch_}) std::ranges::fill(all->host(), T{});  // sums with factor 0 read them
}

template <class T>
void PointFit<T>::combine(std::span<const double> a, const Values& x, std::span<const double> b, Values& y) const {
  const auto spin_fields = transform_.spec().kind.spin_fields();
  const Index points = transform_.points();
  comm::phase(comm(), [&] {
    const T* from = x.read(memory_);
    T* to = y.update(memory_);
    for (std::size_t s = 0; s < systems(); ++s) {
      if (a[s] == 0 && b[s] == 1) continue;
      const transform::SpinField& field = spin_fields[s % spin_fields.size()];
      const Index map = static_cast<Index>(s / spin_fields.size());
      const Index first = (map * transform_.spec().kind.components() + field.first) * points;
      memory_->ops<T>().combine(static_cast<T>(a[s]), from + first, static_cast<T>(b[s]), to + first,
                                field.components * points);
    }
  });
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
void PointFit<T>::adjoint(const Values& values, Alm& b) {
  combine(std::vector<double>(systems(), weight_), values, std::vector<double>(systems(), 0.0), scratch_);
  if (weights_.size() > 0)
    comm::phase(comm(), [&] {
      const T* weights = weights_.read(memory_);
      T* to = scratch_.update(memory_);
      for (Index f = 0; f < fields(); ++f)
        memory_->ops<T>().multiply(weights, to + f * transform_.points(), transform_.points());
    });
  transform_.adjoint_synthesis(scratch_, b);
}

template <class T>
std::vector<double> PointFit<T>::squares(const Values& values) const {
  const Index points = transform_.points(), blocks = (points + kPointsOfBlock - 1) / kPointsOfBlock;
  std::vector<double> sums;
  comm::phase(comm(), [&] {
    std::vector<Index> begin, length;
    for (Index first = 0; first < points; first += kPointsOfBlock) {
      begin.push_back(first);
      length.push_back(std::min(kPointsOfBlock, points - first));
    }
    const std::vector<Index> of_fields(core::at(fields()), 0);
    backend::NumberWeights<T> weights;
    if (weights_.size() > 0) weights = {weights_.read(memory_), of_fields};
    sums.resize(core::at(fields() * blocks));
    const T* numbers = values.read(memory_);
    memory_->ops<T>().sum_products({begin, length, fields(), points}, weights, numbers, numbers, sums);
  });
  std::vector<Index> all{blocks};
  comm().sum(all);
  const std::vector<double> of_fields = sums_over_rows<1>(
      comm(), fields(), blocks, all.front(),
      [&](Index field, Index block) { return std::array{weight_ * sums[core::at(field * blocks + block)]}; });
  return sums_of_systems(transform_.spec().kind, of_fields);
}

template <class T>
void PointFit<T>::multiply(const Alm& a, Alm& b) {
  transform_.synthesis(a, scratch_);
  adjoint(scratch_, b);
}

template <class T>
void PointFit<T>::precondition(const Alm& a, Alm& b) {
  comm::phase(comm(), [&] { transform::combine(T{1}, a, T{0}, b, memory()); });
}

template <class T>
std::vector<double> PointFit<T>::set_left(const Alm* alm) {
  if (alm != nullptr) transform_.synthesis(*alm, left_);
  combine(scales_, values_, std::vector<double>(systems(), alm == nullptr ? 0.0 : -1.0), left_);
  return squares(left_);
}

template <class T>
std::unique_ptr<FitVector<T>> PointFit<T>::vector_of_left() {
  return std::make_unique<Vector>(*this);
}

ARMILLA_INSTANTIATE_CLASS(PointFit);

}  // namespace armilla::ops
