#include <armilla/core/error.hpp>
#include <armilla/resample/circle_rings.hpp>

#include <cmath>

#include <fmt/format.h>

namespace armilla::resample {

using core::at;

CircleRings::CircleRings(const math::MeridianCircle& circle, const PairList& pairs)
    : pairs_(pairs.size()), points_(circle.points) {
  // Indices q of theta = q pi / points, or -1.
  std::vector<Index> north, south;
  std::vector<bool> seen(at(points_ + 1), false);
  const auto number_of = [&](Index pair, Index there, bool is_north) -> Index {
    if (there < 0) return -1;
    const double theta = std::atan2(pairs.sin_theta[at(pair)], pairs.cos_theta[at(pair)]);
    const double place = theta * static_cast<double>(points_) / core::kPi;
    const Index from_pole = std::llround(place);
    const Index number = is_north ? from_pole : points_ - from_pole;
    if (std::abs(place - static_cast<double>(from_pole)) > 1e-6 || (number - circle.shift) % 2 != 0)
      throw core::InputError(
          fmt::format("quadrature by resampling in theta: the ring at {} pi / {} is not on the circle",
                      is_north ? place : static_cast<double>(points_) - place, points_));
    seen[at(number)] = true;
    return number;
  };
  for (Index p = 0; p < pairs_; ++p) {
    north.push_back(number_of(p, pairs.north[at(p)], true));
    south.push_back(number_of(p, pairs.south[at(p)], false));
    if (north.back() == 0) poles_.push_back({p, 0});
    if (south.back() == points_) poles_.push_back({p, 2});
  }
  for (Index q = 1; q < points_; ++q)
    if ((q - circle.shift) % 2 == 0 && !seen[at(q)])
      throw core::InputError(
          fmt::format("quadrature by resampling in theta: there is no ring at {} pi / {}", q, points_));
  const bool north_extra = circle.shift % 2 == 0 && !seen[0];
  const bool south_extra = (points_ - circle.shift) % 2 == 0 && !seen[at(points_)];
  if (!north_extra && !south_extra) return;
  // The function does not contain the cosine of degree points / 2 and, if both poles are needed, that of degree points
  // / 2 - 1. Its sums over the circle with these cosines, that is with (-1)^j and (-1)^j cos(theta), are therefore
  // zero.
  const auto sign = [&](Index number, Index pole) { return (number - pole) / 2 % 2 == 0 ? -1.0 : 1.0; };
  const auto add = [&](Index number, double cosine) {
    if (number < 0)
      extra_.push_back({0, 0});
    else if (north_extra && south_extra)
      extra_.push_back({0.5 * sign(number, 0) * (1 + cosine), 0.5 * sign(number, points_) * (1 - cosine)});
    else
      extra_.push_back({north_extra ? sign(number, 0) : 0, south_extra ? sign(number, points_) : 0});
  };
  for (Index p = 0; p < pairs_; ++p) {
    add(north[at(p)], pairs.cos_theta[at(p)]);
    add(south[at(p)], -pairs.cos_theta[at(p)]);
  }
}

void CircleRings::prepare(bool filled, PairValue* rings) const {
  for (const PoleRing& pole : poles_)
    for (int c = 0; c < 2; ++c) rings[pole.pair].part[pole.part + c] *= 0.5;
  if (!has_extra()) return;
  PairValue& extra = rings[pairs_];
  extra = {};
  if (!filled) return;
  for (Index p = 0; p < pairs_; ++p)
    for (int end = 0; end < 2; ++end) {
      const Ends& share = extra_[at(2 * p + end)];
      for (int c = 0; c < 2; ++c) {
        extra.part[c] += share.north * rings[p].part[2 * end + c];
        extra.part[2 + c] += share.south * rings[p].part[2 * end + c];
      }
    }
}

void CircleRings::prepare_transposed(bool filled, PairValue* rings) const {
  if (filled && has_extra()) {
    const PairValue& extra = rings[pairs_];
    for (Index p = 0; p < pairs_; ++p)
      for (int end = 0; end < 2; ++end) {
        const Ends& share = extra_[at(2 * p + end)];
        for (int c = 0; c < 2; ++c)
          rings[p].part[2 * end + c] += share.north * extra.part[c] + share.south * extra.part[2 + c];
      }
  }
  for (const PoleRing& pole : poles_)
    for (int c = 0; c < 2; ++c) rings[pole.pair].part[pole.part + c] *= 0.5;
}

std::vector<double> CircleRings::ring_factors() const {
  std::vector<double> factors(at(2 * pairs_), 1.0);
  for (const PoleRing& pole : poles_) factors[at(2 * pole.pair + pole.part / 2)] = 0.5;
  return factors;
}

std::vector<double> CircleRings::extra_shares() const {
  std::vector<double> shares;
  for (const Ends& share : extra_) {
    shares.push_back(share.north);
    shares.push_back(share.south);
  }
  return shares;
}

}  // namespace armilla::resample
