#include <armilla/core/error.hpp>
#include <armilla/radial/kernel.hpp>
#include <armilla/radial/legendre_series.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace armilla::radial {

using core::at;
using core::kPi;

namespace {

constexpr double kLargestWindow = 4e4;

class Gaussian final : public Kernel {
 public:
  explicit Gaussian(double fwhm)
      : sigma_(fwhm / std::sqrt(8 * std::log(2.0))), peak_(1 / (2 * kPi * sigma_ * sigma_)) {}
  double value(double angle) const override { return peak_ * std::exp(-angle * angle / (2 * sigma_ * sigma_)); }
  double scale() const override { return sigma_; }
  double end() const override { return std::min(kPi, 40 * sigma_); }  // exp() is 0 in double

 private:
  double sigma_, peak_;
};

class TopHat final : public Kernel {
 public:
  explicit TopHat(double radius)
      : radius_(radius), height_(1 / (4 * kPi * std::sin(radius / 2) * std::sin(radius / 2))) {}
  double value(double angle) const override { return angle <= radius_ ? height_ : 0; }
  double scale() const override { return radius_; }
  double end() const override { return radius_; }
  std::vector<double> breaks() const override { return {radius_}; }

 private:
  double radius_, height_;
};

class MexicanHat final : public Kernel {
 public:
  explicit MexicanHat(double scale)
      : scale_(scale),
        factor_(1 / (std::sqrt(2 * kPi) * scale * std::sqrt(1 + scale * scale / 2 + std::pow(scale, 4) / 4))) {}
  double value(double angle) const override {
    const double t = std::tan(angle / 2);
    const double u = 4 * t * t / (scale_ * scale_);
    if (u > kLargestU) return 0;  // exp() is 0 in double, and t may be infinite
    const double stretch = 1 + t * t;
    return factor_ * stretch * stretch * (2 - u) * std::exp(-u / 2);
  }
  double scale() const override { return scale_; }
  double end() const override { return 2 * std::atan(std::sqrt(kLargestU) / 2 * scale_); }

 private:
  static constexpr double kLargestU = 1400;
  double scale_, factor_;
};

class Spline final : public Kernel {
 public:
  Spline(std::span<const double> theta, std::span<const double> values)
      : theta_(theta.begin(), theta.end()), values_(values.begin(), values.end()) {
    if (theta_.front() > 0) {  // the mirror image of the first row
      theta_.insert(theta_.begin(), -theta_.front());
      values_.insert(values_.begin(), values_.front());
    }
    find_curvatures();
  }
  double value(double angle) const override {
    if (angle > theta_.back()) return 0;
    const auto after = std::upper_bound(theta_.begin(), theta_.end(), angle);
    const std::size_t k =
        std::clamp<std::size_t>(static_cast<std::size_t>(after - theta_.begin()), 1, theta_.size() - 1);
    const double h = theta_[k] - theta_[k - 1];
    const double a = (theta_[k] - angle) / h, b = 1 - a;
    return a * values_[k - 1] + b * values_[k] +
           ((a * a * a - a) * curvature_[k - 1] + (b * b * b - b) * curvature_[k]) * h * h / 6;
  }
  double scale() const override { return theta_.back(); }
  double end() const override { return theta_.back(); }
  std::vector<double> breaks() const override { return theta_; }

 private:
  // Computes second derivatives by Thomas' algorithm. The slope is 0 at the first node if that is theta = 0 (between
  // mirror images it is 0 by symmetry). The curvature is 0 at the last node.
  void find_curvatures() {
    const std::size_t n = theta_.size();
    std::vector<double> upper(n, 0.0);
    curvature_.assign(n, 0.0);
    const double first = theta_[1] - theta_[0], slope = (values_[1] - values_[0]) / first;
    if (theta_[0] == 0) {
      upper[0] = 0.5;
      curvature_[0] = 3 * slope / first;
    } else {  // symmetric about 0: equal curvatures at both mirror images
      upper[0] = -1;
    }
    for (std::size_t k = 1; k + 1 < n; ++k) {
      const double before = theta_[k] - theta_[k - 1], after = theta_[k + 1] - theta_[k];
      const double rise = (values_[k + 1] - values_[k]) / after - (values_[k] - values_[k - 1]) / before;
      const double pivot = 2 * (before + after) - before * upper[k - 1];
      upper[k] = after / pivot;
      curvature_[k] = (6 * rise - before * curvature_[k - 1]) / pivot;
    }
    curvature_[n - 1] = 0;
    for (std::size_t k = n - 1; k-- > 0;) curvature_[k] -= upper[k] * curvature_[k + 1];
  }

  std::vector<double> theta_, values_, curvature_;
};

/// A sum of Legendre polynomials, stored as Chebyshev series on short panels.
class Series final : public Kernel {
 public:
  explicit Series(std::span<const double> b) : degree_(static_cast<double>(b.size())) {
    std::vector<double> coefficients(b.begin(), b.end());
    for (std::size_t l = 0; l < b.size(); ++l) coefficients[l] *= static_cast<double>(2 * l + 1) / (4 * kPi);
    // cos(degree d) has Chebyshev coefficients J_n(degree half-width), which are below 1e-15 from n = kTerms on for
    // argument 3.
    panels_ = static_cast<Index>(std::ceil(kPi * degree_ / 6));
    width_ = kPi / static_cast<double>(panels_);
    chebyshev_.resize(at(panels_ * kTerms));
    fill_panels(coefficients);
  }
  double value(double angle) const override {
    const Index panel = std::clamp<Index>(static_cast<Index>(angle / width_), 0, panels_ - 1);
    const double x = 2 * (angle / width_ - static_cast<double>(panel)) - 1;
    const double* c = &chebyshev_[at(panel * kTerms)];
    double b1 = 0, b2 = 0;
    for (Index n = kTerms - 1; n > 0; --n) b2 = std::exchange(b1, 2 * x * b1 - b2 + c[n]);
    return x * b1 - b2 + c[0];
  }
  double scale() const override { return 4 / degree_; }
  std::optional<Index> degree() const override { return static_cast<Index>(degree_) - 1; }

