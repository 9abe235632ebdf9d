#include <armilla/core/error.hpp>
#include <armilla/grid/part.hpp>
#include <armilla/job/parse/refuse.hpp>
#include <armilla/job/value/input_value.hpp>
#include <armilla/job/value/source.hpp>

#include <vector>

#include <fmt/format.h>

namespace armilla::job {

namespace {

class ExpectedSource final : public Source {
 public:
  explicit ExpectedSource(const InputSpec& input) : file_(input.file) {
    described_ = at_place(input.place, [&] { return describe(input, *input.expect); });
    input_value(input, described_);
  }

  std::string text(Index) const override { return file_; }
  std::unique_ptr<SourceItem> open(Index) const override {
    throw core::InputError(fmt::format("'{}' does not exist: it is only described, with 'expect'", file_));
  }

 private:
  static Described describe(const InputSpec& input, const ExpectSpec& expect) {
    Described described{.sort = input.sort, .points = expect.points.value_or(0)};
    described.lmax = expect.lmax.value_or(0);
    described.mmax = expect.mmax.value_or(described.lmax);
    if (!input.items.empty()) described.dimensions = {{"map", input.items.labels}};
    if (expect.grid) described.grid = grid_of(*expect.grid);
    if (input.sort == ValueSort::kSpectra) {
      const std::vector<double> ones(core::at(described.lmax + 1), 1.0);
      described.table = std::make_shared<const alm::SpectraTable>(
          alm::SpectraTable{described.lmax, expect.columns, std::vector(expect.columns.size(), ones),
                            expect.units.empty() ? "" : expect.units.front()});
      return described;
    }
    if (input.sort == ValueSort::kPoints) return described;
    const transform::FieldKind kind =
        expect.fields.given() ? kind_of(expect.fields, input.place) : transform::FieldKind::scalar();
    check_facts("expect", expect.units, expect.coordsys, kind.components());
    described.components = kind.components();
    described.metadata = {.fields = input.sort == ValueSort::kAlm ? kind.alm_names() : kind.map_names(),
                          .units = expect.units,
                          .coordsys = expect.coordsys,
                          .polcconv = "",
                          .spins = kind.spins()};
    return described;
  }

  static std::shared_ptr<const grid::RingGrid> grid_of(const GridSpec& spec) {
    if (spec.description.kind != "rings")
      return std::make_shared<const grid::RingGrid>(grid::make_part(spec.description, spec.selection));
    return std::make_shared<const grid::RingGrid>(grid::part_of(*open_rings(spec.description.file), spec.selection));
  }

  std::string file_;
};

}  // namespace

std::shared_ptr<const Source> expected_source(const InputSpec& input) {
  return std::make_shared<const ExpectedSource>(input);
}

}  // namespace armilla::job
