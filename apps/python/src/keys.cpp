#include <armilla/job/key_schema.hpp>

#include "binding.hpp"
#include "key_table.hpp"
#include <nanobind/stl/string.h>

namespace armilla::python {

void bind_keys(nb::module_& module) {
  module.def("key_table", &key_table, "The keys of steps, methods, inputs, outputs and execution, as JSON.");
  module.def("key_schema", &job::key_schema, "The JSON Schema of jobs.");
}

}  // namespace armilla::python
