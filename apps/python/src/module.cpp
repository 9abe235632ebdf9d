#include <armilla/api/version.hpp>

#include "binding.hpp"

NB_MODULE(_armilla, module) {
  module.doc() = "The C++ part of the package armilla; use the names of armilla itself.";
  module.attr("__version__") = armilla::version();
  armilla::python::bind_errors(module);
  armilla::python::bind_communicator(module);
  armilla::python::bind_grid(module);
}
