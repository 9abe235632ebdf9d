#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace armilla::test {

/// Calls that are counted and can fail. Large allocations are told apart by who requests them: the program itself, with
/// the standard library and small libraries, or a library that handles failures in its own way. Of the program, those
/// in a parallel region of OpenMP have a count of their own, and count whatever their size.
enum class Call {
  kOpen,
  kRead,
  kWrite,
  kSync,
  kRename,
  kClose,
  kAllocate,
  kAllocateFftw,
  kAllocateHdf5,
  kAllocateFits,
  kAllocateMpi,
  kAllocateOther,
  kAllocateInRegion
};
inline constexpr std::array<std::string_view, 13> kCallNames{
    "open",       "read",       "write",      "sync",      "rename",      "close",       "allocate",
    "alloc_fftw", "alloc_hdf5", "alloc_fits", "alloc_mpi", "alloc_other", "alloc_region"};

/// Counts a call of this process, and returns the errno with which it has to fail, or 0. `what` describes it in the
/// log.
int failure_of(Call call, std::string_view what);

/// failure_of() for a call on a file, which counts only in the place of ARMILLA_FAULT_PLACE.
int failure_on(Call call, const std::string& path);

/// Whether calls are counted. Before, nothing may be allocated here.
bool is_counting();

/// Allocations of at least this size count as large.
std::size_t least_bytes();

/// Appends a line to a log file, in one write, so that lines of several ranks do not mix.
void append_line(int log, std::string_view line);

/// Opens a log file, whose name is the value of an environment variable; -1 if it is not set.
int open_log(const char* variable);

}  // namespace armilla::test
