#include <armilla/math/gauss_legendre.hpp>
#include <armilla/radial/legendre_series.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace armilla::radial {

namespace {

constexpr Index kPanelNodes = 16;

struct PanelNode {
  double x, weight;  // on -1 .. 1
};

const std::array<PanelNode, kPanelNodes>& panel_nodes() {
  static const auto nodes = [] {
    std::array<PanelNode, kPanelNodes> all;
    for (Index i = 0; i < kPanelNodes / 2; ++i) {
      const math::GaussNode node = math::gauss_legendre_node(kPanelNodes, i);
      all[static_cast<std::size_t>(i)] = {-node.cos_theta, node.weight};
      all[static_cast<std::size_t>(kPanelNodes - 1 - i)] = {node.cos_theta, node.weight};
    }
    return all;
  }();
  return nodes;
}

/// Calls visit(angle, weight) for all nodes.
template <class Visit>
void for_nodes(double first, double last, double width, std::span<const double> breaks, const Visit& visit) {
  std::vector<double> ends{first};
  for (double angle : breaks)
    if (angle > ends.back() && angle < last) ends.push_back(angle);
  ends.push_back(last);
  for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
    const double length = ends[k + 1] - ends[k];
    const auto panels = static_cast<Index>(std::ceil(std::max(1.0, length / width)));
    const double half = length / static_cast<double>(2 * panels);
    for (Index panel = 0; panel < panels; ++panel)
      for (const PanelNode& node : panel_nodes())
        visit(ends[k] + half * (static_cast<double>(2 * panel + 1) + node.x), half * node.weight);
  }
}

}  // namespace

void legendre_sums(std::span<const double> coefficients, std::span<const double> angles, std::span<double> sums) {
  constexpr std::size_t kAtOnce = 24;
  for (std::size_t first = 0; first < angles.size(); first += kAtOnce) {
    const std::size_t count = std::min(kAtOnce, angles.size() - first);
    double x[kAtOnce] = {}, previous[kAtOnce] = {}, current[kAtOnce], sum[kAtOnce] = {};
    for (std::size_t i = 0; i < count; ++i) x[i] = std::cos(angles[first + i]);
    std::fill_n(current, kAtOnce, 1.0);
    for (std::size_t l = 0; l < coefficients.size(); ++l) {
      const auto degree = static_cast<double>(l);
      const double a = (2 * degree + 1) / (degree + 1), b = degree / (degree + 1), c = coefficients[l];
      for (std::size_t i = 0; i < kAtOnce; ++i) {
        sum[i] += c * current[i];
        const double next = a * x[i] * current[i] - b * previous[i];
        previous[i] = current[i];
        current[i] = next;
      }
    }
    std::copy_n(sum, count, sums.begin() + static_cast<std::ptrdiff_t>(first));
  }
}

double integrate(const std::function<double(double)>& f, double first, double last, double width,
                 std::span<const double> breaks) {
  double sum = 0;
  if (first < last)
    for_nodes(first, last, width, breaks, [&](double angle, double weight) { sum += weight * f(angle); });
  return sum;
}

std::vector<double> legendre_transform(const Kernel& kernel, double cutoff, Index lmax) {
  return legendre_transform(kernel, 0, cutoff, lmax);
}

std::vector<double> legendre_transform(const Kernel& kernel, double first, double cutoff, Index lmax) {
  std::vector<double> angles, values;
  const double last = std::min(cutoff, kernel.end());
  if (first >= last) return std::vector<double>(static_cast<std::size_t>(lmax + 1), 0.0);
  for_nodes(first, last, std::min(kernel.scale(), 4 / static_cast<double>(lmax + 1)), kernel.breaks(),
            [&](double angle, double weight) {
              angles.push_back(angle);
              values.push_back(2 * core::kPi * weight * kernel.value(angle) * std::sin(angle));
            });
  const auto nodes = static_cast<Index>(angles.size());
  std::vector<double> x(angles.size()), previous(angles.size(), 0.0), current(angles.size(), 1.0);
  for (Index i = 0; i < nodes; ++i) x[static_cast<std::size_t>(i)] = std::cos(angles[static_cast<std::size_t>(i)]);
  std::vector<double> transform;
  for (Index l = 0; l <= lmax; ++l) {
    const auto degree = static_cast<double>(l);
    const double a = (2 * degree + 1) / (degree + 1), b = degree / (degree + 1);
    // Independent sums, so that the loop can be vectorised.
    constexpr std::size_t kSums = 8;
    double sums[kSums] = {};
    const auto step = [&](std::size_t i, double& sum) {
      sum += values[i] * current[i];
      const double next = a * x[i] * current[i] - b * previous[i];
      previous[i] = current[i];
      current[i] = next;
    };
    std::size_t i = 0;
    for (; i + kSums <= x.size(); i += kSums)
      for (std::size_t k = 0; k < kSums; ++k) step(i + k, sums[k]);
    for (; i < x.size(); ++i) step(i, sums[0]);
    transform.push_back(std::accumulate(sums, sums + kSums, 0.0));
  }
  return transform;
}

}  // namespace armilla::radial
