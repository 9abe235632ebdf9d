#pragma once

#include <armilla/job/document.hpp>

#include <optional>
#include <string>

namespace armilla::job::steps {

/// The member `radius_m` of a step: the radius of the sphere in metres, or nothing, which stands for 1 without a unit.
/// Throws InputError for anything but a number above 0.
std::optional<double> parse_radius(const YamlValue& step);

/// `unit` times m^power; units of winds and what is made of them keep their usual form: m/s, 1/s, m^2/s. Empty where
/// `unit` is.
std::string times_length(const std::string& unit, int power);

}  // namespace armilla::job::steps
