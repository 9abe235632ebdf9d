#include <armilla/api/access.hpp>
#include <armilla/api/files.hpp>
#include <armilla/comm/phase.hpp>
#include <armilla/io/read.hpp>
#include <armilla/io/same_file.hpp>
#include <armilla/io/write.hpp>
#include <armilla/transform/file_fields.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla {

using api::Access;
using core::at;

namespace {

FieldKind fields_of(const std::string& path, Index components, const io::FieldMetadata& metadata) {
  try {
    return transform::kind_of_file(components, metadata.fields, metadata.spins);
  } catch (const InputError& error) {
    throw InputError(fmt::format("'{}' has {} components [{}], which do not form valid fields: {}", path, components,
                                 fmt::join(metadata.fields, ", "), error.what()));
  }
}

template <class Info>
FileInfo file_info(const Info& info) {
  return {fields_of(info.path, info.components, info.metadata), info.metadata.units, info.metadata.coordsys};
}

// Indices of the components of the file that belong to the field.
template <class Info>
std::vector<Index> components_of(const Info& info, const FieldKind& fields) {
  std::vector<Index> chosen = transform::choose_components(fields, info.components, info.metadata.fields);
  if (static_cast<Index>(chosen.size()) != fields.components())
    throw InputError(fmt::format("'{}' has {} components [{}], which do not include all of [{}]", info.path,
                                 info.components, fmt::join(info.metadata.fields, ", "),
                                 fmt::join(fields.map_names(), ", ")));
  return chosen;
}

io::FieldMetadata metadata_of(const FieldKind& fields, const std::vector<std::string>& names,
                              const WriteOptions& options) {
  if (!options.units.empty() && options.units.size() != names.size())
    throw InputError(fmt::format("{} units for {} components: specify one per component, or none", options.units.size(),
                                 names.size()));
  for (const std::string& name : names)
    if (name.empty() || name.find(',') != std::string::npos)
      throw InputError(
          fmt::format("'{}' cannot be a component name in a file: use a non-empty name without commas", name));
  if (!options.coordsys.empty() && options.coordsys != "G" && options.coordsys != "E" && options.coordsys != "C")
    throw InputError(
        fmt::format("coordsys = '{}' is not 'G', 'E' or 'C': use one of these, or leave it empty", options.coordsys));
  io::FieldMetadata metadata{names, options.units, options.coordsys, {}, fields.spins()};
  metadata.units.resize(names.size());
  if (fields.max_spin() > 0) metadata.polcconv = "COSMO";
  return metadata;
}

// Collective. Checks the arguments of write() and returns the local values of one map of a field.
template <class Field>
auto numbers_of(const std::string& path, const Field& field, const WriteOptions& options) {
  api::check_alike(
      Access::comm(field), "write",
      fmt::format("'{}', map = {}, coordsys '{}', units [{}], precision {}", path, options.map, options.coordsys,
                  fmt::join(options.units, ", "), options.precision ? static_cast<int>(*options.precision) : -1));
  api::fetch(field, options.map);
  const Index map = options.map;
  const std::size_t size = field.data().size() / at(field.maps());
  return field.data().subspan(at(map) * size, size);
}

template <class T>
io::WriteOptions internal_options(const WriteOptions& options) {
  return {.precision = options.precision.value_or(core::kPrecisionOf<T>)};
}

}  // namespace

MapFileInfo read_map_info(const Communicator& comm, const std::string& path) {
  std::optional<MapFileInfo> result;
  core::SeenFile file{path, {}};
  comm::phase(comm, [&] {
    const io::MapInfo info = io::open_map(path);
    file.state = info.seen;
    result.emplace(MapFileInfo{file_info(info), *info.grid});
  });
  io::check_same_on_all_ranks(comm, {&file, 1});
  return *std::move(result);
}

