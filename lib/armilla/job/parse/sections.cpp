#include <armilla/backend/context.hpp>
#include <armilla/core/error.hpp>
#include <armilla/job/parse/sections.hpp>
#include <armilla/legendre/engine.hpp>

#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::job {

namespace {

template <class Names>
std::vector<std::string> words(const Names& names) {
  return {names.begin(), names.end()};
}

const std::vector<std::string> kPrecisions{"single", "double"};

/// `convention: {norm: 4pi, phase: none, basis: real}`, with all keys optional.
Keys<ConventionSpec> keys_of_convention() {
  using K = KeyMakers<ConventionSpec>;
  return {
      K::choice("norm", &ConventionSpec::norm, words(alm::kNormNames), "norm of the harmonics").fallback("orthonormal"),
      K::choice("phase", &ConventionSpec::phase, words(alm::kPhaseNames), "whether Y_lm includes the factor (-1)^m")
          .fallback("condon-shortley"),
      K::choice("basis", &ConventionSpec::basis, words(alm::kBasisNames), "a_lm, or C_lm and S_lm")
          .fallback("complex")};
}

template <class Section>
KeyOf<Section> convention_key(ConventionSpec Section::*member, std::string help) {
  KeyOf<Section> row =
      KeyMakers<Section>::other("convention", "[convention](#convention)", std::move(help),
                                [member](Section& section, const YamlValue& value, const ParseContext& context) {
                                  read_section(section.*member, keys_of_convention(), value, context);
                                  (section.*member).place = value.place();
                                });
  return row;
}

enum class BadData { kError, kZero, kMask };

/// The keys of an input before their combination is checked.
struct InputKeys {
  std::optional<FileSpec> map, alm, points, values;
  BadData bad_data = BadData::kError;
  std::string good_pixels;
  Monopole monopole = Monopole::kKeep;
  FieldsSpec fields;
  std::optional<Index> lmax, mmax;
  ConventionSpec convention;
  std::optional<io::PointCoordinates> coordinates;
  std::vector<std::string> columns, value_columns;
  std::string coordsys, polcconv;

  static Keys<InputKeys> keys() {
    using K = KeyMakers<InputKeys>;
    return {
        K::file("map", &InputKeys::map, "a map, FITS or HDF5, or a pattern of [many maps](job_reference.md#many-maps)")
            .requirement("exactly one of `map`, `alm`, `points` and `values` is required"),
        K::file("alm", &InputKeys::alm, "coefficients, FITS or HDF5, or a pattern")
            .requirement("exactly one of `map`, `alm`, `points` and `values` is required"),
        K::file("points", &InputKeys::points,
                "the positions of a [catalogue](points.md#catalogues), HDF5, FITS or text")
            .requirement("exactly one of `map`, `alm`, `points` and `values` is required"),
        K::file("values", &InputKeys::values, "a catalogue with values at its points, or a pattern")
            .requirement("exactly one of `map`, `alm`, `points` and `values` is required"),
        K::fields(&InputKeys::fields,
                  "which components: `[T]`, `[Q, U]`, `[T, Q, U]` of a map or of values; `[T]`, `[E, B]`, `[T, "
                  "E, B]` of alm")
            .fallback("those of the file"),
        K::spin(&InputKeys::fields),
        K::choice("bad_data", &InputKeys::bad_data, {"error", "zero", "mask"},
                  "maps: treatment of [bad pixels](job_reference.md#inputs)"),
        K::text("good_pixels", &InputKeys::good_pixels,
                "with `bad_data: mask`: the name of the resulting [mask](cut_sky.md), which is 1 where all components "
                "are finite"),
        K::flag("remove_monopole", &InputKeys::monopole,
                "maps: subtract the mean over the good pixels from the scalar component"),
        K::whole("lmax", &InputKeys::lmax, 0, kLargestDegree, "alm: read up to this degree only"),
        K::whole("mmax", &InputKeys::mmax, 0, kLargestDegree, "alm: read up to this order only"),
        convention_key(&InputKeys::convention, "alm: convention, if the file does not specify it"),
        K::choice("coordinates", &InputKeys::coordinates, {"theta_phi", "ra_dec", "lon_lat"},
                  "points and values: the two coordinates of a point, [rad] or [degrees]")
            .fallback("determined by the column names"),
        K::other("columns", "[name, name]", "points and values: the two coordinate columns or datasets",
                 [](InputKeys& keys, const YamlValue& value, const ParseContext&) {
                   keys.columns = value.texts();
                   if (keys.columns.size() != 2)
                     value.fail("does not name two columns: expected two names such as [RA, DEC]");
                 })
            .fallback("the usual names"),
        K::texts("value_columns", &InputKeys::value_columns,
                 "values in FITS and text files: the columns of the components, in order")
            .fallback("columns named like the fields"),
        K::choice("coordsys", &InputKeys::coordsys, {"G", "E", "C"},
                  "points and values: galactic, ecliptic or equatorial coordinates, if the file does not specify them"),
        K::choice("polcconv", &InputKeys::polcconv, {"COSMO", "IAU"},
                  "values: the [sign of U](points.md#signs-and-coordinates), if the file does not specify it")
            .fallback("COSMO"),
    };
  }

