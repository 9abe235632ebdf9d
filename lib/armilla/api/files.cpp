#include <armilla/api/access.hpp>
#include <armilla/api/files.hpp>
#include <armilla/comm/phase.hpp>
#include <armilla/io/component_spins.hpp>
#include <armilla/io/same_file.hpp>
#include <armilla/io/write.hpp>
#include <armilla/job/run/read_input.hpp>
#include <armilla/job/value/input_value.hpp>
#include <armilla/job/value/output_file.hpp>
#include <armilla/transform/file_fields.hpp>

#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla {

using api::Access;
using core::at;

namespace {

// An input of a job that is this file. `fields`: to read, by these names; without names, those of the file.
job::InputSpec input_of(job::ValueSort sort, const std::string& path, const FieldKind& fields = {},
                        const std::vector<std::string>& names = {}) {
  job::InputSpec input;
  input.place.path = "read";
  input.place.section = input.place.path.size();
  input.name = path;
  input.sort = sort;
  input.file = path;
  input.fields.names = names;
  input.fields.spins = fields.spins();
  return input;
}

// Collective. Opens a file, and returns the result of make(its description).
template <class Make>
auto with_description(const Communicator& comm, const job::InputSpec& input, Make make) {
  std::optional<std::invoke_result_t<Make, const job::Described&>> result;
  core::SeenFile file;
  comm::phase(comm, [&] {
    const std::shared_ptr<const job::Source> source = job::open_files(input, job::BadMapPolicy::kStop);
    file = source->seen().front().first;
    result.emplace(make(source->described()));
  });
  io::check_same_on_all_ranks(comm, {&file, 1});
  return *std::move(result);
}

FileInfo file_info(const job::Described& described) {
  io::FieldMetadata metadata = described.metadata;
  io::order_pairs(metadata);
  return {transform::kind_of_file(metadata.fields, metadata.spins), metadata.units, metadata.coordsys};
}

// A field of the caller as a value of a job.
template <class Field>
job::ValueInfo value_info(const std::string& path, const Field& field) {
  job::ValueInfo info;
  info.name = path;
  info.kind = field.kind();
  if constexpr (requires { field.distribution().grid(); }) {
    info.sort = job::ValueSort::kMap;
    info.pixels = field.shared_distribution();
  } else {
    info.sort = job::ValueSort::kAlm;
    info.alm = field.shared_distribution();
  }
  return info;
}

// Words keys of a job as arguments of read() (core::KeyWords).
std::string call_words(const std::string& section, const std::string& key, const std::string& value) {
  if (key == "bad_data" && value == "zero") return "BadPixels::kZero";
  if (key == "fields") return "the fields of the destination";
  return core::job_words(section, key, value);
}

// Returns the result of work(), with errors in the words of calls.
template <class Work>
auto in_call_words(Work&& work) {
  try {
    return work();
  } catch (const InputError& error) {
    if (!error.context()) throw;
    throw InputError(core::sentence(*error.context(), call_words));
  }
}

// Refuses a destination with a pair in the other order than Q, U.
void check_order(const std::string& path, const FieldKind& in_file, const FieldKind& wanted) {
  const std::vector<std::string>&own = in_file.map_names(), &names = wanted.map_names();
  for (const auto& part : wanted.spin_fields()) {
    const std::size_t first = at(part.first);
    if (part.components == 2 && own[first] == names[first + 1] && own[first + 1] == names[first])
      throw InputError(
          fmt::format("'{}' has the pair {}, {}, but the destination map has it as {}, {}: name its fields "
                      "in the order of the pair",
                      path, own[first], own[first + 1], names[first], names[first + 1]));
  }
}

// What read_field() has found.
struct Found {
  io::BadPixels bad;  // of all ranks; they are NaN
  std::vector<std::string> warnings;
};

// Collective. Reads the components of one map of a field.
template <class T, class Field>
Found read_field(const Communicator& comm, const job::InputSpec& input, std::shared_ptr<Field> field, Index map) {
  const job::ValueInfo info = value_info(input.file, *field);
  job::PlannedInput planned;
  in_call_words([&] {
    comm::phase(comm, [&] {
      api::check_place(field->kind(), field->maps(), 0, map);
      planned.source = job::open_files(input, job::BadMapPolicy::kStop);
      const job::Described& described = planned.source->described();
      if (described.grid && !described.grid->same_pixels(info.pixels->grid()))
        throw InputError(fmt::format("'{}' is on {}, but the destination map is on {}", input.file,
                                     described.grid->description().text(), info.pixels->grid().description().text()));
      job::InputValue value = job::input_value(input, described);
      check_order(input.file, value.kind, field->kind());
      planned.components = std::move(value.components);
    });
  });
  job::Value<T> target(std::move(field));
  core::PhaseTimers timers;
  return in_call_words([&] {
    job::InputReader<T> reader(comm, input, planned, info);
    const job::ReadMap found = reader.read_single(target, map, timers).front();
    const std::optional<std::string> warning = reader.settle(target, found, 0, map);
    return Found{found.bad, warning ? std::vector{*warning} : std::vector<std::string>()};
  });
}

// Collective.
template <class T, class Field>
void write_field(const std::string& path, const Field& field, const WriteOptions& options) {
  const Communicator& comm = Access::comm(field);
  api::check_alike(
      comm, "write",
      fmt::format("'{}', map = {}, coordsys '{}', units [{}], precision {}", path, options.map, options.coordsys,
                  fmt::join(options.units, ", "), options.precision ? static_cast<int>(*options.precision) : -1));
  api::fetch(field, options.map);
  job::ValueInfo info = value_info(path, Access::field(field));
  job::check_facts(path, options.units, options.coordsys, info.kind.components());
  for (const std::string& name : info.kind.map_names())
    if (name.empty() || name.find(',') != std::string::npos)
      throw InputError(
          fmt::format("'{}' cannot be a component name in a file: use a non-empty name without commas", name));
  info.units = options.units;
  info.units.resize(at(info.kind.components()));
  info.coordsys = options.coordsys;
  job::OutputSpec output;
  output.file = path;
  output.precision = options.precision.value_or(core::kPrecisionOf<T>);
  job::write_value<T>(comm, path, output, info,
                      job::Value<T>(std::shared_ptr<const std::remove_cvref_t<decltype(Access::field(field))>>(
                          Access::shared_field(field))),
                      options.map);
}

}  // namespace

