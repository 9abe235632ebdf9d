#pragma once

/// @file
/// All of Armilla's public C++ interface, in namespace armilla. Programs link the CMake target armilla::armilla.

/// @mainpage Armilla
/// Spherical harmonic transforms of maps and coefficients that are distributed over MPI ranks.
///
/// armilla::Transform makes and transforms armilla::Map and armilla::Alm; armilla::PointTransform goes between
/// coefficients and values at arbitrary points; `armilla/api/files.hpp` reads and writes
/// them, `armilla/api/operations.hpp` has random coefficients, spectra and norms. Complete programs are in
/// `docs/examples`.
///
/// **Collective calls.** Where a docstring says "collective", all ranks of the communicator call it, in the same order
/// and with equal arguments apart from their own share of maps and coefficients. All other calls are local.
///
/// **Errors** are exceptions of type armilla::Error: armilla::InputError, armilla::ResourceError and
/// armilla::InternalError. A collective call that fails on one rank throws the same error on all of them. Other calls
/// throw on the own rank alone: catch their errors only to end all ranks, with MPI_Abort().
///
/// **MPI.** A Session comes first and goes last; transforms, fields and communicators live within its scope.
///
/// **Threads.** Calls run on OpenMP threads of their own. A transform, and the fields given to it, are used by one
/// thread at a time; of one process, one thread at a time makes collective calls. Unless MPI was started with
/// MPI_THREAD_MULTIPLE, that is the thread which started MPI. Reading one field from several threads is safe.
///
/// **Conventions.** Harmonics are orthonormal with the Condon-Shortley phase; a pair of spin > 0 has E and B of
/// HEALPix's sign convention (COSMO). Results are bitwise identical on any number of ranks and threads, but where a
/// docstring says otherwise.

#include <armilla/api/alm.hpp>
#include <armilla/api/files.hpp>
#include <armilla/api/map.hpp>
#include <armilla/api/names.hpp>
#include <armilla/api/operations.hpp>
#include <armilla/api/point_transform.hpp>
#include <armilla/api/transform.hpp>
#include <armilla/api/version.hpp>
