#include <armilla/math/gauss_legendre.hpp>
#include <armilla/resample/spread_kernel.hpp>

#include <cmath>

namespace armilla::resample {

namespace {

constexpr double kHalfWidth = 0.5 * kKernelWidth;

// Enough for a kernel of 16 points at frequencies below pi: the next 20 nodes change the transform by rounding only.
constexpr Index kNodes = 80;

// The share of the widest beta that leaves the first alias below the truncation of the kernel.
constexpr double kSafety = 0.976;

}  // namespace

SpreadKernel::SpreadKernel(double oversampling) : beta_(kSafety * core::kPi * kKernelWidth * (1 - 0.5 / oversampling)) {
  // The kernel is even: the half of the nodes with positive argument, counted twice.
  for (Index i = 0; i < kNodes / 2; ++i) {
    const math::GaussNode node = math::gauss_legendre_node(kNodes, i);
    node_.push_back(kHalfWidth * node.cos_theta);
    weight_.push_back(2 * kHalfWidth * node.weight * value(node_.back()));
  }
}

double SpreadKernel::value(double u) const {
  const double x = u / kHalfWidth;
  const double square = (1 - x) * (1 + x);
  if (square <= 0) return 0;
  // sqrt(1 - x^2) - 1 without cancellation at the centre.
  return std::exp(-beta_ * x * x / (1 + std::sqrt(square)));
}

double SpreadKernel::transform(double frequency) const {
  double sum = 0;
  for (std::size_t i = 0; i < node_.size(); ++i) sum += weight_[i] * std::cos(frequency * node_[i]);
  return sum;
}

}  // namespace armilla::resample