MapFileInfo read_map_info(const Communicator& comm, const std::string& path) {
  return with_description(comm, input_of(job::ValueSort::kMap, path), [](const job::Described& described) {
    return MapFileInfo{file_info(described), *described.grid};
  });
}

AlmFileInfo read_alm_info(const Communicator& comm, const std::string& path) {
  return with_description(comm, input_of(job::ValueSort::kAlm, path), [](const job::Described& described) {
    return AlmFileInfo{file_info(described), AlmLayout(described.lmax, described.mmax)};
  });
}

template <class T>
std::vector<std::string> read(const std::string& path, Map<T>& field, BadPixels bad, Index map) {
  job::InputSpec input = input_of(job::ValueSort::kMap, path, field.fields(), field.fields().map_names());
  input.bad_data = bad == BadPixels::kZero ? io::BadDataPolicy::kZero : io::BadDataPolicy::kError;
  Found found = read_field<T>(Access::comm(field), input, Access::shared_field(field), map);
  if (found.bad.total() > 0) job::zero_bad_pixels(Access::field(field), map);
  return std::move(found.warnings);
}

template <class T>
std::vector<std::string> read(const std::string& path, Alm<T>& field, Index map) {
  job::InputSpec input = input_of(job::ValueSort::kAlm, path, field.fields(), field.fields().alm_names());
  input.lmax = field.layout().lmax();
  input.mmax = field.layout().mmax();
  return read_field<T>(Access::comm(field), input, Access::shared_field(field), map).warnings;
}

SpectraTable read_spectra(const Communicator& comm, const std::string& path, SpectraKind kind) {
  job::InputSpec input = input_of(job::ValueSort::kSpectra, path);
  input.spectrum_kind = kind == SpectraKind::kDl ? job::SpectrumKind::kDl : job::SpectrumKind::kCl;
  return with_description(comm, input, [](const job::Described& described) { return *described.table; });
}

template <class T>
void write(const std::string& path, const Map<T>& field, const WriteOptions& options) {
  write_field<T>(path, field, options);
}

template <class T>
void write(const std::string& path, const Alm<T>& field, const WriteOptions& options) {
  write_field<T>(path, field, options);
}

void write(const Communicator& comm, const std::string& path, const SpectraTable& spectra) {
  comm::phase(comm, [&] { spectra.check(); });
  io::write_spectra(comm, path, spectra);
}

template std::vector<std::string> read<float>(const std::string&, Map<float>&, BadPixels, Index);
template std::vector<std::string> read<double>(const std::string&, Map<double>&, BadPixels, Index);
template std::vector<std::string> read<float>(const std::string&, Alm<float>&, Index);
template std::vector<std::string> read<double>(const std::string&, Alm<double>&, Index);
template void write<float>(const std::string&, const Map<float>&, const WriteOptions&);
template void write<double>(const std::string&, const Map<double>&, const WriteOptions&);
template void write<float>(const std::string&, const Alm<float>&, const WriteOptions&);
template void write<double>(const std::string&, const Alm<double>&, const WriteOptions&);

}  // namespace armilla
