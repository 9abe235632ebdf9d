#include <armilla/api/version.hpp>

#include "binding.hpp"

NB_MODULE(_armilla, module) {
  namespace python = armilla::python;
  module.doc() = "The C++ part of the package armilla; use the names of armilla itself.";
  module.attr("__version__") = armilla::version();
  for (const auto bind :
       {python::bind_errors, python::bind_communicator, python::bind_grid, python::bind_fields, python::bind_transform,
        python::bind_point_transform, python::bind_redistribution, python::bind_job, python::bind_job_result,
        python::bind_files, python::bind_keys, python::bind_pictures, python::bind_healpy})
    bind(module);
}
