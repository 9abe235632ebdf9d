#include <armilla/grid/makers.hpp>

#include <algorithm>
#include <utility>

namespace armilla::grid {

namespace {

const GridKey kNside{.name = "nside", .whole = &GridDescription::nside};
const GridKey kNlat{.name = "nlat", .whole = &GridDescription::nlat};
const GridKey kNphi{.name = "nphi", .whole = &GridDescription::nphi};
const GridKey kSpin{.name = "spin", .whole = &GridDescription::spin};
const GridKey kPhi0{.name = "phi0", .real = &GridDescription::phi0};

GridDescription rings_of(const char* kind, const char* rule, Index nlat, Index nphi, double phi0 = 0) {
  return {.kind = kind, .rule = rule, .nlat = nlat, .nphi = nphi, .phi0 = phi0};
}

// A part of the sky, as an example of its kind.
GridDescription part_of(GridDescription whole, std::vector<RingRange> part) {
  whole.part = std::move(part);
  return whole;
}

// Examples have odd and even numbers of rings and of pixels, small and moderate.
GridKind equiangular(const char* rule, const char* help) {
  const std::vector<GridDescription> examples{rings_of("equiangular", rule, 3, 5), rings_of("equiangular", rule, 5, 9),
                                              rings_of("equiangular", rule, 24, 50, 0.1),
                                              rings_of("equiangular", rule, 33, 65),
                                              part_of(rings_of("equiangular", rule, 24, 50), {{0, 4}, {20, 23}})};
  return {"equiangular", rule, {kNlat, kNphi, kPhi0}, examples, help};
}

}  // namespace

std::span<const GridKind> grid_kinds() {
  static const std::vector<GridKind> kinds{
      {"healpix",
       "",
       {kNside},
       {{.kind = "healpix", .nside = 1},
        {.kind = "healpix", .nside = 2},
        {.kind = "healpix", .nside = 5},
        {.kind = "healpix", .nside = 16},
        part_of({.kind = "healpix", .nside = 8}, {{0, 0}, {2, 9}, {12, 14}, {28, 28}}),
        part_of({.kind = "healpix", .nside = 7}, {{0, 13}})},
       "HEALPix with any nside; NESTED order needs a power of two"},
      {"gauss",
       "",
       {kNlat, kNphi, kPhi0},
       {rings_of("gauss", "", 1, 1), rings_of("gauss", "", 2, 3), rings_of("gauss", "", 24, 50, 0.2),
        rings_of("gauss", "", 33, 65), part_of(rings_of("gauss", "", 33, 65, 0.4), {{17, 32}}),
        part_of(rings_of("gauss", "", 20, 41), {{9, 9}})},
       "Gauss-Legendre; exact up to lmax = nlat - 1"},
      {"reduced_gauss",
       "",
       {kNlat, kSpin, kPhi0},
       {rings_of("reduced_gauss", "", 1, 0),
        rings_of("reduced_gauss", "", 2, 0),
        rings_of("reduced_gauss", "", 33, 0, 0.3),
        rings_of("reduced_gauss", "", 96, 0),
        {.kind = "reduced_gauss", .nlat = 64, .spin = 10},
        part_of(rings_of("reduced_gauss", "", 32, 0), {{3, 20}})},
       "Gauss-Legendre with fewer pixels near the poles, exact to rounding"},
      {"octahedral",
       "",
       {kNlat},
       {rings_of("octahedral", "", 2, 0), rings_of("octahedral", "", 24, 0)},
       "octahedral reduced Gauss grid of weather models, O(nlat / 2)"},
      equiangular("cc", "equiangular: Clenshaw-Curtis, both poles"),
      equiangular("f1", "equiangular: Fejer's first rule, no pole"),
      equiangular("f2", "equiangular: Fejer's second rule, no pole"),
      equiangular("mw", "equiangular: McEwen and Wiaux, with the south pole"),
      equiangular("mwflip", "equiangular: McEwen and Wiaux, with the north pole"),
      equiangular("dh", "equiangular: Driscoll and Healy, with the north pole"),
  };
  return kinds;
}

const GridKind* find_grid_kind(const std::string& kind, const std::string& rule) {
  const auto row =
      std::ranges::find_if(grid_kinds(), [&](const GridKind& k) { return k.kind == kind && k.rule == rule; });
  return row == grid_kinds().end() ? nullptr : &*row;
}

std::vector<std::string> grid_kind_names() {
  std::vector<std::string> names;
  for (const GridKind& row : grid_kinds())
    if (names.empty() || names.back() != row.kind) names.push_back(row.kind);
  return names;
}

std::vector<std::string> grid_rules(const std::string& kind) {
  std::vector<std::string> rules;
  for (const GridKind& row : grid_kinds())
    if (row.kind == kind && !row.rule.empty()) rules.push_back(row.rule);
  return rules;
}

}  // namespace armilla::grid
