#include <armilla/core/error.hpp>
#include <armilla/io/field_names.hpp>
#include <armilla/job/parse/convention_key.hpp>
#include <armilla/job/parse/sections.hpp>
#include <armilla/job/parse/spectrum_kind.hpp>
#include <armilla/job/parse/stated_keys.hpp>

#include <array>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::job {

namespace {

/// The section `expect` of an input.
struct ExpectedInput : ExpectSpec {
  static Keys<ExpectedInput> keys() {
    using K = KeyMakers<ExpectedInput>;
    const auto of = [](auto member) { return member; };
    return {
        K::grid("grid", of(static_cast<std::optional<GridSpec> ExpectedInput::*>(&ExpectSpec::grid)), "maps: the grid"),
        K::whole("lmax", of(static_cast<std::optional<Index> ExpectedInput::*>(&ExpectSpec::lmax)), 0, kLargestDegree,
                 "alm and spectra: the largest degree"),
        K::whole("mmax", of(static_cast<std::optional<Index> ExpectedInput::*>(&ExpectSpec::mmax)), 0, kLargestDegree,
                 "alm: the largest order")
            .fallback("lmax"),
        K::whole("points", of(static_cast<std::optional<Index> ExpectedInput::*>(&ExpectSpec::points)), 1,
                 Index{1} << 50, "points and values: their number"),
        K::whole("maps", of(static_cast<std::optional<Index> ExpectedInput::*>(&ExpectSpec::maps)), 1, 10'000'000,
                 "number of maps of a batch axis")
            .fallback("a single map"),
        K::fields(of(static_cast<FieldsSpec ExpectedInput::*>(&ExpectSpec::fields)), "the components of the file")
            .fallback("T"),
        K::texts("columns", of(static_cast<std::vector<std::string> ExpectedInput::*>(&ExpectSpec::columns)),
                 "spectra: the names of the columns, such as [TT, EE, BB, TE]"),
        K::texts("units", of(static_cast<std::vector<std::string> ExpectedInput::*>(&ExpectSpec::units)),
                 "the units of the components, or the unit of spectra")
            .fallback("none"),
        K::choice("coordsys", of(static_cast<std::string ExpectedInput::*>(&ExpectSpec::coordsys)), {"G", "E", "C"},
                  "galactic, ecliptic or equatorial coordinates")
            .fallback("none")};
  }

  /// Throws InputError if it does not describe a value of this sort.
  void check(ValueSort sort, const YamlValue& value) const {
    const bool has_lmax = sort == ValueSort::kAlm || sort == ValueSort::kSpectra;
    if (sort == ValueSort::kTable) value.complain("cannot describe a table: write the file");
    if (sort == ValueSort::kMap && !grid) value.complain("lacks the key 'grid': name the grid of the map");
    if (has_lmax && !lmax) value.complain("lacks the key 'lmax'");
    if (sort == ValueSort::kSpectra && columns.empty()) value.complain("lacks the key 'columns': name the spectra");
    if (has_points(sort) && !points) value.complain("lacks the key 'points': give their number");
    const auto refuse = [&](const char* key, bool applies) {
      if (const auto given = value.find(key); given && !applies)
        given->fail(fmt::format("does not apply to {}: remove it", sort_name(sort)));
    };
    refuse("grid", sort == ValueSort::kMap);
    refuse("lmax", has_lmax);
    refuse("mmax", sort == ValueSort::kAlm);
    refuse("points", has_points(sort));
    refuse("columns", sort == ValueSort::kSpectra);
    refuse("fields", sort != ValueSort::kSpectra && sort != ValueSort::kPoints);
    refuse("maps", sort == ValueSort::kMap || sort == ValueSort::kAlm);
    if (lmax && mmax && *mmax > *lmax) check_mmax(value.at("mmax"), {*lmax, *mmax});
  }
};

enum class BadData { kError, kZero, kMask, kKeep };

io::BadDataPolicy policy_of(BadData bad_data) {
  if (bad_data == BadData::kKeep) return io::BadDataPolicy::kKeep;
  return bad_data == BadData::kError ? io::BadDataPolicy::kError : io::BadDataPolicy::kZero;
}

const char* const kOneSource = "exactly one of `map`, `alm`, `points`, `values`, `spectra` and `table` is required";

/// The keys of an input before their combination is checked.
struct InputKeys {
  std::optional<ValueSort> given = {};  // of a value of the caller, for which the file may be absent
  std::optional<FileSpec> map, alm, points, values, spectra, table;
  std::optional<ExpectedInput> expect;
  std::optional<SpectrumKind> spectrum_kind;
  BadData bad_data = BadData::kError;
  std::string good_pixels;
  Monopole monopole = Monopole::kKeep;
  RepeatedLongitude repeated_longitude = RepeatedLongitude::kError;
  FieldsSpec fields;
  std::optional<Index> lmax, mmax;
  ConventionSpec convention;
  std::optional<io::PointCoordinates> coordinates;
  std::vector<std::string> columns, value_columns;
  io::StatedHeader header;
  std::optional<io::Stated<std::vector<std::string>>> units;

