#include <string>
#include <vector>

#include "binding.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace armilla::python {

void bind_fields(nb::module_& module) {
  nb::class_<FieldKind>(module, "FieldKind", "Names and spins of the components of maps and coefficients.")
      .def_static(
          "from_names",
          [](const std::vector<std::string>& names, const std::vector<Index>& spins) {
            return FieldKind::from_names(names, spins);
          },
          nb::arg("names"), nb::arg("spins") = std::vector<Index>{},
          "Of names of components in maps or coefficients: Q, U and E, B have spin 2; U, V and V_THETA, V_PHI spin 1; "
          "RE3, IM3 spin 3; others are scalars, unless spins, one for each name, says otherwise.")
      .def_static("spin", &FieldKind::spin, nb::arg("spin"), "Two components of a spin > 0; one for spin 0.")
      .def_prop_ro("map_names", &FieldKind::map_names, "Names of the components in maps.")
      .def_prop_ro("alm_names", &FieldKind::alm_names, "Names of the components in coefficients.")
      .def_prop_ro("spins", &FieldKind::spins, "Spin of each component.")
      .def_prop_ro("components", &FieldKind::components, "Number of components.")
      .def(
          "__eq__", [](const FieldKind& a, const FieldKind& b) { return a == b; }, nb::is_operator())
      .def("__hash__", [](const FieldKind& kind) { return kind.components(); })
      .def("__reduce__",
           [](const nb::object& self) {
             return nb::make_tuple(nb::module_::import_("armilla.fields").attr("fields_of"),
                                   nb::make_tuple(self.attr("map_names"), self.attr("spins")));
           })
      .def("__repr__", [](const FieldKind& kind) {
        return fmt::format("<fields {}, spins {}>", fmt::join(kind.map_names(), ","), fmt::join(kind.spins(), ","));
      });
}

}  // namespace armilla::python