 private:
  static constexpr Index kTerms = 22;

  void fill_panels(const std::vector<double>& coefficients) {
#pragma omp parallel for schedule(static)
    for (Index panel = 0; panel < panels_; ++panel) {
      double angles[kTerms], values[kTerms];
      for (Index i = 0; i < kTerms; ++i) {
        const double x = std::cos(kPi * (static_cast<double>(i) + 0.5) / kTerms);
        angles[i] = width_ * (static_cast<double>(panel) + (x + 1) / 2);
      }
      legendre_sums(coefficients, angles, values);
      for (Index n = 0; n < kTerms; ++n) {
        double sum = 0;
        for (Index i = 0; i < kTerms; ++i)
          sum += values[i] * std::cos(kPi * static_cast<double>(n) * (static_cast<double>(i) + 0.5) / kTerms);
        chebyshev_[at(panel * kTerms + n)] = (n == 0 ? 1 : 2) * sum / kTerms;
      }
    }
  }

  double degree_, width_ = 0;
  Index panels_ = 0;
  std::vector<double> chebyshev_;  // [panel][term]
};

void check_number(bool holds, const char* what, double value, const char* expected) {
  if (!holds) throw core::InputError(fmt::format("{} = {} is out of range: it must be {}", what, value, expected));
}

/// The integral of exp(-1 / (1 - t^2)) over -1 .. u, u <= 1.
double bump_integral(double u) {
  return integrate([](double t) { return t * t < 1 ? std::exp(-1 / (1 - t * t)) : 0; }, -1, u, 0.125);
}

}  // namespace

std::shared_ptr<const Kernel> gaussian_kernel(double fwhm) {
  check_number(fwhm > 0 && std::isfinite(fwhm), "the full width at half maximum", fwhm, "above 0");
  return std::make_shared<Gaussian>(fwhm);
}

std::shared_ptr<const Kernel> top_hat_kernel(double radius) {
  check_number(radius > 0 && radius <= kPi, "the radius", radius, "above 0 and at most pi");
  return std::make_shared<TopHat>(radius);
}

std::shared_ptr<const Kernel> mexican_hat_kernel(double scale) {
  check_number(scale > 0 && scale <= 1, "the scale", scale, "above 0 and at most 1 rad");
  return std::make_shared<MexicanHat>(scale);
}

std::shared_ptr<const Kernel> table_kernel(const std::string& name, std::span<const double> theta,
                                           std::span<const double> values) {
  const auto fail = [&](std::size_t row, const std::string& what) {
    throw core::InputError(fmt::format("{}: row {}: {}", name, row + 1, what));
  };
  if (theta.size() != values.size()) throw core::InternalError("the columns of a kernel table differ in length");
  if (theta.size() < 2)
    throw core::InputError(fmt::format("{}: has {} row{} of theta and K: at least 2 are needed", name, theta.size(),
                                       theta.size() == 1 ? "" : "s"));
  for (std::size_t row = 0; row < theta.size(); ++row) {
    if (!std::isfinite(theta[row]) || !std::isfinite(values[row])) fail(row, "not a finite number");
    if (theta[row] < 0 || theta[row] > kPi) fail(row, fmt::format("theta = {} is not in 0 .. pi [rad]", theta[row]));
    if (row > 0 && theta[row] <= theta[row - 1])
      fail(row,
           fmt::format("theta = {} does not increase: sort the rows by theta, with each angle only once", theta[row]));
  }
  auto kernel = std::make_shared<Spline>(theta, values);
  for (std::size_t row = 1; row < theta.size(); ++row)
    if (!std::isfinite(kernel->value((theta[row - 1] + theta[row]) / 2)))
      fail(row, "the spline before this row is not finite: the values or their spacing in theta are too extreme");
  return kernel;
}

std::shared_ptr<const Kernel> series_kernel(std::span<const double> b) {
  if (b.empty() || !std::all_of(b.begin(), b.end(), [](double value) { return std::isfinite(value); }))
    throw core::InputError("a kernel needs finite numbers b_l, starting at l = 0");
  return std::make_shared<Series>(b);
}

std::vector<double> needlet_window(double base, Index scale, NeedletPart part) {
  check_number(base > 1 && std::isfinite(base), "B", base, "above 1");
  if (scale < 0) throw core::InputError(fmt::format("scale = {} is out of range: it must be at least 0", scale));
  const double whole = bump_integral(1);
  const auto falling = [&](double x) {  // 1 up to 1 / B, 0 from 1 on
    if (x <= 1 / base) return 1.0;
    if (x >= 1) return 0.0;
    return bump_integral(1 - 2 * base / (base - 1) * (x - 1 / base)) / whole;
  };
  const double middle = std::pow(base, static_cast<double>(scale));
  const double end = part == NeedletPart::kScale ? middle * base : middle;
  if (!(end <= kLargestWindow))
    throw core::InputError(fmt::format(
        "a needlet with B = {} and scale {} extends to l = {:.3g}, beyond the limit {:.0f}: lower scale or B", base,
        scale, end, kLargestWindow));
  std::vector<double> window;
  for (Index l = 0; l == 0 || static_cast<double>(l) < end; ++l) {
    const double x = static_cast<double>(l) / middle;
    const double square = part == NeedletPart::kScale ? falling(x / base) - falling(x) : falling(x);
    window.push_back(std::sqrt(std::max(0.0, square)));
  }
  return window;
}

}  // namespace armilla::radial
