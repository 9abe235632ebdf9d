#include <armilla/capi/objects.hpp>

#include <complex>
#include <map>

using namespace armilla;
using namespace armilla::capi;

namespace {

struct JobObject {
  static constexpr const char* kName = "job";
  Communicator comm;
  Job job;
};

struct SpectraOfResult {
  std::string names;
  Index lmax;
  std::vector<double> values;  // [map][name][l]
};

/// Values that have been asked for are taken out of the result, and kept here.
struct ResultObject {
  static constexpr const char* kName = "result";
  using Field = std::variant<Map<double>, Map<float>, Alm<double>, Alm<float>, PointValues<double>, PointValues<float>>;

  JobResult result;
  std::map<std::string, Field> fields = {};
  std::map<std::string, SpectraOfResult> spectra = {};
  std::optional<std::string> report = {};
};

template <class Field>
int input(armilla_job job, const char* name, const Field& field) {
  return guarded([&] {
    const auto used = Handles::all().use<JobObject>(job.id);
    used->job.input(text(name, "name"), field());
  });
}

/// `take(result, name)` takes a field out of the result.
template <class Field, class Value, class Take>
int field_of(armilla_result result, const char* name, const Value** to, int64_t* size, int64_t* components,
             int64_t* maps, const Take& take) {
  return guarded([&] {
    const auto used = Handles::all().use<ResultObject>(result.id);
    const std::string key = text(name, "name");
    if (!used->fields.contains(key)) used->fields.emplace(key, take(used->result, key));
    const auto* field = std::get_if<Field>(&used->fields.at(key));
    if (field == nullptr)
      throw InputError(fmt::format("'{}' is a value of another type or precision: call the function for that", key));
    const std::span<const Value> all = field->data();
    at_pointer(to, "values") = all.data();
    at_pointer(size, "size") = static_cast<Index>(all.size());
    if (components != nullptr) *components = field->fields().components();
    if (maps != nullptr) *maps = field->maps();
  });
}

SpectraOfResult joined(const std::vector<SpectraTable>& tables) {
  SpectraOfResult all{{}, tables.front().lmax, {}};
  for (const std::string& name : tables.front().names) all.names += (all.names.empty() ? "" : ",") + name;
  for (const SpectraTable& table : tables)
    for (const std::vector<double>& column : table.columns)
      all.values.insert(all.values.end(), column.begin(), column.end());
  return all;
}

}  // namespace