  static Keys<InputKeys> keys() {
    using K = KeyMakers<InputKeys>;
    return {
        K::files("map", &InputKeys::map,
                 "a map, FITS or HDF5, or a pattern of [many maps](job_reference.md#many-maps); a list: files of its "
                 "components")
            .requirement(kOneSource),
        K::files("alm", &InputKeys::alm, "coefficients, FITS or HDF5, or a pattern; a list: files of their components")
            .requirement(kOneSource),
        K::file("points", &InputKeys::points,
                "the positions of a [catalogue](points.md#catalogues), HDF5, FITS or text")
            .requirement(kOneSource),
        K::file("values", &InputKeys::values, "a catalogue with values at its points, or a pattern")
            .requirement(kOneSource),
        K::file("spectra", &InputKeys::spectra, "spectra or other functions of l, or a pattern")
            .requirement(kOneSource),
        K::file("table", &InputKeys::table, "a table of a [kernel](radial_kernels.md#kernels)").requirement(kOneSource),
        spectrum_kind_key(&InputKeys::spectrum_kind),
        K::section("expect", &InputKeys::expect,
                   "[description](planning.md#inputs-that-do-not-exist-yet) of a file that does not exist yet, for "
                   "`armilla plan` and `--dry-run`"),
        K::fields(&InputKeys::fields,
                  "which components: `[T]`, `[Q, U]`, `[T, Q, U]` of a map or of values; `[T]`, `[E, B]`, `[T, "
                  "E, B]` of alm")
            .fallback("those of the file"),
        K::spin(&InputKeys::fields),
        K::other("hdu", "integer or name",
                 "maps and alm in FITS: the [extension](file_formats.md#fits) to be read, by its number (0 is the "
                 "primary HDU) or its EXTNAME",
                 [](InputKeys& keys, const YamlValue& value, const ParseContext&) { keys.header.hdu = value.text(); })
            .fallback("chosen by content"),
        K::choice("bad_data", &InputKeys::bad_data, {"error", "zero", "mask", "keep"},
                  "maps: treatment of [bad pixels](job_reference.md#bad-pixels)"),
        K::text("good_pixels", &InputKeys::good_pixels,
                "with `bad_data: mask`: the name of the resulting [mask](cut_sky.md), which is 1 where all components "
                "are finite"),
        K::flag("remove_monopole", &InputKeys::monopole,
                "maps: subtract the mean over the good pixels from the scalar component"),
        K::choice("repeated_longitude", &InputKeys::repeated_longitude, {"error", "drop", "keep"},
                  "maps: treatment of a last longitude that repeats the first; `drop` reads the grid without it"),
        K::whole("lmax", &InputKeys::lmax, 0, kLargestDegree, "alm: read up to this degree only"),
        K::whole("mmax", &InputKeys::mmax, 0, kLargestDegree, "alm: read up to this order only"),
        convention_key(&InputKeys::convention, "alm: convention, if the file does not specify it"),
        K::choice("coordinates", &InputKeys::coordinates, {"theta_phi", "ra_dec", "lon_lat"},
                  "points and values: the two coordinates of a point, [rad] or [degrees]")
            .fallback("determined by the column names"),
        K::texts("columns", &InputKeys::columns,
                 "maps: the columns of the components, in order, to which `fields` gives names; points and values: the "
                 "two coordinate columns or datasets; spectra: all columns in order, such as `[L, TT, EE]`")
            .fallback("the usual names, or those in the file"),
        K::texts("value_columns", &InputKeys::value_columns,
                 "values in FITS and text files: the columns of the components, in order")
            .fallback("columns named like the fields"),
        stated_key("coordsys", "one of `G`, `E`, `C`", &io::StatedHeader::coordsys, stated_coordsys,
                   "maps, points and values: galactic, ecliptic or equatorial coordinates"),
        stated_key("polcconv", "one of `COSMO`, `IAU`", &io::StatedHeader::polcconv, stated_polcconv,
                   "maps and values: the [sign of U](file_formats.md#spins-and-polarisation)")
            .fallback("that of the file, or COSMO"),
        stated_key("ordering", "one of `ring`, `nested`", &io::StatedHeader::ordering, stated_ordering,
                   "maps: the order of HEALPix pixels in the file"),
        stated_key("nside", "integer", &io::StatedHeader::nside, stated_nside,
                   "maps: the resolution of a HEALPix file"),
        stated_key("bad_value", "number", &io::StatedHeader::bad_value, stated_bad_value,
                   "maps: the value of pixels without data, in addition to -1.6375e30"),
        K::other("units", "unit or list of units" + std::string(kForcedForm),
                 "maps and values: the units of the components, or one for all",
                 [](InputKeys& keys, const YamlValue& value, const ParseContext&) { keys.units = stated_units(value); })
            .fallback("those of the file"),
    };
  }

