#include <armilla/job/steps/parts.hpp>

#include <array>
#include <cmath>

#include <fmt/format.h>

namespace armilla::job::steps {

namespace {

/// Units that differ by a factor of metre from one to the next.
constexpr std::array kSpeeds{"1/s", "m/s", "m^2/s"};

/// Index in kSpeeds of a unit, which weather files write as m s**-1, m s-1, s^-1 and so on.
std::optional<int> speed_of(const std::string& unit) {
  constexpr std::array<std::array<const char*, 4>, 3> kSpellings{{{"1/s", "s**-1", "s^-1", "s-1"},
                                                                  {"m/s", "m s**-1", "m s^-1", "m s-1"},
                                                                  {"m^2/s", "m**2 s**-1", "m^2 s^-1", "m2 s-1"}}};
  for (std::size_t i = 0; i < kSpellings.size(); ++i)
    for (const char* spelling : kSpellings[i])
      if (unit == spelling) return static_cast<int>(i);
  return std::nullopt;
}

}  // namespace

double parse_radius(const YamlValue& value) {
  const double radius = value.number();
  if (!(radius > 0) || !std::isfinite(radius))
    value.fail("is not a valid radius: use a positive number of metres; for the Earth 6371000");
  return radius;
}

std::string times_length(const std::string& unit, int power) {
  if (unit.empty() || power == 0) return unit;
  if (const auto speed = speed_of(unit)) {
    const int other = *speed + power;
    if (other >= 0 && other < static_cast<int>(kSpeeds.size())) return kSpeeds[static_cast<std::size_t>(other)];
  }
  const std::string metres = std::abs(power) == 1 ? "m" : fmt::format("m^{}", std::abs(power));
  return unit + (power > 0 ? " " : "/") + metres;
}

}  // namespace armilla::job::steps
