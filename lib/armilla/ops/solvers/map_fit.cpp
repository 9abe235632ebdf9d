#include <armilla/comm/phase.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/ops/reproducible_sum.hpp>
#include <armilla/ops/solvers/batch_vectors.hpp>
#include <armilla/ops/solvers/map_fit.hpp>

#include <array>
#include <utility>

namespace armilla::ops {

namespace {

template <class T>
class PixelVector final : public FitVector<T> {
 public:
  using typename FitVector<T>::Alm;

  PixelVector(NormalEquations<T>& equations, transform::MapField<T>& map) : equations_(equations), u_(map) {}

  void advance(const Alm& a, std::span<const double> minus, const std::vector<bool>& active) override {
    equations_.transform().synthesis(a, equations_.scratch());
    std::vector<double> one(minus.size(), 0.0);
    std::vector<double> keep(minus.size(), 1.0);
    for (std::size_t s = 0; s < minus.size(); ++s)
      if (active[s]) {
        one[s] = 1;
        keep[s] = -minus[s];
      }
    combine(one, equations_.scratch(), keep);
  }
  void scale(std::span<const double> by) override { combine(std::vector<double>(by.size(), 0.0), u_, by); }
  std::vector<double> squares() override { return equations_.squares(u_); }
  void adjoint(Alm& b) override { equations_.adjoint(u_, b); }

 private:
  void combine(std::span<const double> a, const transform::MapField<T>& x, std::span<const double> b) {
    comm::phase(equations_.comm(), [&] { combine_each(a, x, b, u_, equations_.memory()); });
  }

  NormalEquations<T>& equations_;
  transform::MapField<T>& u_;
};

// Stores -W u, from which advance() subtracts a synthesis.
template <class T>
class RingVector final : public FitVector<T> {
 public:
  using typename FitVector<T>::Alm;

  RingVector(NormalEquations<T>& equations, const transform::MapField<T>& map)
      : equations_(equations), minus_u_(equations.transform().delta(), equations.ring_weights()) {
    minus_u_.set(map);
    minus_u_.scale(std::vector<double>(systems_of(map), -1.0));
  }

  void advance(const Alm& a, std::span<const double> minus, const std::vector<bool>& active) override {
    std::vector<double> keep(minus.size(), 0.0);
    for (std::size_t s = 0; s < minus.size(); ++s)
      if (active[s]) keep[s] = -minus[s];
    scale(keep);
    minus_u_.subtract(a);
  }
  void scale(std::span<const double> by) override { minus_u_.scale(by); }
  std::vector<double> squares() override {
    const std::vector<double> of_rings = minus_u_.squares();
    const Index rings = minus_u_.own_rings();
    const auto count = static_cast<Index>(equations_.systems());
    const auto all_rings = static_cast<Index>(equations_.transform().spec().pixels->grid().rings().size());
    return sums_over_rows<1>(equations_.comm(), count, rings, all_rings, [&](Index s, Index r) {
      return std::array{of_rings[static_cast<std::size_t>(s * rings + r)]};
    });
  }
  void adjoint(Alm& b) override {
    minus_u_.adjoint_synthesis(b);
    const std::vector<double> minus(equations_.systems(), -1.0);
    const std::vector<double> none(equations_.systems(), 0.0);
    comm::phase(equations_.comm(), [&] { combine_each<Alm>(none, b, minus, b, equations_.memory()); });
  }

 private:
  NormalEquations<T>& equations_;
  iteration::RingModes<T> minus_u_;
};

}  // namespace

template <class T>
MapFit<T>::MapFit(NormalEquations<T>& equations, const Map& map, std::vector<double> map_squares, bool keep_left)
    : equations_(equations), map_(map), map_squares_(std::move(map_squares)) {
  if (keep_left && !equations.by_ring()) own_left_ = equations.make_map();
}

template <class T>
std::vector<double> MapFit<T>::set_left(const Alm* alm) {
  if (alm == nullptr) {
    comm::phase(comm(), [&] { transform::combine(T{1}, map_, T{0}, left(), memory()); });
    return map_squares_;
  }
  equations_.subtract(map_, *alm, left());
  return equations_.squares(left());
}

template <class T>
std::unique_ptr<FitVector<T>> MapFit<T>::vector_of_left() {
  if (equations_.by_ring()) return std::make_unique<RingVector<T>>(equations_, left());
  return std::make_unique<PixelVector<T>>(equations_, left());
}

ARMILLA_INSTANTIATE_CLASS(MapFit);

}  // namespace armilla::ops
