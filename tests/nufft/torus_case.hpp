#pragma once

#include <armilla/nufft/interpolate.hpp>
#include <armilla/nufft/spread.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <random>
#include <span>
#include <vector>

#include <gtest/gtest.h>

namespace armilla::nufft {

using core::at;
using Complex = std::complex<double>;

struct Points {
  std::vector<double> theta, phi;

  void add(double t, double p) {
    theta.push_back(t);
    phi.push_back(p);
  }
  Index size() const { return static_cast<Index>(theta.size()); }
};

/// Uniform on the sphere; phi within two turns around zero.
inline Points random_points(Index count, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<double> unit(0, 1);
  Points points;
  for (Index i = 0; i < count; ++i)
    points.add(std::acos(2 * unit(generator) - 1), 4 * core::kPi * (2 * unit(generator) - 1));
  return points;
}

template <class T>
std::vector<T> random_values(Index count, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal;
  std::vector<T> values(at(count));
  for (T& value : values) value = static_cast<T>(normal(generator));
  return values;
}

template <class T>
double dot(const std::vector<T>& a, const std::vector<T>& b) {
  long double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<long double>(a[i]) * static_cast<long double>(b[i]);
  return static_cast<double>(sum);
}

template <class T>
double norm(const std::vector<T>& a) {
  return std::sqrt(dot(a, a));
}

inline double relative_error(const std::vector<double>& found, const std::vector<double>& exact) {
  std::vector<double> difference(exact.size());
  for (std::size_t i = 0; i < exact.size(); ++i) difference[i] = found[i] - exact[i];
  return norm(difference) / norm(exact);
}

/// exp(i k x) for k = -lmax .. lmax, of an angle reduced in long double.
inline std::vector<Complex> waves(double angle, Index lmax) {
  const auto exact = static_cast<long double>(angle);
  const long double reduced = std::atan2(std::sin(exact), std::cos(exact));
  std::vector<Complex> wave;
  for (Index k = -lmax; k <= lmax; ++k) {
    const long double phase = static_cast<long double>(k) * reduced;
    wave.emplace_back(static_cast<double>(std::cos(phase)), static_cast<double>(std::sin(phase)));
  }
  return wave;
}

/// The real function sum over |k|, |l| <= lmax of Re(c_kl exp(i (k theta + l phi))), and its transpose.
class TorusSums {
 public:
  explicit TorusSums(Index lmax) : lmax_(lmax), width_(2 * lmax + 1) {}

  Index coefficients() const { return width_ * width_; }

  /// values[i] = the function at (theta_i, phi_i); `parts` are the real, then the imaginary parts of c_kl.
  std::vector<double> synthesis(const std::vector<double>& parts, const Points& points) const {
    std::vector<double> values;
    for (Index i = 0; i < points.size(); ++i) {
      const auto e = waves(points.theta[at(i)], lmax_), f = waves(points.phi[at(i)], lmax_);
      double value = 0;
      for (Index k = 0; k < width_; ++k)
        for (Index l = 0; l < width_; ++l) {
          const Complex wave = e[at(k)] * f[at(l)];
          value += parts[at(k * width_ + l)] * wave.real() - parts[at(coefficients() + k * width_ + l)] * wave.imag();
        }
      values.push_back(value);
    }
    return values;
  }

  std::vector<double> adjoint(const std::vector<double>& values, const Points& points) const {
    std::vector<double> parts(at(2 * coefficients()));
    for (Index i = 0; i < points.size(); ++i) {
      const auto e = waves(points.theta[at(i)], lmax_), f = waves(points.phi[at(i)], lmax_);
      for (Index k = 0; k < width_; ++k)
        for (Index l = 0; l < width_; ++l) {
          const Complex wave = values[at(i)] * e[at(k)] * f[at(l)];
          parts[at(k * width_ + l)] += wave.real();
          parts[at(coefficients() + k * width_ + l)] -= wave.imag();
        }
    }
    return parts;
  }

  /// The function on the rows of a band [row][column], with coefficients multiplied by the deconvolution.
  template <class T>
  std::vector<T> to_band(const std::vector<double>& parts, const KernelChoice& choice, const Band& band) const {
    const auto factors = choice.kernel().deconvolution(lmax_, choice.fine_length);
    const auto phi_waves = sample_waves(choice);
    std::vector<T> samples(at(band.rows * choice.fine_length));
    for (Index j = 0; j < band.rows; ++j) {
      const auto e = waves(theta_of(band.first_row + j, choice), lmax_);
      std::vector<Complex> row(at(width_));
      for (Index k = 0; k < width_; ++k)
        for (Index l = 0; l < width_; ++l)
          row[at(l)] += e[at(k)] * factors[at(std::abs(k - lmax_))] * factors[at(std::abs(l - lmax_))] *
                        Complex(parts[at(k * width_ + l)], parts[at(coefficients() + k * width_ + l)]);
      for (Index i = 0; i < choice.fine_length; ++i) {
        const auto& f = phi_waves[at(i)];
        double value = 0;
        for (Index l = 0; l < width_; ++l) value += (row[at(l)] * f[at(l)]).real();
        samples[at(j * choice.fine_length + i)] = static_cast<T>(value);
      }
    }
    return samples;
  }