  ValueSort sort() const {
    return map ? ValueSort::kMap : alm ? ValueSort::kAlm : points ? ValueSort::kPoints : ValueSort::kValues;
  }
  const std::string& file() const {
    for (const auto* given : {&map, &alm, &points})
      if (*given) return (*given)->path;
    return values->path;
  }

  void finish(const YamlValue& value) const {
    std::vector<std::string> files;
    for (const auto& [key, file] : {std::pair("map", &map), {"alm", &alm}, {"points", &points}, {"values", &values}})
      if (*file) files.push_back(fmt::format("'{}'", key));
    if (files.size() > 1)
      value.complain(fmt::format("has the keys {}, but an input is one file or one pattern: keep only one of them",
                                 fmt::join(files, " and ")));
    if (files.empty()) value.complain("needs one of the keys 'map', 'alm', 'points' and 'values' with a path");
    const auto refuse = [&](const char* key, const std::string& why) {
      if (const auto given = value.find(key)) given->fail(why);
    };
    const bool catalogued = has_points(sort());
    for (const char* key : {"bad_data", "remove_monopole"})
      if (!map) refuse(key, "applies to maps only: remove it");
    if (!alm) refuse("convention", "applies to alm only: remove it");
    for (const char* key : {"lmax", "mmax"}) {
      if (map) refuse(key, "applies to alm files only: for a map, set it in the step analysis");
      if (catalogued) refuse(key, "applies to alm files only: for values, set it in the step adjoint_synthesis_at");
    }
    for (const char* key : {"coordinates", "columns", "coordsys"})
      if (!catalogued) refuse(key, "applies to points and values only: remove it");
    for (const char* key : {"value_columns", "polcconv"})
      if (!values) refuse(key, "applies to values only: remove it");
    for (const char* key : {"fields", "spin"})
      if (points)
        refuse(key, "does not apply to points, which have no values: remove it, or use 'values' instead of 'points'");
    if (bad_data == BadData::kMask && good_pixels.empty())
      refuse("bad_data", "needs a name for the mask of good pixels: set good_pixels: NAME");
    if (bad_data != BadData::kMask) refuse("good_pixels", "requires bad_data: mask, which creates this mask: set both");
    if (lmax && mmax && *mmax > *lmax) check_mmax(value.at("mmax"), {*lmax, *mmax});
  }
};

Keys<OutputSpec> keys_of_output() {
  using K = KeyMakers<OutputSpec>;
  return {K::other("file", "file",
                   "the file; may contain a placeholder `{}` or `{:04}` for [many maps](job_reference.md#many-maps). "
                   "The extension selects the format: `.fits` `.fit`, `.h5` `.hdf5`; spectra also `.dat` `.txt`; "
                   "values also `.csv` `.dat` `.txt`",
                   [](OutputSpec& output, const YamlValue& value, const ParseContext& context) {
                     output.file = context.output_path(value);
                   })
              .required(),
          K::choice("precision", &OutputSpec::precision, kPrecisions, "precision of the numbers in the file")
              .fallback("that of the run"),
          K::choice("ordering", &OutputSpec::ordering, {"ring", "nested"}, "HEALPix maps: pixel ordering"),
          convention_key(&OutputSpec::convention, "alm in HDF5: convention to write")};
}

template <class Member>
KeyOf<ExecutionSpec> auto_or_whole(std::string name, Member ExecutionSpec::*member, Index last, std::string help) {
  return KeyMakers<ExecutionSpec>::other(
             std::move(name), fmt::format("`auto` or integer in 1 .. {}", last), std::move(help),
             [member, last](ExecutionSpec& execution, const YamlValue& value, const ParseContext&) {
               if (!value.is_scalar() || value.text() != "auto") execution.*member = value.whole_number(1, last);
             })
      .fallback("auto");
}

/// `5` or `0.5%`.
BadMapLimit read_bad_map_limit(const YamlValue& value) {
  std::string digits = value.is_scalar() ? value.text() : "";
  BadMapLimit limit{.is_percent = digits.ends_with('%'), .place = value.place(), .text = digits};
  if (limit.is_percent) digits.pop_back();
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), limit.number);
  const bool is_whole = limit.number == std::floor(limit.number);
  const bool is_valid = error == std::errc() && end == digits.data() + digits.size() && limit.number >= 0 &&
                        (limit.is_percent ? limit.number <= 100 : is_whole && limit.number <= kLargestNumber);
  if (!is_valid) value.fail("is neither a number of maps nor a percentage: expected a value such as 5 or 1%");
  return limit;
}

