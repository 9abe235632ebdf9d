#include <armilla/core/error.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/math/equidistant_weights.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace armilla::grid {

namespace {

// Ring i is at (2 i + shift) pi / points; a circle through both poles has `points` such colatitudes.
struct Rule {
  const char* name;
  int shift;
  Index least;
  Index (*points)(Index nlat);
  Index (*default_nphi)(Index nlat);
  Index less;  // the rings support degrees up to nlat - less
};

constexpr Rule kRules[] = {
    {"cc", 0, 2, [](Index n) { return 2 * n - 2; }, [](Index n) { return 2 * n - 2; }, 2},
    {"f1", 1, 1, [](Index n) { return 2 * n; }, [](Index n) { return 2 * n; }, 1},
    {"f2", 2, 1, [](Index n) { return 2 * n + 2; }, [](Index n) { return n + 1; }, 1},
    {"mw", 1, 1, [](Index n) { return 2 * n - 1; }, [](Index n) { return 2 * n - 1; }, 1},
    {"mwflip", 0, 1, [](Index n) { return 2 * n - 1; }, [](Index n) { return 2 * n - 1; }, 1},
    {"dh", 0, 2, [](Index n) { return 2 * n; }, [](Index n) { return n; }, 1},
};

const Rule& rule_of(const std::string& name) {
  for (const Rule& rule : kRules)
    if (name == rule.name) return rule;
  std::vector<std::string> names;
  for (const Rule& rule : kRules) names.emplace_back(rule.name);
  throw core::InputError(
      fmt::format("equiangular.rule = {} does not exist: use one of {}", name, fmt::join(names, ", ")));
}

}  // namespace

RingGrid make_equiangular(const std::string& rule_name, Index nlat, Index nphi, double phi0) {
  const Rule& rule = rule_of(rule_name);
  if (nlat < rule.least)
    throw core::InputError(
        fmt::format("equiangular.nlat = {}: rule {} needs at least {} rings", nlat, rule.name, rule.least));
  check_ring_count("equiangular.nlat", nlat, nlat);
  if (nphi < 0) throw core::InputError(fmt::format("equiangular.nphi = {}: use at least one pixel per ring", nphi));
  if (nphi == 0) nphi = rule.default_nphi(nlat);
  phi0 = normalised_longitude(phi0);
  const Index points = rule.points(nlat);
  const std::vector<double> weights = math::equidistant_weights(points, rule.shift, nlat);
  std::vector<Ring> rings;
  for (Index i = 0; i < nlat; ++i) {
    // theta = number pi / points. Sine and cosine are computed from the angle to the nearer pole, or to the equator, so
    // that both are exact to rounding, and identical for mirror rings.
    const Index number = 2 * i + rule.shift;
    const Index from_pole = std::min(number, points - number);
    const auto angle = [&](Index numerator, Index denominator) {
      return core::kPi * static_cast<double>(numerator) / static_cast<double>(denominator);
    };
    const bool near_pole = 4 * from_pole < points;
    const double theta = angle(from_pole, points);
    const double latitude = angle(points - 2 * from_pole, 2 * points);
    const double cosine = near_pole ? std::cos(theta) : std::sin(latitude);
    rings.push_back({.theta = number == from_pole ? theta : core::kPi - theta,
                     .cos_theta = number == from_pole ? cosine : -cosine,
                     .sin_theta = near_pole ? std::sin(theta) : std::cos(latitude),
                     .phi0 = phi0,
                     .nphi = nphi,
                     .first_pixel = 0,
                     .weight = 2 * core::kPi * weights[static_cast<std::size_t>(i)]});
  }
  // Weights integrate products of two functions of degree lmax. The rings determine functions of twice that degree,
  // except for the sine of degree nlat - 1, which is zero on all rings of "cc".
  const Index weights_lmax = (rule_name == "dh" ? nlat - 2 : nlat - 1) / 2;
  return RingGrid({.kind = "equiangular", .rule = rule_name, .nlat = nlat, .nphi = nphi, .phi0 = phi0},
                  std::move(rings), true,
                  {.lmax = nlat - rule.less,
                   .mmax = (nphi - 1) / 2,
                   .lmax_rule = fmt::format("nlat - {}", rule.less),
                   .mmax_rule = "(nphi - 1) / 2",
                   .circle = {points, rule.shift, nlat - rule.less},
                   .weights_lmax = weights_lmax});
}

}  // namespace armilla::grid
