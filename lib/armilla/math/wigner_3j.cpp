#include <armilla/core/error.hpp>
#include <armilla/math/wigner_3j.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace armilla::math {

namespace {

/// If |f| exceeds this, the values so far are scaled down; the recurrence is linear.
constexpr double kLarge = 1e150;

/// a_j of a_{j+1} f_{j+1} - 2 s (2 j + 1) f_j + a_j f_{j-1} = 0, which is eq. 6 for m1 = 0, m2 = s, m3 = -s divided by
/// j (j + 1); it holds for j = 0 as well.
double step_coefficient(double j, double difference, double end) {
  return std::sqrt((j - difference) * (j + difference) * (end - j) * (end + j));
}

}  // namespace

void wigner_3j(Index l2, Index l3, Index s, std::vector<double>& values) {
  if (s < 0 || s > std::min(l2, l3)) throw core::InternalError("wigner_3j: s is above l");
  const Index first = std::abs(l2 - l3);
  const Index last = l2 + l3;
  const auto difference = static_cast<double>(first);
  const auto end = static_cast<double>(last + 1);
  const auto a = [&](Index j) { return step_coefficient(static_cast<double>(j), difference, end); };
  const auto b = [&](Index j) { return 2.0 * static_cast<double>(s) * static_cast<double>(2 * j + 1); };
  values.assign(static_cast<std::size_t>(last - first + 1), 0.0);
  const auto f = [&](Index j) -> double& { return values[static_cast<std::size_t>(j - first)]; };

  // Here, (a_j + a_{j+1}) / (2 j + 1) is near its maximum. Its comparison with s determines oscillation or decay.
  Index middle = std::clamp(static_cast<Index>(std::sqrt(difference * end)), first, last);
  f(first) = 1;
  double lower = 0;
  double upper = a(first + 1);
  for (Index j = first; j < middle; ++j) {
    f(j + 1) = (b(j) * f(j) - (j > first ? lower * f(j - 1) : 0.0)) / upper;
    lower = upper;
    upper = a(j + 2);
    if (std::abs(f(j + 1)) > kLarge)
      for (Index i = first; i <= j + 1; ++i) f(i) /= kLarge;
  }
  // Matches at the larger of two neighbouring values, because every second value is 0 for s = 0.
  if (middle > first && std::abs(f(middle - 1)) > std::abs(f(middle))) --middle;
  const double forward = f(middle);
  f(last) = 1;
  upper = 0;
  for (Index j = last; j > middle; --j) {
    lower = a(j);
    f(j - 1) = (b(j) * f(j) - (j < last ? upper * f(j + 1) : 0.0)) / lower;
    upper = lower;
    if (std::abs(f(j - 1)) > kLarge)
      for (Index i = j - 1; i <= last; ++i) f(i) /= kLarge;
  }
  const double ratio = forward / f(middle);
  for (Index j = middle; j <= last; ++j) f(j) *= ratio;

  double norm = 0;
  for (Index j = first; j <= last; ++j) norm += static_cast<double>(2 * j + 1) * f(j) * f(j);
  const bool negative = (f(last) < 0) != (first % 2 != 0);  // the last one has the sign (-1)^(l2 - l3)
  const double scale = (negative ? -1.0 : 1.0) / std::sqrt(norm);
  for (double& value : values) value *= scale;
}

}  // namespace armilla::math