AlmFileInfo read_alm_info(const Communicator& comm, const std::string& path) {
  AlmFileInfo result;
  core::SeenFile file{path, {}};
  comm::phase(comm, [&] {
    const io::AlmInfo info = io::open_alm(path);
    file.state = info.seen;
    result = {file_info(info), AlmLayout(info.lmax, info.mmax)};
  });
  io::check_same_on_all_ranks(comm, {&file, 1});
  return result;
}

template <class T>
void read(const std::string& path, Map<T>& field, BadPixels bad, Index map) {
  core::SeenFile file{path, {}};
  comm::phase(Access::comm(field), [&] {
    api::check_place(field.fields(), field.maps(), 0, map);
    const io::MapInfo info = io::open_map(path);
    file.state = info.seen;
    if (!info.grid->same_pixels(field.grid()))
      throw InputError(fmt::format("'{}' is on {}, but the destination map is on {}", path,
                                   info.grid->description().text(), field.grid().description().text()));
    const std::vector<Index> chosen = components_of(info, field.fields());
    const auto ranges = field.distribution().pixel_ranges(field.rank());
    const auto policy = bad == BadPixels::kZero ? io::BadDataPolicy::kZero : io::BadDataPolicy::kError;
    for (Index c = 0; c < field.fields().components(); ++c)
      io::read_map<T>(info, chosen[at(c)], ranges, Access::field(field).component(map, c), policy);
  });
  io::check_same_on_all_ranks(Access::comm(field), {&file, 1});
}

template <class T>
void read(const std::string& path, Alm<T>& field, Index map) {
  core::SeenFile file{path, {}};
  comm::phase(Access::comm(field), [&] {
    api::check_place(field.fields(), field.maps(), 0, map);
    const io::AlmInfo info = io::open_alm(path);
    file.state = info.seen;
    const std::vector<Index> chosen = components_of(info, field.fields());
    for (Index c = 0; c < field.fields().components(); ++c)
      io::read_alm<T>(info, chosen[at(c)], field.distribution(), field.rank(), Access::field(field).component(map, c));
  });
  io::check_same_on_all_ranks(Access::comm(field), {&file, 1});
}

SpectraTable read_spectra(const Communicator& comm, const std::string& path, SpectraKind kind) {
  SpectraTable spectra;
  core::SeenFile file{path, {}};
  comm::phase(comm, [&] {
    file.state = core::state_of(path);
    spectra = io::read_spectra(path, kind == SpectraKind::kDl);
    core::check_unchanged(path, file.state);
  });
  io::check_same_on_all_ranks(comm, {&file, 1});
  return spectra;
}

template <class T>
void write(const std::string& path, const Map<T>& field, const WriteOptions& options) {
  const auto numbers = numbers_of(path, field, options);
  io::write_map<T>(Access::comm(field), path, metadata_of(field.fields(), field.fields().map_names(), options),
                   field.distribution(), numbers, internal_options<T>(options));
}

template <class T>
void write(const std::string& path, const Alm<T>& field, const WriteOptions& options) {
  const auto numbers = numbers_of(path, field, options);
  io::write_alm<T>(Access::comm(field), path, metadata_of(field.fields(), field.fields().alm_names(), options),
                   field.distribution(), numbers, internal_options<T>(options));
}

void write(const Communicator& comm, const std::string& path, const SpectraTable& spectra) {
  comm::phase(comm, [&] { spectra.check(); });
  io::write_spectra(comm, path, spectra);
}

template void read<float>(const std::string&, Map<float>&, BadPixels, Index);
template void read<double>(const std::string&, Map<double>&, BadPixels, Index);
template void read<float>(const std::string&, Alm<float>&, Index);
template void read<double>(const std::string&, Alm<double>&, Index);
template void write<float>(const std::string&, const Map<float>&, const WriteOptions&);
template void write<double>(const std::string&, const Map<double>&, const WriteOptions&);
template void write<float>(const std::string&, const Alm<float>&, const WriteOptions&);
template void write<double>(const std::string&, const Alm<double>&, const WriteOptions&);

}  // namespace armilla
