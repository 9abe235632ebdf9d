#include <armilla/core/error.hpp>
#include <armilla/io/read.hpp>
#include <armilla/job/steps/rows.hpp>
#include <armilla/job/steps/step.hpp>
#include <armilla/job/steps/unit_powers.hpp>
#include <armilla/ops/random_alm.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::job::steps {

namespace {

/// Whether a file of spectra is a text table, according to its extension.
bool is_text_table(const std::string& file) {
  const std::string ending = std::filesystem::path(file).extension().string();
  const std::vector<std::string> binary{".fits", ".fit", ".h5", ".hdf5"};
  return std::find(binary.begin(), binary.end(), ending) == binary.end();
}

struct RandomAlm final : Step<RandomAlm> {
  enum class SpectrumKind { kDl, kCl };

  FileSpec spectrum;
  std::optional<SpectrumKind> spectrum_kind;
  FieldsSpec components;
  Limits limits;
  std::uint64_t seed = 0;
  Index maps = 0;  // of a campaign; 0: a single map, shared by all maps if there are many

  static Keys<RandomAlm> keys() {
    return {file("spectrum", &RandomAlm::spectrum,
                 "file of spectra: text (columns below a line `# L TT EE BB TE`), a FITS table of C_l, or HDF5")
                .required(),
            choice("spectrum_kind", &RandomAlm::spectrum_kind, {"dl", "cl"},
                   "`dl`: columns contain l (l + 1) / (2 pi) C_l, with a further factor sqrt(l (l + 1)) for each P of "
                   "the lensing potential, as written by CAMB; `cl`: columns contain C_l")
                .fallback("`cl` for FITS and HDF5; required for text files"),
            fields(&RandomAlm::components, "the fields to generate").requirement("required unless `spin` is given"),
            spin(&RandomAlm::components),
            lmax(&RandomAlm::limits).required(),
            mmax(&RandomAlm::limits),
            whole("seed", &RandomAlm::seed, 0, kAnyWhole,
                  "seed of the random numbers; coefficients depend only on seed, map number, l and m"),
            whole("maps", &RandomAlm::maps, 1, 10'000'000, "number of [maps](job_reference.md#many-maps) to generate")
                .fallback("one map"),
            result("the coefficients")};
  }

  void finish(const YamlValue& value) const {
    const bool is_text = is_text_table(spectrum.path);
    if (is_text && !spectrum_kind)
      value.complain(
          fmt::format("lacks the key 'spectrum_kind': set it to 'dl' if the columns of {} contain l (l + 1) / (2 pi) "
                      "C_l, otherwise to 'cl'",
                      spectrum.path));
    if (!is_text && spectrum_kind == SpectrumKind::kDl)
      value.at("spectrum_kind")
          .fail("cannot be used with FITS or HDF5 files, which contain C_l: use 'cl', or remove the key");
    if (!components.given()) value.complain("lacks the key 'fields': use [T], [E, B] or [T, E, B], or set 'spin'");
  }

  void plan(StepPlanner& planner) const override {
    ValueInfo& result = planner.result();
    result.sort = ValueSort::kAlm;
    result.kind = kind_of(components, planner.place());
    result.alm = planner.builder().alm(limits.lmax, limits.mmax);
    core::SeenFile file;
    try {
      file = PlanBuilder::see(spectrum.path);
      planner.planned().table = io::read_spectra(file.path, spectrum_kind == SpectrumKind::kDl);
    } catch (const core::InputError& error) {
      planner.rethrow("spectrum", error.what());
    }
    const alm::SpectraTable& table = *planner.planned().table;
    if (table.lmax < limits.lmax)
      planner.refuse_key("lmax", fmt::format("{}", limits.lmax),
                         fmt::format("exceeds l = {}, the last degree in {}: lower lmax", table.lmax, spectrum.path));
    double sum = 0;
    for (const auto& column : table.columns) sum = std::accumulate(column.begin(), column.end(), sum);
    planner.builder().note(file,
                           fmt::format("{} to l = {}, sum {:.17g}", fmt::join(table.names, " "), table.lmax, sum));
    for (const auto& name : result.kind.alm_names())
      if (const std::string column = alm::spectrum_name(name, name); table.find(column) == nullptr)
        planner.refuse_key("spectrum", spectrum.path,
                           fmt::format("has no column {}, which is required for the field {}; its columns are {}",
                                       column, name, fmt::join(table.names, ", ")));
    result.units.assign(static_cast<std::size_t>(result.kind.components()), unit_root(table.unit));
  }

  template <class T>
  void execute(StepRun<T>& step) const {
    transform::AlmField<T>& alm = step.make_alm();
    step.local("random_alm", [&] {
      try {
        ops::random_alm(alm, *step.planned().table, seed, step.batch().first);
      } catch (const core::InputError& error) {
        throw core::InputError(
            fmt::format("{}: {}.spectrum: {}: {}", step.place().where, step.place().path, spectrum.path, error.what()));
      }
    });
  }

  StepWork work(const JobPlan& plan, const PlannedStep& planned, const cost::TransformCounts*) const override {
    const ValueInfo& result = plan.values[planned.results.front()];
    const auto each = static_cast<double>(maps_at_once(plan, planned) * result.kind.components());
    std::vector<double> own;
    for (int rank = 0; rank < plan.ranks; ++rank)
      own.push_back(each * static_cast<double>(result.alm->local_size(rank)));
    StepWork work;
    work.work.add(cost::Item{cost::Kernel::kRandom, static_cast<double>(limits.lmax + 1), 1, cost::over_ranks(own)});
    return work;
  }

  Index makes_items() const override { return maps; }
};

}  // namespace

OperationKind random_alm() {
  return RandomAlm::kind("random_alm", "Generate Gaussian random coefficients with the given spectra");
}

}  // namespace armilla::job::steps
