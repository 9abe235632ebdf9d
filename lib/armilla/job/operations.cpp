#include <armilla/core/error.hpp>
#include <armilla/job/nearest_key.hpp>
#include <armilla/job/operations.hpp>

#include <algorithm>
#include <filesystem>
#include <limits>

#include <fmt/format.h>

namespace armilla::job {

namespace {

/// lmax, and mmax with its default lmax.
template <class Step>
void parse_lmax_mmax(const YamlValue& value, Step& step) {
  step.lmax = value.at("lmax").whole_number(0, kLargestNumber);
  step.mmax = step.lmax;
  if (const auto mmax = value.find("mmax")) {
    step.mmax = mmax->whole_number(0, kLargestNumber);
    if (step.mmax > step.lmax) mmax->fail(fmt::format("exceeds lmax = {}: lower mmax, or raise lmax", step.lmax));
  }
}

/// Whether a file of spectra is a table of text, judged by the ending of its name.
bool is_text_table(const std::string& file) {
  const std::string ending = std::filesystem::path(file).extension().string();
  const std::vector<std::string> binary{".fits", ".fit", ".h5", ".hdf5"};
  return std::find(binary.begin(), binary.end(), ending) == binary.end();
}

Operation parse_random_alm(const YamlValue& value, const ParseContext& context) {
  RandomAlm step;
  step.spectrum = context.resolve(value.text("spectrum"));
  const auto kind = value.find("spectrum_kind");
  if (is_text_table(step.spectrum) && !kind)
    throw core::InputError(fmt::format(
        "{}: {} lacks the key 'spectrum_kind': say 'dl' where the columns of {} hold l (l + 1) / (2 pi) C_l, else 'cl'",
        value.place().where, value.path(), step.spectrum));
  if (kind) {
    step.spectrum_kind =
        kind->choice(std::vector<std::string>{"dl", "cl"}) == 0 ? SpectrumKind::kDl : SpectrumKind::kCl;
    if (!is_text_table(step.spectrum) && step.spectrum_kind == SpectrumKind::kDl)
      kind->fail("does not go with a FITS or HDF5 file, which hold C_l: say 'cl', or nothing");
  }
  step.fields = parse_fields(value);
  if (!step.fields.given())
    throw core::InputError(fmt::format("{}: {} lacks the key 'fields': say [T], [E, B], [T, E, B], or give 'spin'",
                                       value.place().where, value.path()));
  parse_lmax_mmax(value, step);
  if (const auto seed = value.find("seed"))
    step.seed = static_cast<std::uint64_t>(seed->whole_number(0, std::numeric_limits<Index>::max()));
  step.out = value.text("out");
  return step;
}

Operation parse_synthesis(const YamlValue& value, const ParseContext& context) {
  return Synthesis{value.text("alm"), parse_grid(value.at("grid"), context), value.text("out")};
}

ops::AnalysisMethod parse_method(const YamlValue& value) {
  if (value.is_section()) {
    value.expect_keys(std::vector<std::string>{"jacobi"});
    const YamlValue jacobi = value.at("jacobi");
    jacobi.expect_keys(std::vector<std::string>{"iterations"});
    return {.jacobi_iterations = jacobi.at("iterations").whole_number(0, 1000000)};
  }
  if (value.text() != "quadrature") value.fail("is not a method: expected 'quadrature' or {jacobi: {iterations: 3}}");
  return {};
}

Operation parse_analysis(const YamlValue& value, const ParseContext&) {
  Analysis step;
  step.map = value.text("map");
  parse_lmax_mmax(value, step);
  if (const auto method = value.find("method")) step.method = parse_method(*method);
  if (const auto allow = value.find("allow_aliasing"))
    step.aliasing = allow->yes_or_no() ? Aliasing::kAllow : Aliasing::kRefuse;
  step.out = value.text("out");
  return step;
}

Operation parse_adjoint_synthesis(const YamlValue& value, const ParseContext&) {
  AdjointSynthesis step;
  step.map = value.text("map");
  parse_lmax_mmax(value, step);
  step.out = value.text("out");
  return step;
}

Operation parse_smooth(const YamlValue& value, const ParseContext&) {
  const YamlValue fwhm = value.at("fwhm_arcmin");
  Smooth step{value.text("alm"), fwhm.number(), value.text("out")};
  if (!(step.fwhm_arcmin >= 0 && step.fwhm_arcmin <= 180 * 60)) fwhm.fail("is outside 0 .. 10800 arc minutes");
  return step;
}

Operation parse_spectra(const YamlValue& value, const ParseContext&) {
  Spectra step{value.text("alm"), value.text("alm"), value.text("out")};
  if (const auto with = value.find("with")) step.with = with->text();
  return step;
}

Operation parse_compare(const YamlValue& value, const ParseContext&) {
  return Compare{value.text("alm"), value.text("reference")};
}

}  // namespace

std::string ParseContext::resolve(const std::string& file) const {
  return (std::filesystem::path(folder) / file).lexically_normal().string();
}

std::span<const OperationKind> operation_kinds() {
  static const std::vector<OperationKind> kinds{
      {"random_alm", {"spectrum", "spectrum_kind", "fields", "spin", "lmax", "mmax", "seed", "out"}, parse_random_alm},
      {"synthesis", {"alm", "grid", "out"}, parse_synthesis},
      {"analysis", {"map", "lmax", "mmax", "method", "allow_aliasing", "out"}, parse_analysis},
      {"adjoint_synthesis", {"map", "lmax", "mmax", "out"}, parse_adjoint_synthesis},
      {"smooth", {"alm", "fwhm_arcmin", "out"}, parse_smooth},
      {"spectra", {"alm", "with", "out"}, parse_spectra},
      {"compare", {"alm", "reference"}, parse_compare},
  };
  return kinds;
}

FieldsSpec parse_fields(const YamlValue& section) {
  FieldsSpec fields;
  if (const auto names = section.find("fields")) fields.names = names->texts();
  if (const auto spin = section.find("spin")) {
    if (!fields.names.empty()) spin->fail("does not go with 'fields': give one of the two");
    fields.spin = spin->whole_number(1, 1 << 20);
  }
  return fields;
}

GridSpec parse_grid(const YamlValue& value, const ParseContext& context) {
  std::vector<std::string> names = grid::grid_kind_names();
  names.push_back("rings");
  value.expect_keys(names);
  const auto members = value.members();
  if (members.size() != 1)
    value.fail(fmt::format("names {} grids: expected one of {}", members.size(), fmt::join(names, ", ")));
  const auto& [name, parameters] = members.front();
  GridSpec grid{parameters.place(), {.kind = name}};
  if (name == "rings") {
    parameters.expect_keys(std::vector<std::string>{"file"});
    grid.description.file = context.resolve(parameters.text("file"));
    return grid;
  }
  std::vector<std::string> keys;
  const std::vector<std::string> rules = grid::grid_rules(name);
  if (!rules.empty()) {
    keys.push_back("rule");
    grid.description.rule = rules[parameters.at("rule").choice(rules)];
  }
  const grid::GridKind* kind = grid::find_grid_kind(name, grid.description.rule);
  for (const grid::GridKey& key : kind->keys) keys.push_back(key.name);
  parameters.expect_keys(keys);
  parameters.at(kind->keys.front().name);
  for (const grid::GridKey& key : kind->keys) {
    const auto parameter = parameters.find(key.name);
    if (!parameter) continue;
    if (key.whole != nullptr)
      grid.description.*key.whole = parameter->whole_number(1, kLargestNumber);
    else
      grid.description.*key.real = parameter->number();
  }
  return grid;
}

}  // namespace armilla::job
