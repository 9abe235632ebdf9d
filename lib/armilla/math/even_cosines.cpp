#include <armilla/core/exception_collector.hpp>
#include <armilla/math/even_cosines.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace armilla::math {

using core::Index;

namespace {

// Number of partial sums over columns, each computed by one thread. It is fixed, so that results do not depend on
// threads.
constexpr std::size_t kParts = 64;

// cos(b x), sin(b x), b = 0, 1, .., computed from halves of b, so that errors grow like log(b), apart from the error of
// x itself.
template <class Lanes>
void fill(const Lanes& cos_one, const Lanes& sin_one, std::span<Lanes> cos, std::span<Lanes> sin) {
  cos[0].fill(1);
  sin[0].fill(0);
  for (std::size_t b = 1; b < cos.size(); ++b) {
    const std::size_t half = b / 2;
    const std::size_t rest = b - half;
    if (b == 1) {
      cos[b] = cos_one;
      sin[b] = sin_one;
      continue;
    }
    for (std::size_t i = 0; i < cos_one.size(); ++i) {
      cos[b][i] = cos[half][i] * cos[rest][i] - sin[half][i] * sin[rest][i];
      sin[b][i] = sin[half][i] * cos[rest][i] + cos[half][i] * sin[rest][i];
    }
  }
}

}  // namespace

template <class Real>
struct EvenCosines<Real>::Tables {
  Tables(std::size_t width, std::size_t tiles)
      : cos_one(width), sin_one(width), cos_many(tiles), sin_many(tiles), lines(2 * width * kLanes) {}

  void set(const Start& start) {
    fill<Lanes>(start.cos_one, start.sin_one, cos_one, sin_one);
    fill<Lanes>(start.cos_many, start.sin_many, cos_many, sin_many);
  }

  std::vector<Lanes> cos_one, sin_one;    // [b]
  std::vector<Lanes> cos_many, sin_many;  // [a]
  std::vector<Real> lines;                // [column][cos, sin][b]
};

template <class Real>
EvenCosines<Real>::EvenCosines(std::span<const long double> theta, Index rows)
    : rows_(rows), columns_(static_cast<Index>(theta.size())) {
  width_ = static_cast<std::size_t>(std::sqrt(static_cast<double>(rows))) + 1;
  tiles_ = (static_cast<std::size_t>(rows) + width_ - 1) / width_;
  starts_.resize((theta.size() + kLanes - 1) / kLanes);
  for (std::size_t i = 0; i < kLanes * starts_.size(); ++i) {
    const long double angle = i < theta.size() ? 2 * theta[i] : 0;
    Start& start = starts_[i / kLanes];
    start.cos_one[i % kLanes] = static_cast<Real>(std::cos(angle));
    start.sin_one[i % kLanes] = static_cast<Real>(std::sin(angle));
    const long double many = static_cast<long double>(width_) * angle;
    start.cos_many[i % kLanes] = static_cast<Real>(std::cos(many));
    start.sin_many[i % kLanes] = static_cast<Real>(std::sin(many));
  }
}

template <class Real>
void EvenCosines<Real>::add_columns(std::size_t block, std::span<const Real> values, Tables& tables,
                                    std::span<Real> sums) const {
  tables.set(starts_[block]);
  for (std::size_t i = 0; i < kLanes; ++i)
    for (std::size_t b = 0; b < width_; ++b) {
      tables.lines[2 * i * width_ + b] = tables.cos_one[b][i];
      tables.lines[(2 * i + 1) * width_ + b] = tables.sin_one[b][i];
    }
  const std::size_t first = block * kLanes;
  const std::size_t count = std::min(kLanes, values.size() - first);
  for (std::size_t a = 0; a < tiles_; ++a) {
    Real* sum = sums.data() + a * width_;
    for (std::size_t i = 0; i < count; ++i) {
      const Real c = values[first + i] * tables.cos_many[a][i];
      const Real s = values[first + i] * tables.sin_many[a][i];
      const Real* cos = tables.lines.data() + 2 * i * width_;
      const Real* sin = cos + width_;
      for (std::size_t b = 0; b < width_; ++b) sum[b] += c * cos[b] - s * sin[b];
    }
  }
}

template <class Real>
typename EvenCosines<Real>::Lanes EvenCosines<Real>::sum_of_rows(std::size_t block, std::span<const Real> padded,
                                                                 Tables& tables) const {
  tables.set(starts_[block]);
  Lanes sum{};
  for (std::size_t a = 0; a < tiles_; ++a) {
    Lanes with_cos{};
    Lanes with_sin{};
    for (std::size_t b = 0; b < width_; ++b) {
      const Real c = padded[a * width_ + b];
      for (std::size_t i = 0; i < kLanes; ++i) with_cos[i] += c * tables.cos_one[b][i];
      for (std::size_t i = 0; i < kLanes; ++i) with_sin[i] += c * tables.sin_one[b][i];
    }
    for (std::size_t i = 0; i < kLanes; ++i)
      sum[i] += with_cos[i] * tables.cos_many[a][i] - with_sin[i] * tables.sin_many[a][i];
  }
  return sum;
}

template <class Real>
void EvenCosines<Real>::apply(std::span<const Real> values, std::span<Real> sums) const {
  const std::size_t padded = width_ * tiles_;
  const std::size_t parts = std::min(kParts, starts_.size());
  std::vector<Real> partial(parts * padded, Real(0));
  core::ExceptionCollector collect;
#pragma omp parallel
  {
    std::optional<Tables> tables;
    collect([&] { tables.emplace(width_, tiles_); });
#pragma omp for schedule(dynamic)
    for (std::size_t part = 0; part < parts; ++part)
      collect([&] {
        for (std::size_t block = part * starts_.size() / parts; block < (part + 1) * starts_.size() / parts; ++block)
          add_columns(block, values, *tables, std::span(partial).subspan(part * padded, padded));
      });
  }
  collect.rethrow();
  for (std::size_t k = 0; k < sums.size(); ++k) {
    sums[k] = 0;
    for (std::size_t part = 0; part < parts; ++part) sums[k] += partial[part * padded + k];
  }
}

template <class Real>
void EvenCosines<Real>::apply_transposed(std::span<const Real> coefficients, std::span<Real> values) const {
  std::vector<Real> padded(coefficients.begin(), coefficients.end());
  padded.resize(width_ * tiles_, Real(0));
  core::ExceptionCollector collect;
#pragma omp parallel
  {
    std::optional<Tables> tables;
    collect([&] { tables.emplace(width_, tiles_); });
#pragma omp for schedule(dynamic)
    for (std::size_t block = 0; block < starts_.size(); ++block)
      collect([&] {
        const std::size_t first = block * kLanes;
        const Lanes sum = sum_of_rows(block, padded, *tables);
        std::copy_n(sum.begin(), std::min(kLanes, values.size() - first),
                    values.begin() + static_cast<std::ptrdiff_t>(first));
      });
  }
  collect.rethrow();
}

template class EvenCosines<double>;
template class EvenCosines<long double>;

}  // namespace armilla::math
