#pragma once

#include <armilla/api/names.hpp>

#include <memory>

#include <nanobind/nanobind.h>

/// The extension module armilla._armilla. Each topic has a source with one of the functions below, which adds its
/// names.
namespace armilla::python {

namespace nb = nanobind;

/// Translates exceptions of Armilla to those of armilla/errors.py.
void bind_errors(nb::module_& module);
/// Communicators.
void bind_communicator(nb::module_& module);
/// Grids.
void bind_grid(nb::module_& module);
/// Names and spins of components.
void bind_fields(nb::module_& module);
/// Transforms of maps.
void bind_transform(nb::module_& module);
/// Transforms at points.
void bind_point_transform(nb::module_& module);
/// Redistributions of pixels and coefficients.
void bind_redistribution(nb::module_& module);

/// A grid as Python holds it. Transforms copy it, which shares its tables.
struct Grid {
  std::shared_ptr<const RingGrid> grid;
};

}  // namespace armilla::python