  /// A key whose value read(value) is stated about the file.
  template <class T>
  static KeyOf<InputKeys> stated_key(std::string name, std::string form,
                                     std::optional<io::Stated<T>> io::StatedHeader::*member,
                                     io::Stated<T> (*read)(const YamlValue&), std::string help) {
    return KeyMakers<InputKeys>::other(std::move(name), std::move(form) + std::string(kForcedForm), std::move(help),
                                       [member, read](InputKeys& keys, const YamlValue& value, const ParseContext&) {
                                         keys.header.*member = read(value);
                                       })
        .fallback("that of the file");
  }

  ValueSort sort() const {
    for (const auto& [sort, file] : files())
      if (*file) return sort;
    return *given;
  }
  /// Empty for a value of the caller.
  std::string file() const {
    for (const auto& [sort, file] : files())
      if (*file && !given) return (*file)->path;
    return {};
  }
  std::vector<std::string> more_files() const {
    for (const auto& [sort, file] : files())
      if (*file && !given) return (*file)->more;
    return {};
  }
  std::array<std::pair<ValueSort, const std::optional<FileSpec>*>, 6> files() const {
    return {{{ValueSort::kMap, &map},
             {ValueSort::kAlm, &alm},
             {ValueSort::kPoints, &points},
             {ValueSort::kValues, &values},
             {ValueSort::kSpectra, &spectra},
             {ValueSort::kTable, &table}}};
  }

