#include <armilla/api/job.hpp>

#include <complex>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "binding.hpp"
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace armilla::python {

namespace {

/// The values of a field as an array [map][component][value], which owns the field.
template <class Field>
nb::object array_of(Field field) {
  auto* const kept = new Field(std::move(field));
  const nb::capsule owner(kept, [](void* data) noexcept { delete static_cast<Field*>(data); });
  const auto values = kept->data();
  using Value = typename std::remove_reference_t<decltype(values)>::element_type;
  const auto maps = static_cast<std::size_t>(kept->maps());
  const auto components = static_cast<std::size_t>(kept->fields().components());
  const std::size_t each = components == 0 ? 0 : values.size() / (maps * components);
  return nb::cast(nb::ndarray<nb::numpy, Value, nb::ndim<3>>(values.data(), {maps, components, each}, owner));
}

nb::object array_of(const std::vector<double>& values) { return nb::cast(numpy_array(std::vector<double>(values))); }

nb::object array_of(std::span<const double> values) {
  return nb::cast(numpy_array(std::vector<double>(values.begin(), values.end())));
}

/// All columns of tables as an array [map][column][row].
nb::object array_of(const std::vector<SpectraTable>& tables) {
  std::vector<double> all;
  for (const SpectraTable& table : tables)
    for (const std::vector<double>& column : table.columns) all.insert(all.end(), column.begin(), column.end());
  auto* const kept = new std::vector<double>(std::move(all));
  const nb::capsule owner(kept, [](void* data) noexcept { delete static_cast<std::vector<double>*>(data); });
  const std::size_t columns = tables.front().columns.size();
  return nb::cast(nb::ndarray<nb::numpy, double, nb::ndim<3>>(
      kept->data(), {tables.size(), columns, kept->size() / (tables.size() * columns)}, owner));
}

/// A value of a result by its parts, which jobs.py makes an object of.
template <class T>
nb::dict taken(JobResult& result, const std::string& name) {
  nb::dict parts;
  const std::string type = result.type(name);
  const InputFacts facts = result.facts(name);
  parts["type"] = type;
  parts["units"] = facts.units;
  parts["coordsys"] = facts.coordsys;
  if (type == "map") {
    Map<T> map = result.take_map<T>(name);
    parts["grid"] = Grid{map.distribution().shared_grid()};
    parts["fields"] = map.fields();
    parts["values"] = array_of(std::move(map));
  } else if (type == "alm") {
    Alm<T> alm = result.take_alm<T>(name);
    parts["lmax"] = alm.layout().lmax();
    parts["mmax"] = alm.layout().mmax();
    parts["fields"] = alm.fields();
    parts["values"] = array_of(std::move(alm));
  } else if (type == "points" || type == "values") {
    PointValues<T> values = result.take_values<T>(name);
    parts["theta"] = array_of(values.theta());
    parts["phi"] = array_of(values.phi());
    parts["fields"] = values.fields();
    parts["values"] = array_of(std::move(values));
  } else if (type == "statistics") {
    const JobResult::Statistics statistics = result.take_statistics(name);
    parts["names"] = statistics.mean.names;
    parts["mean"] = array_of(std::vector{statistics.mean});
    nb::list covariance;
    for (const std::vector<double>& matrix : statistics.covariance) covariance.append(array_of(matrix));
    parts["covariance"] = covariance;
    parts["unit"] = statistics.mean.unit;
  } else {
    const std::vector<SpectraTable> tables = result.take_spectra(name);
    parts["names"] = tables.front().names;
    parts["values"] = array_of(tables);
    parts["unit"] = tables.front().unit;
  }
  return parts;
}

}  // namespace

void bind_job_result(nb::module_& module) {
  nb::class_<JobResult>(module, "JobResult", "See armilla.run().")
      .def("names", &JobResult::names)
      .def("take",
           [](JobResult& result, const std::string& name) {
             return result.precision() == Precision::kSingle ? taken<float>(result, name) : taken<double>(result, name);
           })
      .def("report", &JobResult::report)
      .def("warnings", &JobResult::warnings)
      .def("left_out", &JobResult::left_out);
}

}  // namespace armilla::python