  /// The transpose of to_band.
  template <class T>
  std::vector<double> from_band(const std::vector<T>& samples, const KernelChoice& choice, const Band& band) const {
    const auto factors = choice.kernel().deconvolution(lmax_, choice.fine_length);
    const auto phi_waves = sample_waves(choice);
    std::vector<double> parts(at(2 * coefficients()));
    for (Index j = 0; j < band.rows; ++j) {
      const auto e = waves(theta_of(band.first_row + j, choice), lmax_);
      std::vector<Complex> row(at(width_));
      for (Index i = 0; i < choice.fine_length; ++i) {
        const auto& f = phi_waves[at(i)];
        for (Index l = 0; l < width_; ++l)
          row[at(l)] += static_cast<double>(samples[at(j * choice.fine_length + i)]) * f[at(l)];
      }
      for (Index k = 0; k < width_; ++k)
        for (Index l = 0; l < width_; ++l) {
          const Complex sum =
              row[at(l)] * e[at(k)] * factors[at(std::abs(k - lmax_))] * factors[at(std::abs(l - lmax_))];
          parts[at(k * width_ + l)] += sum.real();
          parts[at(coefficients() + k * width_ + l)] -= sum.imag();
        }
    }
    return parts;
  }

 private:
  static double theta_of(Index row, const KernelChoice& choice) {
    return static_cast<double>(2 * std::numbers::pi_v<long double> * (static_cast<long double>(row) + 0.5L) /
                               static_cast<long double>(choice.fine_length));
  }
  static double phi_of(Index column, const KernelChoice& choice) {
    return static_cast<double>(2 * std::numbers::pi_v<long double> * static_cast<long double>(column) /
                               static_cast<long double>(choice.fine_length));
  }

  std::vector<std::vector<Complex>> sample_waves(const KernelChoice& choice) const {
    std::vector<std::vector<Complex>> all;
    for (Index i = 0; i < choice.fine_length; ++i) all.push_back(waves(phi_of(i, choice), lmax_));
    return all;
  }

  Index lmax_;
  Index width_;
};

/// Rows of a band in reverse order, with gaps of kGap samples between them, so that rows have any alignment.
template <class T>
class ScatteredRows {
 public:
  static constexpr Index kGap = 3;

  ScatteredRows(Index rows, Index length, T row_value, T gap_value)
      : length_(length), memory_(at(rows * (length + kGap) + kGap), gap_value) {
    for (Index row = rows - 1; row >= 0; --row) {
      rows_.push_back(memory_.data() + kGap + row * (length + kGap));
      std::fill_n(rows_.back(), length, row_value);
    }
  }
  ScatteredRows(const ScatteredRows&) = delete;
  ScatteredRows& operator=(const ScatteredRows&) = delete;

  T* const* rows() const { return rows_.data(); }
  /// All samples [row][column].
  void set(const std::vector<T>& samples) {
    auto from = samples.begin();
    for (T* row : rows_) {
      std::copy_n(from, length_, row);
      from += length_;
    }
  }
  std::vector<T> samples() const {
    std::vector<T> all;
    for (const T* row : rows_) all.insert(all.end(), row, row + length_);
    return all;
  }
  bool gaps_are(T value) const {
    for (std::size_t i = 0; i < memory_.size(); ++i)
      if (static_cast<Index>(i) % (length_ + kGap) < kGap && memory_[i] != value) return false;
    return true;
  }

 private:
  Index length_;
  std::vector<T> memory_;
  std::vector<T*> rows_;
};

// One field, with the output poisoned before.

/// `samples` are [row][column].
template <class T>
std::vector<T> interpolated(const PointPlan<T>& plan, const std::vector<T>& samples) {
  constexpr T kNan = std::numeric_limits<T>::quiet_NaN();
  ScatteredRows<T> scattered(plan.band().rows, plan.grid().fine_length, kNan, kNan);
  scattered.set(samples);
  std::vector<T> values(at(plan.size()), kNan);
  const T* const* from = scattered.rows();
  T* to = values.data();
  interpolate<T>(plan, {&from, 1}, {&to, 1});
  return values;
}

/// Samples [row][column].
template <class T>
std::vector<T> spread_out(const PointPlan<T>& plan, const std::vector<T>& values) {
  constexpr T kUntouched = T(0.5);
  ScatteredRows<T> scattered(plan.band().rows, plan.grid().fine_length, std::numeric_limits<T>::quiet_NaN(),
                             kUntouched);
  const T* from = values.data();
  T* const* to = scattered.rows();
  spread<T>(plan, {&from, 1}, {&to, 1});
  EXPECT_TRUE(scattered.gaps_are(kUntouched));
  return scattered.samples();
}

}  // namespace armilla::nufft
