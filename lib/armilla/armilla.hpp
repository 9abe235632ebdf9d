#pragma once

/// @file
/// All of Armilla's public C++ interface, in namespace armilla. Programs link the CMake target armilla::armilla.

/// @mainpage Armilla
/// Spherical harmonic transforms of maps and coefficients that are distributed over MPI ranks.
///
/// armilla::Transform creates and transforms armilla::Map and armilla::Alm. armilla::PointTransform transforms between
/// coefficients and values at arbitrary points. armilla::PixelRedistribution and armilla::AlmRedistribution move values
/// from and to a distribution of the program. armilla::Job runs the steps of `armilla run` on values in memory.
/// `armilla/api/files.hpp` reads and writes files.
/// `armilla/api/operations.hpp` has random coefficients, spectra and norms. Complete programs are in `docs/examples`.
///
/// **Collective calls.** All ranks of the communicator must make a call documented as "collective", in the same order
/// and with equal arguments except for their own part of maps and coefficients. All other calls are local.
///
/// **Errors** are exceptions of type armilla::Error: armilla::InputError, armilla::ResourceError and
/// armilla::InternalError. A collective call that fails on one rank throws the same error on all of them. Other calls
/// throw on the calling rank only: catch their errors only to end all ranks with MPI_Abort().
///
/// **MPI.** A Session is created first, unless the program initialises MPI itself. Collective calls end before MPI is
/// finalised, and before the program frees the communicator of their objects. Destructors call no MPI: transforms,
/// fields and communicators may be destroyed in any order, different on each rank, also after MPI is finalised. Groups
/// made by Communicator::split() and Communicator::duplicate() are the exception.
///
/// **Threads.** Calls use OpenMP threads internally. A transform and the fields passed to it may be used by one thread
/// at a time. One thread per process at a time may make collective calls: the thread that initialised MPI, unless MPI
/// provides MPI_THREAD_MULTIPLE. Reading one field from several threads is safe.
///
/// **Conventions.** Harmonics are orthonormal with the Condon-Shortley phase; a pair of spin > 0 has E and B of
/// HEALPix's sign convention (COSMO). Results are bitwise identical in every run, on any number of ranks and threads,
/// on machines with the same instruction set and version of FFTW, unless documented otherwise.
///
/// **FFTW.** Plans and wisdom of the program neither affect results nor are changed. A program that plans in several
/// threads, of which one creates transforms, calls fftw_make_planner_thread_safe(), and does not set FFTW's number of
/// threads meanwhile.

#include <armilla/api/alm.hpp>
#include <armilla/api/files.hpp>
#include <armilla/api/job.hpp>
#include <armilla/api/map.hpp>
#include <armilla/api/names.hpp>
#include <armilla/api/operations.hpp>
#include <armilla/api/point_transform.hpp>
#include <armilla/api/point_values.hpp>
#include <armilla/api/redistribution.hpp>
#include <armilla/api/stages.hpp>
#include <armilla/api/strides.hpp>
#include <armilla/api/transform.hpp>
#include <armilla/api/version.hpp>