extern "C" {

int armilla_job_create(armilla_session session, const char* yaml, armilla_job* job) {
  return create<JobObject>(job, [&] {
    const auto used = Handles::all().use<SessionObject>(session.id);
    std::string job_text;
    comm::phase(used->comm, [&] { job_text = text(yaml, "yaml"); });
    return JobObject{used->comm, Job(used->comm, job_text)};
  });
}

int armilla_job_input_map(armilla_job job, const char* name, armilla_transform transform, const double* map,
                          int64_t map_size) {
  return input(job, name, [&] { return UsedTransform<double>(transform).map(map, map_size); });
}
int armilla_job_input_map_float(armilla_job job, const char* name, armilla_transform transform, const float* map,
                                int64_t map_size) {
  return input(job, name, [&] { return UsedTransform<float>(transform).map(map, map_size); });
}
int armilla_job_input_alm(armilla_job job, const char* name, armilla_transform transform,
                          const std::complex<double>* alm, int64_t alm_size) {
  return input(job, name, [&] { return UsedTransform<double>(transform).alm(alm, alm_size); });
}
int armilla_job_input_alm_float(armilla_job job, const char* name, armilla_transform transform,
                                const std::complex<float>* alm, int64_t alm_size) {
  return input(job, name, [&] { return UsedTransform<float>(transform).alm(alm, alm_size); });
}

int armilla_job_input_spectra(armilla_job job, const char* name, const char* names, int64_t lmax, const double* values,
                              int64_t size) {
  return input(job, name, [&] {
    SpectraTable table{lmax, names_of(text(names, "names")), {}, ""};
    const std::span<const double> all = capi::values(values, size, "values");
    const auto length = static_cast<Index>(table.names.size()) * (lmax + 1);
    if (lmax < 0 || size != length)
      throw InputError(
          fmt::format("size = {}: {} spectra up to lmax = {} have {} values", size, table.names.size(), lmax, length));
    for (std::size_t i = 0; i < table.names.size(); ++i) {
      const auto column = all.subspan(i * core::at(lmax + 1), core::at(lmax + 1));
      table.columns.emplace_back(column.begin(), column.end());
    }
    return table;
  });
}

int armilla_job_keep(armilla_job job, const char* name) {
  return guarded([&] { Handles::all().use<JobObject>(job.id)->job.keep(text(name, "name")); });
}

int armilla_job_run(armilla_job job, armilla_result* result) {
  return create<ResultObject>(result, [&] {
    const auto used = Handles::all().use<JobObject>(job.id);
    return ResultObject{used->job.run()};
  });
}

int armilla_job_free(armilla_job* job) { return destroy<JobObject>(job); }

int armilla_result_map(armilla_result result, const char* name, const double** values, int64_t* size,
                       int64_t* components, int64_t* maps) {
  return field_of<Map<double>>(result, name, values, size, components, maps,
                               [](JobResult& all, const std::string& key) { return all.take_map<double>(key); });
}
int armilla_result_map_float(armilla_result result, const char* name, const float** values, int64_t* size,
                             int64_t* components, int64_t* maps) {
  return field_of<Map<float>>(result, name, values, size, components, maps,
                              [](JobResult& all, const std::string& key) { return all.take_map<float>(key); });
}
int armilla_result_alm(armilla_result result, const char* name, const std::complex<double>** values, int64_t* size,
                       int64_t* components, int64_t* maps) {
  return field_of<Alm<double>>(result, name, values, size, components, maps,
                               [](JobResult& all, const std::string& key) { return all.take_alm<double>(key); });
}
int armilla_result_alm_float(armilla_result result, const char* name, const std::complex<float>** values, int64_t* size,
                             int64_t* components, int64_t* maps) {
  return field_of<Alm<float>>(result, name, values, size, components, maps,
                              [](JobResult& all, const std::string& key) { return all.take_alm<float>(key); });
}
int armilla_result_points(armilla_result result, const char* name, const double** values, int64_t* size,
                          int64_t* components, int64_t* maps) {
  return field_of<PointValues<double>>(
      result, name, values, size, components, maps,
      [](JobResult& all, const std::string& key) { return all.take_values<double>(key); });
}
int armilla_result_points_float(armilla_result result, const char* name, const float** values, int64_t* size,
                                int64_t* components, int64_t* maps) {
  return field_of<PointValues<float>>(
      result, name, values, size, components, maps,
      [](JobResult& all, const std::string& key) { return all.take_values<float>(key); });
}

int armilla_result_spectra(armilla_result result, const char* name, const char** names, int64_t* lmax,
                           const double** values, int64_t* size) {
  return guarded([&] {
    const auto used = Handles::all().use<ResultObject>(result.id);
    const std::string key = text(name, "name");
    if (!used->spectra.contains(key)) used->spectra.emplace(key, joined(used->result.take_spectra(key)));
    const SpectraOfResult& found = used->spectra.at(key);
    at_pointer(names, "names") = found.names.c_str();
    at_pointer(lmax, "lmax") = found.lmax;
    at_pointer(values, "values") = found.values.data();
    at_pointer(size, "size") = static_cast<Index>(found.values.size());
  });
}

int armilla_result_report(armilla_result result, const char** json) {
  return guarded([&] {
    const auto used = Handles::all().use<ResultObject>(result.id);
    if (!used->report) used->report = used->result.report();
    at_pointer(json, "json") = used->report->c_str();
  });
}

int armilla_result_free(armilla_result* result) { return destroy<ResultObject>(result); }

}  // extern "C"