void read_bad_map_policy(const YamlValue& value, ExecutionSpec& execution) {
  if (!value.is_section()) {
    execution.on_bad_map = static_cast<BadMapPolicy>(value.choice(std::vector<std::string>{"stop", "skip"}));
    return;
  }
  value.expect_keys(std::vector<std::string>{"skip"});
  const YamlValue skip = value.at("skip");
  skip.expect_keys(std::vector<std::string>{"at_most"});
  execution.on_bad_map = BadMapPolicy::kSkip;
  execution.bad_map_limit = read_bad_map_limit(skip.at("at_most"));
}

Keys<ExecutionSpec> keys_of_execution() {
  using K = KeyMakers<ExecutionSpec>;
  return {
      K::choice("backend", &ExecutionSpec::backend, backend::kind_names(),
                "`cuda`: one GPU per rank, shared by several ranks if there are fewer GPUs; `auto`: [`cuda` or "
                "`cpu`](job_reference.md#how-auto-selects-the-backend)"),
      K::other("engine", fmt::format("one of `{}`", fmt::join(legendre::engine_names(), "`, `")),
               "engine of the Legendre stage on CPUs; `auto`: the fastest",
               [](ExecutionSpec& execution, const YamlValue& value, const ParseContext&) {
                 const std::vector<std::string> engines = legendre::engine_names();
                 execution.options.engine = engines[value.choice(engines)];
               })
          .fallback("auto"),
      K::other("theta_resampling", fmt::format("one of `{}`", fmt::join(backend::theta_resampling_names(), "`, `")),
               "whether the Legendre stage uses [fewer rings](job_reference.md#execution)",
               [](ExecutionSpec& execution, const YamlValue& value, const ParseContext&) {
                 execution.options.theta_resampling =
                     static_cast<backend::ThetaResampling>(value.choice(backend::theta_resampling_names()));
               })
          .fallback("auto"),
      K::choice("precision", &ExecutionSpec::precision, kPrecisions, "precision of fields in memory"),
      K::whole("threads", &ExecutionSpec::threads, 1, 4096, "threads per rank")
          .fallback("`OMP_NUM_THREADS`, otherwise the OpenMP default"),
      auto_or_whole("batch", &ExecutionSpec::batch, 1 << 16,
                    "number of [maps](job_reference.md#many-maps) transformed together"),
      auto_or_whole("map_groups", &ExecutionSpec::map_groups, 1 << 24, "number of groups of ranks that share the maps"),
      K::number("checkpoint_minutes", &ExecutionSpec::checkpoint_minutes, 0, 1e6,
                "interval between [checkpoints](reliability.md#checkpoints-of-iterations) of the iterations of a "
                "single map; 0: only when the run is stopped"),
      K::other("on_bad_map", "`stop`, `skip`, `{skip: {at_most: 1%}}`",
               "what to do with maps that cannot be used; `at_most`: percentage or number of maps",
               [](ExecutionSpec& execution, const YamlValue& value, const ParseContext&) {
                 read_bad_map_policy(value, execution);
               })
          .fallback("stop"),
      K::choice("on_nonfinite", &ExecutionSpec::on_nonfinite, {"error", "warn"},
                "what to do if an output [is not finite](job_reference.md#non-finite-values)")};
}

}  // namespace

InputSpec parse_input(const std::string& name, const YamlValue& value, const ParseContext& context) {
  InputKeys keys;
  parse_section(keys, value, context);
  return {
      .place = value.place(),
      .name = name,
      .sort = keys.sort(),
      .file = keys.file(),
      .fields = keys.fields,
      .bad_data = keys.bad_data == BadData::kError ? io::BadDataPolicy::kError : io::BadDataPolicy::kZero,
      .good_pixels = keys.good_pixels,
      .monopole = keys.monopole,
      .lmax = keys.lmax,
      .mmax = keys.mmax,
      .convention = keys.convention,
      .catalogue = {.columns = {.coordinates = keys.coordinates, .places = keys.columns, .values = keys.value_columns},
                    .coordsys = keys.coordsys,
                    .polcconv = keys.polcconv}};
}

OutputSpec parse_output(const std::string& name, const YamlValue& value, const ParseContext& context,
                        core::Precision precision) {
  OutputSpec output{.place = value.place(), .name = name, .file = {}, .precision = precision, .convention = {}};
  read_section(output, keys_of_output(), value, context);
  return output;
}

ExecutionSpec parse_execution(const YamlValue& value, const ParseContext& context) {
  ExecutionSpec execution;
  execution.place = value.place();
  read_section(execution, keys_of_execution(), value, context);
  return execution;
}

std::vector<Key> input_keys() { return described(InputKeys::keys()); }
std::vector<Key> output_keys() { return described(keys_of_output()); }
std::vector<Key> execution_keys() { return described(keys_of_execution()); }
std::vector<Key> convention_keys() { return described(keys_of_convention()); }

}  // namespace armilla::job
