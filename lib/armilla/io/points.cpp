#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/io/bad_data.hpp>
#include <armilla/io/points.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace armilla::io {

namespace {

using core::kPi;

// Tolerance for coordinates out of range, relative to half a turn: covers rounding to single precision and to seven
// digits.
constexpr double kRounding = 1e-6;

// The range of theta or of a latitude in the unit of the file, and its description.
struct Range {
  double low = 0, high = 0;
  std::string text;
};

Range range_of(const PointsInfo& info) {
  const double half_turn = info.in_degrees ? 180 : kPi;
  if (info.coordinates == PointCoordinates::kThetaPhi)
    return {0, half_turn, info.in_degrees ? "0 .. 180 degrees" : "0 .. pi [rad]"};
  return {-half_turn / 2, half_turn / 2, info.in_degrees ? "-90 .. 90 degrees" : "-pi/2 .. pi/2 [rad]"};
}

// A likely cause of values outside their range; empty if there is none.
std::string likely_mistake(const PointsInfo& info, std::span<const double> numbers) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double number : numbers) {
    if (!std::isfinite(number)) continue;
    low = std::min(low, number);
    high = std::max(high, number);
  }
  const bool is_theta = info.coordinates == PointCoordinates::kThetaPhi;
  const auto within = [&](double from, double to) { return low >= from && high <= to; };
  if (!info.in_degrees && (is_theta ? within(0, 180) : within(-90, 90)))
    return "the values look like degrees, but are read as radians: set the unit, or rename the columns";
  const double quarter_turn = info.in_degrees ? 90 : kPi / 2;
  if (is_theta && within(-quarter_turn, quarter_turn))
    return "the values look like latitudes: name the column lat or dec, in degrees, or write colatitudes";
  if (!is_theta && within(0, 2 * quarter_turn))
    return "the values look like colatitudes: name the column theta, in rad, or write latitudes";
  return "correct the values";
}

void check_places(const PointsInfo& info, Index first, std::span<const double> theta, std::span<const double> phi) {
  const Range range = range_of(info);
  const double margin = kRounding * (info.in_degrees ? 180 : kPi);
  const bool is_theta = info.coordinates == PointCoordinates::kThetaPhi;
  const std::string &theta_name = info.places[is_theta ? 0 : 1], &phi_name = info.places[is_theta ? 1 : 0];
  for (std::size_t i = 0; i < theta.size(); ++i) {
    const Index number = first + static_cast<Index>(i);
    if (!std::isfinite(theta[i]) || !std::isfinite(phi[i])) {
      const bool of_theta = !std::isfinite(theta[i]);
      throw core::InputError(
          fmt::format("'{}': point {} (counted from 0): {} = {} is not a finite number: remove the point from the file",
                      info.path, number, of_theta ? theta_name : phi_name, of_theta ? theta[i] : phi[i]));
    }
    if (!(theta[i] >= range.low - margin && theta[i] <= range.high + margin))
      throw core::InputError(fmt::format("'{}': point {} (counted from 0): {} = {} is out of range {}: {}", info.path,
                                         number, theta_name, theta[i], range.text, likely_mistake(info, theta)));
  }
}

void check_range(const PointsInfo& info, Index first, std::size_t count) {
  if (first < 0 || first + static_cast<Index>(count) > info.points)
    throw core::InternalError(fmt::format("'{}' has {} points, but {} were requested from point {} on", info.path,
                                          info.points, count, first));
}

}  // namespace

void read_places(const PointsInfo& info, Index first, std::span<double> theta, std::span<double> phi) {
  if (theta.size() != phi.size()) throw core::InternalError("read_places: theta and phi differ in size");
  check_range(info, first, theta.size());
  if (theta.empty()) return;
  const bool is_theta = info.coordinates == PointCoordinates::kThetaPhi;
  const std::array<std::span<double>, 2> out{is_theta ? theta : phi, is_theta ? phi : theta};
  read_table<double>(info, std::span(info.chosen).first(2), first, out);
  check_places(info, first, theta, phi);
  const double unit = info.in_degrees ? kPi / 180 : 1;
  const double pole = info.in_degrees ? 90 : kPi / 2;
  for (std::size_t i = 0; i < theta.size(); ++i) {
    theta[i] = std::clamp((is_theta ? theta[i] : pole - theta[i]) * unit, 0.0, kPi);
    phi[i] *= unit;
  }
}

template <class T>
BadPixels read_values(const PointsInfo& info, Index component, Index first, std::span<T> out, BadDataPolicy policy,
                      Sign sign) {
  check_component(info.path, component, info.components);
  check_range(info, first, out.size());
  if (out.empty()) return {};
  read_table<T>(info, std::span(info.chosen).subspan(2 + static_cast<std::size_t>(component), 1), first, {&out, 1});
  if (policy == BadDataPolicy::kError) {
    const auto bad =
        std::ranges::find_if(out, [](T value) { return is_bad_value(static_cast<double>(value), kBadPixel); });
    if (bad != out.end())
      throw core::InputError(fmt::format(
          "'{}': point {} (counted from 0): component {} is {}, not a valid value: remove the point from the file",
          info.path, first + (bad - out.begin()), field_text(info.metadata, component), *bad));
  }
  return clean_values(out, kBadPixel, policy, sign);
}

ARMILLA_INSTANTIATE(read_values);

}  // namespace armilla::io
