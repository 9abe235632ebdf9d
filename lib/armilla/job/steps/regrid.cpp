#include <armilla/job/steps/analysis.hpp>
#include <armilla/job/steps/parts.hpp>
#include <armilla/job/steps/rows.hpp>

#include <memory>

namespace armilla::job::steps {

namespace {

struct RegridKeys {
  std::string map, out;
  GridSpec grid;
  std::optional<Limits> limits;
  MethodSpec method;
  Analysis::Aliasing aliasing = Analysis::Aliasing::kRefuse;

  static Keys<RegridKeys> keys() {
    using K = KeyMakers<RegridKeys>;
    return {K::value_name("map", &RegridKeys::map, ValueSort::kMap, "the map").required(),
            K::grid("grid", &RegridKeys::grid, "the grid of the result").required(),
            K::lmax(&RegridKeys::limits).fallback("the largest lmax that both grids support"),
            K::mmax(&RegridKeys::limits),
            method_key(&RegridKeys::method),
            tolerance_key(&RegridKeys::method),
            K::flag("allow_aliasing", &RegridKeys::aliasing, "allow lmax above the limit of the grid of `map`"),
            K::result_name("out", &RegridKeys::out, "the map on the other grid").required()};
  }

  Operations expand() const {
    const std::string between = out + " (coefficients)";
    auto analysis = std::make_shared<Analysis>(map, method, between);
    analysis->for_grid = grid;
    analysis->limits = limits;
    analysis->aliasing = aliasing;
    return {analysis, std::make_shared<const Synthesis>(between, grid, out)};
  }
};

}  // namespace

OperationKind regrid() {
  return composed_kind<RegridKeys>("regrid", "Transfer a map to another grid by analysis and synthesis");
}

}  // namespace armilla::job::steps