  void finish(const YamlValue& value) const {
    std::vector<std::string> given_files;
    for (const auto& [sort, file] : files())
      if (*file) given_files.push_back(fmt::format("'{}'", sort_name(sort)));
    if (given_files.size() > 1)
      value.complain(fmt::format("has the keys {}, but an input is one file or one pattern: keep only one of them",
                                 fmt::join(given_files, " and ")));
    if (given_files.empty() && !given)
      value.complain("needs one of the keys 'map', 'alm', 'points', 'values', 'spectra' and 'table' with a path");
    const auto refuse = [&](const char* key, const std::string& why) {
      if (const auto present = value.find(key)) present->fail(why);
    };
    if (given && *given != sort())
      value.complain(
          fmt::format("is {}, but {} was given", with_article(sort_name(sort())), with_article(sort_name(*given))));
    const auto is = [this](ValueSort one) { return sort() == one; };
    const bool catalogued = has_points(sort());
    const bool is_table = is(ValueSort::kSpectra) || is(ValueSort::kTable);
    for (const char* key : {"bad_data", "remove_monopole", "repeated_longitude"})
      if (!is(ValueSort::kMap)) refuse(key, "applies to maps only: remove it");
    if (!is(ValueSort::kMap) && !is(ValueSort::kAlm)) refuse("hdu", "applies to maps and alm only: remove it");
    if (!is(ValueSort::kAlm)) refuse("convention", "applies to alm only: remove it");
    for (const char* key : {"lmax", "mmax"}) {
      if (is(ValueSort::kMap)) refuse(key, "applies to alm files only: for a map, set it in the step analysis");
      if (is_table) refuse(key, "applies to alm files only: remove it");
      if (catalogued) refuse(key, "applies to alm files only: for values, set it in the step adjoint_synthesis_at");
    }
    if (!catalogued) refuse("coordinates", "applies to points and values only: remove it");
    if (!is(ValueSort::kValues)) refuse("value_columns", "applies to values only: remove it");
    if (!catalogued && !is(ValueSort::kMap)) refuse("coordsys", "applies to maps, points and values only: remove it");
    if (!catalogued && !is(ValueSort::kMap) && !is(ValueSort::kSpectra))
      refuse("columns", "applies to maps, points, values and spectra only: remove it");
    for (const char* key : {"polcconv", "units"})
      if (!is(ValueSort::kValues) && !is(ValueSort::kMap)) refuse(key, "applies to maps and values only: remove it");
    for (const char* key : {"ordering", "nside", "bad_value"})
      if (!is(ValueSort::kMap)) refuse(key, "applies to maps only: remove it");
    if (catalogued && !columns.empty() && columns.size() != 2)
      refuse("columns", "does not name two columns: expected two names such as [RA, DEC]");
    for (const char* key : {"fields", "spin"}) {
      if (is(ValueSort::kPoints))
        refuse(key, "does not apply to points, which have no values: remove it, or read the file as values");
      if (is_table) refuse(key, "does not apply to spectra and tables, whose columns have names: remove it");
    }
    if (!is(ValueSort::kSpectra)) refuse("spectrum_kind", "applies to spectra only: remove it");
    for (const char* key : {"spectrum_kind", "convention", "polcconv", "coordinates", "columns", "value_columns",
                            "coordsys", "ordering", "nside", "bad_value", "units", "expect", "hdu"})
      if (given) refuse(key, "describes a file, but a value was given: remove it");
    if (given && repeated_longitude == RepeatedLongitude::kDrop)
      refuse("repeated_longitude", "is drop, but a value was given: remove the last longitude from it, or set keep");
    if (spectra && !given) check_spectrum_kind(value, spectra->path, spectrum_kind);
    if (expect) expect->check(sort(), value.at("expect"));
    if (bad_data == BadData::kMask && good_pixels.empty())
      refuse("bad_data", "needs a name for the mask of good pixels: set " + core::mention({}, "good_pixels", "NAME"));
    if (bad_data != BadData::kMask)
      refuse("good_pixels",
             fmt::format("requires {}, which creates this mask: set both", core::mention({}, "bad_data", "mask")));
    if (lmax && mmax && *mmax > *lmax) check_mmax(value.at("mmax"), {*lmax, *mmax});
  }
};

}  // namespace

InputSpec parse_input(const std::string& name, const YamlValue& value, const ParseContext& context) {
  InputKeys keys;
  if (const auto given = context.given.find(name); given != context.given.end()) keys.given = given->second;
  parse_section(keys, value, context);
  return {.place = value.place(),
          .name = name,
          .sort = keys.sort(),
          .file = keys.file(),
          .more_files = keys.more_files(),
          .fields = keys.fields,
          .bad_data = policy_of(keys.bad_data),
          .good_pixels = keys.good_pixels,
          .monopole = keys.monopole,
          .repeated_longitude = keys.repeated_longitude,
          .lmax = keys.lmax,
          .mmax = keys.mmax,
          .convention = keys.convention,
          .places = {.coordinates = keys.coordinates,
                     .places = has_points(keys.sort()) ? keys.columns : std::vector<std::string>(),
                     .values = keys.value_columns},
          .header = keys.header,
          .columns = has_points(keys.sort()) ? std::vector<std::string>() : keys.columns,
          .units = keys.units,
          .spectrum_kind = keys.spectrum_kind,
          .expect = keys.expect ? std::optional<ExpectSpec>(*keys.expect) : std::nullopt};
}

std::vector<Key> input_keys() { return described(InputKeys::keys()); }

}  // namespace armilla::job
