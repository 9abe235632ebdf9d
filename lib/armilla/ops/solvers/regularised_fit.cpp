#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/ops/solvers/batch_vectors.hpp>
#include <armilla/ops/solvers/regularised_fit.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace armilla::ops {

namespace {

// r_l of a component, times `scale`; infinite where C_l is 0.
std::vector<double> penalties(const Regularisation& regularisation, std::size_t component, double scale, Index lmax) {
  std::vector<double> r(core::at(lmax + 1), scale * regularisation.penalty);
  if (regularisation.spectra.empty()) return r;
  const std::vector<double>& spectrum = regularisation.spectra.at(component);
  if (static_cast<Index>(spectrum.size()) <= lmax)
    throw core::InternalError("fit: a spectrum of the penalty ends below lmax");
  for (std::size_t l = 0; l < r.size(); ++l)
    r[l] = spectrum[l] > 0 ? r[l] + scale / spectrum[l] : std::numeric_limits<double>::infinity();
  return r;
}

}  // namespace

/// u is the vector of the data, and the additional rows.
template <class T>
class RegularisedFit<T>::Vector final : public FitVector<T> {
 public:
  explicit Vector(RegularisedFit& fit) : fit_(fit), data_(fit.plain_.vector_of_left()), rows_(fit.make_alm()) {
    if (fit.x_ == nullptr) return;
    combine(std::vector<double>(fit.systems(), -1.0), fit.product(fit.root_of_rest_, *fit.x_),
            std::vector<double>(fit.systems(), 0.0));
  }

  void advance(const Alm& a, std::span<const double> minus, const std::vector<bool>& active) override {
    data_->advance(fit_.product(fit_.root_, a), minus, active);
    std::vector<double> one(minus.size(), 0.0), keep(minus.size(), 1.0);
    for (std::size_t s = 0; s < minus.size(); ++s)
      if (active[s]) {
        one[s] = 1;
        keep[s] = -minus[s];
      }
    combine(one, fit_.product(fit_.root_of_rest_, a), keep);
  }
  void scale(std::span<const double> by) override {
    data_->scale(by);
    combine(std::vector<double>(by.size(), 0.0), *rows_, by);
  }
  std::vector<double> squares() override {
    std::vector<double> all = data_->squares();
    const std::vector<double> of_rows = inner_products(fit_.comm(), *rows_, *rows_);
    for (std::size_t s = 0; s < all.size(); ++s) all[s] += of_rows[s];
    return all;
  }
  void adjoint(Alm& b) override {
    data_->adjoint(b);
    fit_.add_to_rooted(fit_.root_of_rest_, T{1}, *rows_, b);
  }

 private:
  void combine(std::span<const double> a, const Alm& x, std::span<const double> b) {
    comm::phase(fit_.comm(), [&] { combine_each(a, x, b, *rows_, fit_.memory()); });
  }

  RegularisedFit& fit_;
  std::unique_ptr<FitVector<T>> data_;
  std::unique_ptr<Alm> rows_;
};

template <class T>
RegularisedFit<T>::RegularisedFit(FitProblem<T>& plain, const Regularisation& regularisation,
                                  std::span<const double> scales)
    : plain_(plain), scratch_(plain.make_alm()) {
  comm::phase(comm(), [&] {
    const Index lmax = scratch_->distribution().layout().lmax();
    std::size_t system = 0;
    for (Index map = 0; map < maps(); ++map)
      for (const transform::SpinField& field : scratch_->kind().spin_fields()) {
        for (Index c = field.first; c < field.first + field.components; ++c) {
          std::vector<double> root, rest, root_of_rest;
          for (const double r : penalties(regularisation, core::at(c), scales[system], lmax)) {
            root.push_back(1 / std::sqrt(1 + r));
            rest.push_back(std::isinf(r) ? 1 : r / (1 + r));
            root_of_rest.push_back(std::sqrt(rest.back()));
          }
          root_.push_back(std::move(root));
          rest_.push_back(std::move(rest));
          root_of_rest_.push_back(std::move(root_of_rest));
        }
        ++system;
      }
  });
}

template <class T>
void RegularisedFit<T>::multiply_degrees(const Factors& factors, Alm& alm) const {
  comm::phase(comm(), [&] {
    const dist::AlmDistribution& own = alm.distribution();
    const std::vector<Index> own_m = own.local_m(alm.rank()), offsets = own.local_offsets(alm.rank());
    std::complex<T>* numbers = alm.update(memory());
    for (const std::vector<double>& of_field : factors) {
      memory()->template ops<T>().multiply_degrees({own_m, offsets, own.layout().lmax() + 1, 1, alm.local_size()},
                                                   of_field, numbers);
      numbers += alm.local_size();
    }
  });
}

template <class T>
auto RegularisedFit<T>::product(const Factors& factors, const Alm& a) -> Alm& {
  comm::phase(comm(), [&] { transform::combine(T{1}, a, T{0}, *scratch_, memory()); });
  multiply_degrees(factors, *scratch_);
  return *scratch_;
}

template <class T>
void RegularisedFit<T>::add_to_rooted(const Factors& factors, T sign, const Alm& a, Alm& b) {
  multiply_degrees(root_, b);
  product(factors, a);
  comm::phase(comm(), [&] { transform::combine(sign, *scratch_, T{1}, b, memory()); });
}

template <class T>
void RegularisedFit<T>::multiply(const Alm& a, Alm& b) {
  plain_.multiply(product(root_, a), b);
  add_to_rooted(rest_, T{1}, a, b);
}

template <class T>
void RegularisedFit<T>::precondition(const Alm& a, Alm& b) {
  plain_.precondition(product(root_, a), b);
  add_to_rooted(rest_, T{1}, a, b);
}

template <class T>
std::vector<double> RegularisedFit<T>::set_left(const Alm* x) {
  x_ = x;
  return plain_.set_left(x == nullptr ? nullptr : &product(root_, *x));
}

template <class T>
void RegularisedFit<T>::adjoint_of_left(Alm& b) {
  plain_.adjoint_of_left(b);
  if (x_ != nullptr)
    add_to_rooted(rest_, T{-1}, *x_, b);
  else
    multiply_degrees(root_, b);
}

template <class T>
std::unique_ptr<FitVector<T>> RegularisedFit<T>::vector_of_left() {
  return std::make_unique<Vector>(*this);
}

template <class T>
std::vector<AnalysisOutcome> fit_regularised(FitProblem<T>& problem, transform::AlmField<T>& alm,
                                             FitAlgorithm algorithm, const FitTarget& target,
                                             const Regularisation& regularisation, std::span<const double> scales,
                                             iteration::Checkpoint<T>* checkpoint) {
  if (!regularisation.any()) return fit_in_rounds(problem, alm, algorithm, target, checkpoint);
  RegularisedFit<T> regularised(problem, regularisation, scales);
  std::vector<AnalysisOutcome> outcomes = fit_in_rounds(regularised, alm, algorithm, target, checkpoint);
  regularised.to_alm(alm);
  return outcomes;
}

ARMILLA_INSTANTIATE_CLASS(RegularisedFit);
ARMILLA_INSTANTIATE(fit_regularised);

}  // namespace armilla::ops
