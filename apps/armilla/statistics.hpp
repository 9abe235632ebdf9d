#pragma once

#include <armilla/core/types.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace armilla::app {

/// Minimum, maximum, mean and root mean square of the finite values added.
class Statistics {
 public:
  void add(double value, double weight = 1) {
    if (!std::isfinite(value)) return;
    min_ = std::min(min_, value);
    max_ = std::max(max_, value);
    sum_ += weight * value;
    squares_ += weight * value * value;
    weight_ += weight;
  }
  bool empty() const { return weight_ == 0; }
  double min() const { return min_; }
  double max() const { return max_; }
  double mean() const { return empty() ? 0 : sum_ / weight_; }
  double rms() const { return empty() ? 0 : std::sqrt(squares_ / weight_); }

 private:
  double min_ = std::numeric_limits<double>::infinity();
  double max_ = -std::numeric_limits<double>::infinity();
  double sum_ = 0;
  double squares_ = 0;
  double weight_ = 0;
};

}  // namespace armilla::app
