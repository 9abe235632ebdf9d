#pragma once

#include <armilla/alm/alm_layout.hpp>
#include <armilla/alm/spectra_table.hpp>
#include <armilla/comm/communicator.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/types.hpp>
#include <armilla/dist/distribution.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/grid/ring_grid.hpp>
#include <armilla/transform/field_kind.hpp>

/// @file
/// Names of Armilla's modules that are part of its public interface.

/// Armilla's public interface. The nested namespaces are those of its modules; programs need no other names from them.
namespace armilla {

/// Layouts of coefficients, and tables of spectra.
namespace alm {}
/// MPI.
namespace comm {}
/// Basic types and errors.
namespace core {}
/// Distribution of data over ranks.
namespace dist {}
/// Grids of rings.
namespace grid {}
/// Arithmetic of points and harmonics.
namespace math {}
/// Fields.
namespace transform {}

using alm::AlmLayout;
using alm::SpectraTable;
using comm::Communicator;
using comm::Session;
using core::Error;
using core::ErrorKind;
using core::Index;
using core::InputError;
using core::InternalError;
using core::Precision;
using core::ResourceError;
using dist::AlmDistribution;
using dist::PixelDistribution;
using dist::PixelRange;
using grid::GridDescription;
using grid::make_equiangular;
using grid::make_gauss;
using grid::make_grid;
using grid::make_healpix;
using grid::make_octahedral;
using grid::make_reduced_gauss;
using grid::make_rings;
using grid::Ring;
using grid::RingGrid;
using transform::FieldKind;

}  // namespace armilla
