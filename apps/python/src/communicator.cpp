#include <armilla/comm/communicator.hpp>
#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "binding.hpp"
#include "interpreter_lock.hpp"
#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

namespace armilla::python {

namespace {

std::string library_version() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  comm::check_mpi(MPI_Get_library_version(text, &length), "MPI_Get_library_version");
  return {text, static_cast<std::size_t>(length)};
}

// The first line of the version of an MPI library, for messages.
std::string first_line(const std::string& version) { return version.substr(0, version.find_first_of("\r\n")); }

// The communicator at the address that mpi4py.MPI._addressof() returns; `theirs` is MPI.Get_library_version().
Communicator from_mpi4py(std::uintptr_t address, const std::string& theirs) {
  // Texts of MPI may end with zeros or spaces.
  const auto trimmed = [](std::string text) {
    return text.substr(0, text.find_last_not_of(std::string_view(" \n\r\t\0", 5)) + 1);
  };
  const std::string ours = trimmed(library_version());
  int running = 0;
  MPI_Initialized(&running);
  if (ours != trimmed(theirs) || running == 0)
    throw InputError(fmt::format(
        "mpi4py uses the MPI library '{}', but Armilla was built with {}'{}': install an mpi4py that was built with "
        "the "
        "MPI library of Armilla (pip install --no-binary mpi4py mpi4py, with its mpicc on PATH), or build Armilla with "
        "that of mpi4py",
        first_line(theirs), ours == trimmed(theirs) ? "another copy of " : "", first_line(ours)));
  const Unlocked unlocked;
  const MPI_Comm comm = *reinterpret_cast<const MPI_Comm*>(address);
  if (comm == MPI_COMM_NULL)
    throw InputError(
        "comm is MPI.COMM_NULL, because it has been freed or this process is no member of it: pass one of "
        "which this process is a member");
  return Communicator::duplicate_of(comm);
}

// Collective. All ranks throw the error of the lowest rank with a text.
void agree(const Communicator& comm, const std::optional<std::string>& text, const std::string& type) {
  std::optional<core::CaughtError> error;
  const bool is_resource = type == "ResourceError" || type == "MemoryError";
  if (text) error = core::CaughtError{is_resource ? core::ErrorKind::kResource : core::ErrorKind::kInput, *text};
  const Unlocked unlocked;
  comm::agree(comm, error);
}

}  // namespace

void bind_communicator(nb::module_& module) {
  nb::class_<Communicator>(module, "Communicator", "A group of ranks; see armilla.comm.")
      .def_static("self", &Communicator::self, "This process only, without MPI.")
      .def_static("from_mpi4py", &from_mpi4py, nb::arg("address"), nb::arg("library"),
                  "Collective. The ranks of the communicator at an address of mpi4py.")
      .def_prop_ro("rank", &Communicator::rank, "Of this process.")
      .def_prop_ro("size", &Communicator::size, "Number of ranks.")
      .def("agree", &agree, nb::arg("text") = nb::none(), nb::arg("type") = "",
           "Collective. All ranks raise InputError, or ResourceError for the type ResourceError or MemoryError, with "
           "the "
           "text of the lowest rank that has one.")
      .def("barrier", &Communicator::barrier, nb::call_guard<Unlocked>(),
           "Collective. Returns when all ranks have called it.");
  module.def("mpi_library", &library_version, "Version of the MPI library that Armilla was built with.");
}

}  // namespace armilla::python
