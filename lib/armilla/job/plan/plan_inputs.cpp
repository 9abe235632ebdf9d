#include <armilla/core/error.hpp>
#include <armilla/io/read.hpp>
#include <armilla/job/plan/column_names.hpp>
#include <armilla/job/plan/plan_builder.hpp>
#include <armilla/transform/file_fields.hpp>

#include <fmt/format.h>

namespace armilla::job {

namespace {

/// The components of a file, with `names` (or empty), that make a field of this kind.
std::vector<Index> choose_components(const InputSpec& input, const transform::FieldKind& kind, Index components,
                                     const std::vector<std::string>& names) {
  const bool by_number = input.fields.spin.has_value() || !input.catalogue.columns.values.empty();
  std::vector<Index> chosen = transform::choose_components(kind, components, names, by_number);
  if (static_cast<Index>(chosen.size()) != kind.components())
    throw core::InputError(
        fmt::format("{}: {} requests {} from {}, which has {}: set 'fields' to components of the file, or 'spin' for "
                    "two components",
                    input.place.where, input.place.path,
                    input.fields.spin ? fmt::format("spin {}", *input.fields.spin)
                                      : fmt::format("fields {}", fmt::join(input.fields.names, ", ")),
                    input.file,
                    names.empty() ? fmt::format("{} components without names", components)
                                  : fmt::format("{}", fmt::join(names, ", "))));
  return chosen;
}

/// The kind of a field that the job does not specify.
transform::FieldKind kind_of_file(const InputSpec& input, Index components, const io::FieldMetadata& metadata) {
  const std::vector<std::string>& names = metadata.fields;
  try {
    return transform::kind_of_file(components, names, metadata.spins);
  } catch (const core::InputError& error) {
    if (names.empty())
      throw core::InputError(
          fmt::format("{}: {}: {} has {} components without names: identify them with 'fields: [Q, U]' or 'spin: s'",
                      input.place.where, input.place.path, input.file, components));
    throw core::InputError(fmt::format("{}: {}: {} has the components {}: select some with 'fields' or 'spin' ({})",
                                       input.place.where, input.place.path, input.file, fmt::join(names, ", "),
                                       error.what()));
  }
}

std::string first_line(const io::MapInfo& info) {
  return fmt::format("map on {}, {} components, {} rows", info.grid->description().text(), info.components, info.rows);
}

std::string first_line(const io::AlmInfo& info) {
  return fmt::format("alm with lmax {}, mmax {}, {} components", info.lmax, info.mmax, info.components);
}

std::string first_line(const io::PointsInfo& info) {
  return fmt::format("catalogue of {} points, {} components", info.points, info.components);
}

/// Kind, components, units and coordinates from the header; shared by all fields.
template <class Info>
PlannedInput describe(const InputSpec& input, Info info, ValueInfo& value) {
  const io::FieldMetadata& metadata = info.metadata;
  // A single scalar keeps the name in its file.
  const bool lone_scalar = input.fields.spin == Index{0} && info.components == 1;
  value.kind = input.fields.given() && !lone_scalar
                   ? kind_of(resolve_columns(input.fields, metadata.fields), input.place)
                   : kind_of_file(input, info.components, metadata);
  PlannedInput planned;
  planned.components = choose_components(input, value.kind, info.components, metadata.fields);
  value.kind = named_for_results(value.kind);
  for (const Index component : planned.components) {
    const auto c = static_cast<std::size_t>(component);
    value.units.push_back(c < metadata.units.size() ? metadata.units[c] : std::string());
  }
  value.coordsys = metadata.coordsys;
  planned.info = std::move(info);
  return planned;
}

/// The limit from the job, which must not exceed that of the file.
Index cut(const InputSpec& input, const char* key, const std::optional<Index>& asked, Index in_file) {
  if (asked && *asked > in_file)
    refuse(input.place, key, fmt::format("{}", *asked),
           fmt::format("exceeds {} = {} of {}: lower it, or remove the key", key, in_file, input.file));
  return asked.value_or(in_file);
}

/// Combines the convention in the job with that in the file; if both specify it, they must agree.
void agree_on_convention(const InputSpec& input, io::AlmInfo& info) {
  const ConventionSpec& asked = input.convention;
  const auto agree = [&](const char* key, const auto& wanted, bool file_says, auto& convention, const auto& names) {
    if (!wanted) return;
    if (file_says && *wanted != convention)
      refuse(asked.place, key, names[static_cast<std::size_t>(*wanted)],
             fmt::format("contradicts {}, which specifies '{}': remove the key, or fix the file", input.file,
                         names[static_cast<std::size_t>(convention)]));
    convention = *wanted;
  };
  agree("norm", asked.norm, info.says_norm, info.convention.norm, alm::kNormNames);
  agree("phase", asked.phase, info.says_phase, info.convention.phase, alm::kPhaseNames);
  agree("basis", asked.basis, info.says_basis, info.convention.basis, alm::kBasisNames);
}

/// Combines the catalogue description in the job with that in the file; if both specify it, they must agree.
void agree_on_signs(const InputSpec& input, io::PointsInfo& info) {
  const auto agree = [&](const char* key, const std::string& wanted, std::string& in_file) {
    if (wanted.empty()) return;
    if (!in_file.empty() && wanted != in_file)
      refuse(input.place, key, wanted,
             fmt::format("contradicts {}, which specifies '{}': remove the key, or fix the file", input.file, in_file));
    in_file = wanted;
  };
  agree("coordsys", input.catalogue.coordsys, info.metadata.coordsys);
  agree("polcconv", input.catalogue.polcconv, info.metadata.polcconv);
}

/// The mask derived from the bad pixels of an input.
ValueInfo mask_of_good_pixels(const InputSpec& input, const ValueInfo& map) {
  ValueInfo mask;
  mask.name = input.good_pixels;
  mask.kind = transform::FieldKind::scalar("MASK");
  mask.pixels = map.pixels;
  mask.units = {""};
  mask.coordsys = map.coordsys;
  mask.per_item = map.per_item;
  return mask;
}

}  // namespace

void check_convention(const alm::Convention& convention, const ValueInfo& value) {
  if (convention.norm != alm::Norm::kUnnormalised) return;
  if (value.kind.max_spin() > 0)
    throw core::InputError(fmt::format("'{}' has components of spin {}, for which there is no unnormalised convention",
                                       value.name, value.kind.max_spin()));
  if (value.alm->layout().lmax() > alm::kUnnormalisedLmax)
    throw core::InputError(
        fmt::format("unnormalised coefficients with lmax = {} exceed the range of double precision, which suffices up "
                    "to lmax = {}: use another norm",
                    value.alm->layout().lmax(), alm::kUnnormalisedLmax));
}

transform::FieldKind kind_of(const FieldsSpec& fields, const Place& place) {
  try {
    if (fields.spin) return transform::FieldKind::spin(*fields.spin);
    return transform::FieldKind::from_names(fields.names, fields.spins);
  } catch (const core::InputError& error) {
    throw core::InputError(fmt::format("{}: {}: {}", place.where, place.path, error.what()));
  }
}

PlannedInput PlanBuilder::open(const InputSpec& input, ValueInfo& value) {
  value.per_item = !input.items.empty();
  if (input.items.files.empty()) return open_file(input, input.file, value);
  const ValueInfo untouched = value;
  const std::vector<std::string>& files = input.items.files;
  std::string first_error;
  for (const std::string& file : files) {
    try {
      return open_file(input, file, value);
    } catch (const core::InputError& error) {
      if (plan_.spec.execution.on_bad_map == BadMapPolicy::kStop) throw;
      if (first_error.empty()) first_error = error.what();
      value = untouched;
    }
  }
  throw core::InputError(fmt::format("{}: {}: none of the {} files can be used; error of the first: {}",
                                     input.place.where, input.place.path, files.size(), first_error));
}

PlannedInput PlanBuilder::open_file(const InputSpec& input, const std::string& file, ValueInfo& value) {
  const io::BatchPolicy policy = input.items.files.empty() ? io::BatchPolicy::kTake : io::BatchPolicy::kRefuse;
  try {
    if (has_points(input.sort)) return open_catalogue(input, file, value);
    if (input.sort == ValueSort::kMap) {
      io::MapInfo info = io::open_map(file, policy);
      note({file, info.seen}, first_line(info));
      value.pixels = pixels(info.grid);
      return describe(input, std::move(info), value);
    }
    io::AlmInfo info = io::open_alm(file, policy);
    agree_on_convention(input, info);
    note({file, info.seen}, first_line(info));
    const Index lmax = cut(input, "lmax", input.lmax, info.lmax);
    value.alm =
        alm(lmax, input.mmax ? cut(input, "mmax", input.mmax, std::min(lmax, info.mmax)) : std::min(lmax, info.mmax));
    const alm::Convention convention = info.convention;
    PlannedInput planned = describe(input, std::move(info), value);
    check_convention(convention, value);
    return planned;
  } catch (const core::InputError& error) {
    const std::string what = error.what();
    if (what.starts_with(input.place.where)) throw;
    throw core::InputError(fmt::format("{}: {}: {}", input.place.where, input.place.path, what));
  }
}

PlannedInput PlanBuilder::open_catalogue(const InputSpec& input, const std::string& file, ValueInfo& value) {
  io::PointsInfo info = io::open_points(file, input.catalogue.columns);
  agree_on_signs(input, info);
  note({file, info.seen}, first_line(info));
  value.catalogue = std::make_shared<const Catalogue>(Catalogue{file, info.points});
  if (input.sort == ValueSort::kPoints) {
    value.coordsys = info.metadata.coordsys;
    PlannedInput planned;
    planned.info = std::move(info);
    return planned;
  }
  if (info.components == 0)
    throw core::InputError(fmt::format("{} has points but no values: use it as an input 'points'", file));
  return describe(input, std::move(info), value);
}

void PlanBuilder::inputs() {
  for (const auto& input : plan_.spec.inputs) {
    ValueInfo value;
    value.name = input.name;
    value.sort = input.sort;
    PlannedInput planned = open(input, value);
    ValueInfo good = mask_of_good_pixels(input, value);
    planned.value = add(input.place, std::move(value));
    if (!input.good_pixels.empty()) planned.good_pixels = add(input.place, std::move(good));
    plan_.inputs.push_back(std::move(planned));
  }
}

}  // namespace armilla::job
