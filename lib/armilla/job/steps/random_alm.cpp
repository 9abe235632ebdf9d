#include <armilla/core/error.hpp>
#include <armilla/io/read.hpp>
#include <armilla/job/parse_values.hpp>
#include <armilla/job/step_planner.hpp>
#include <armilla/job/step_run.hpp>
#include <armilla/job/steps/random_alm.hpp>
#include <armilla/ops/random_alm.hpp>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <numeric>

#include <fmt/format.h>

namespace armilla::job::steps {

namespace {

/// Whether a file of spectra is a table of text, judged by the ending of its name.
bool is_text_table(const std::string& file) {
  const std::string ending = std::filesystem::path(file).extension().string();
  const std::vector<std::string> binary{".fits", ".fit", ".h5", ".hdf5"};
  return std::find(binary.begin(), binary.end(), ending) == binary.end();
}

/// "uK" from "(uK)^2", "muK^2" and their like; empty where it is no square.
std::string root_of_unit(const std::string& squared) {
  const auto square = squared.rfind("^2");
  std::string unit = square == std::string::npos ? std::string() : squared.substr(0, square);
  if (unit.size() > 2 && unit.front() == '(' && unit.back() == ')') unit = unit.substr(1, unit.size() - 2);
  return unit == "muK" ? "uK" : unit;
}

template <class T>
void run_as(const RandomAlm& random, StepRun<T>& step) {
  transform::AlmField<T>& alm = step.make_alm();
  step.local("random_alm", [&] {
    try {
      ops::random_alm(alm, *step.planned().table, random.seed, step.batch().first);
    } catch (const core::InputError& error) {
      throw core::InputError(
          fmt::format("{}: {}.spectrum: {}: {}", step.place().where, step.place().path, random.spectrum, error.what()));
    }
  });
}

}  // namespace

RandomAlm::RandomAlm(const YamlValue& value, const ParseContext& context) {
  spectrum = context.resolve(value.text("spectrum"));
  spectrum_place = value.at("spectrum").place();
  const auto kind = value.find("spectrum_kind");
  if (is_text_table(spectrum) && !kind)
    throw core::InputError(fmt::format(
        "{}: {} lacks the key 'spectrum_kind': say 'dl' where the columns of {} hold l (l + 1) / (2 pi) C_l, else 'cl'",
        value.place().where, value.path(), spectrum));
  if (kind) {
    spectrum_kind = kind->choice(std::vector<std::string>{"dl", "cl"}) == 0 ? SpectrumKind::kDl : SpectrumKind::kCl;
    if (!is_text_table(spectrum) && spectrum_kind == SpectrumKind::kDl)
      kind->fail("does not go with a FITS or HDF5 file, which hold C_l: say 'cl', or nothing");
  }
  fields = parse_fields(value);
  if (!fields.given())
    throw core::InputError(fmt::format("{}: {} lacks the key 'fields': say [T], [E, B], [T, E, B], or give 'spin'",
                                       value.place().where, value.path()));
  limits = parse_lmax_mmax(value);
  if (const auto given = value.find("seed"))
    seed = static_cast<std::uint64_t>(given->whole_number(0, std::numeric_limits<Index>::max()));
  if (const auto given = value.find("maps")) maps = given->whole_number(1, 10'000'000);
  make(value);
}

OperationKind RandomAlm::kind() {
  return {"random_alm",
          {"spectrum", "spectrum_kind", "fields", "spin", "lmax", "mmax", "seed", "maps", "out"},
          parse_step<RandomAlm>};
}

void RandomAlm::plan(StepPlanner& planner) const {
  ValueInfo& result = planner.result();
  result.sort = ValueSort::kAlm;
  result.kind = kind_of(fields, planner.place());
  result.alm = planner.builder().alm(limits.lmax, limits.mmax);
  try {
    planner.planned().table = io::read_spectra(spectrum, spectrum_kind == SpectrumKind::kDl);
  } catch (const core::InputError& error) {
    planner.rethrow("spectrum", error.what());
  }
  const alm::SpectraTable& table = *planner.planned().table;
  if (table.lmax < limits.lmax)
    planner.refuse_key("lmax", fmt::format("{}", limits.lmax),
                       fmt::format("exceeds l = {}, the last of {}: lower lmax", table.lmax, spectrum));
  double sum = 0;
  for (const auto& column : table.columns) sum = std::accumulate(column.begin(), column.end(), sum);
  planner.builder().note(spectrum,
                         fmt::format("{} to l = {}, sum {:.17g}", fmt::join(table.names, " "), table.lmax, sum));
  for (const auto& name : result.kind.alm_names())
    if (const std::string column = alm::spectrum_name(name, name); table.find(column) == nullptr)
      planner.refuse_key("spectrum", spectrum,
                         fmt::format("has no column {}, which the field {} needs; it has {}", column, name,
                                     fmt::join(table.names, ", ")));
  result.units.assign(static_cast<std::size_t>(result.kind.components()), root_of_unit(table.unit));
}

void RandomAlm::run(StepRun<float>& step) const { run_as(*this, step); }
void RandomAlm::run(StepRun<double>& step) const { run_as(*this, step); }

}  // namespace armilla::job::steps
