#include "binding.hpp"
#include "key_table.hpp"
#include "python_words.hpp"
#include <nanobind/stl/string.h>

namespace armilla::python {

void bind_keys(nb::module_& module) {
  module.def("key_table", &key_table, "The keys of steps, methods, inputs, outputs and execution, as JSON.");
  module.def("argument_name", &argument_name, nb::arg("key"), "A key as an argument.");
}

}  // namespace armilla::python
