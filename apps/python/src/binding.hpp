#pragma once

#include <armilla/api/names.hpp>
#include <armilla/core/error.hpp>

#include <memory>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>

/// The extension module armilla._armilla. Each topic has a source with one of the functions below, which adds its
/// names.
namespace armilla::python {

namespace nb = nanobind;

/// Translates exceptions of Armilla to those of armilla/errors.py.
void bind_errors(nb::module_& module);
/// Sets the Python exception of an error, with the parts of its message as attributes.
void set_error(const core::CaughtError& error);
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
/// Jobs on values in memory.
void bind_job(nb::module_& module);
/// Results of jobs.
void bind_job_result(nb::module_& module);
/// What files contain.
void bind_files(nb::module_& module);
/// The keys of the job language.
void bind_keys(nb::module_& module);
/// Pictures.
void bind_pictures(nb::module_& module);
/// Rotations, coordinates and the order of pixels, for armilla.healpy.
void bind_healpy(nb::module_& module);

/// The pixels of a rank: (first, last + 1) of each range.
std::vector<std::pair<Index, Index>> ranges_of(const Communicator& comm, const PixelDistribution& distribution);

/// A grid as Python holds it. Transforms copy it, which shares its tables.
struct Grid {
  std::shared_ptr<const RingGrid> grid;
};

}  // namespace armilla::python
