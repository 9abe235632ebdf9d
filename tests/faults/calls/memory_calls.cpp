// Large allocations of the preloaded library: who requests each, from the stack, and a failure of the one that is asked
// for. operator new of the standard library reaches malloc or aligned_alloc. Memory is taken from glibc under its own
// names, as dlsym() allocates.
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "faults.hpp"
#include <dlfcn.h>
#include <execinfo.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

extern "C" {
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* memory, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);

/// Of the OpenMP library of the program, if it has one.
[[gnu::weak]] int omp_in_parallel();
}

namespace {

using armilla::test::Call;

constexpr int kFrames = 48;
constexpr int kNamedFrames = 8;

// What is allocated while a call is examined does not count.
[[gnu::tls_model("initial-exec")]] thread_local bool is_examining = false;

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// Whose allocation it is if a function of this object requests it; std::nullopt for those that allocate for their
/// caller.
std::optional<Call> owner_of(std::string_view object) {
  const auto is = [&](std::string_view begin) { return object.starts_with(begin); };
  if (is("libc.") || is("libstdc++") || is("ld-linux")) return std::nullopt;
  if (is("libfftw3")) return Call::kAllocateFftw;
  if (is("libhdf5") || is("libsz") || is("libz.")) return Call::kAllocateHdf5;
  if (is("libcfitsio")) return Call::kAllocateFits;
  if (is("libmpi") || is("libopen-") || is("mca_") || is("libpmix") || is("libevent") || is("libhwloc"))
    return Call::kAllocateMpi;
  if (is("armilla") || is("test_") || is("libarmilla") || is("libyaml") || is("libfmt") || is("libspdlog") ||
      is("libhwy"))
    return Call::kAllocate;
  return Call::kAllocateOther;
}

/// Where this library is in memory.
const void* own_object() {
  Dl_info info;
  return ::dladdr(reinterpret_cast<const void*>(&base_name), &info) != 0 ? info.dli_fbase : nullptr;
}

bool is_in_region() { return omp_in_parallel != nullptr && omp_in_parallel() != 0; }

/// A rank of mpirun that ends before MPI has been initialised may leave mpirun waiting, so that allocations of such
/// ranks count from then on.
std::atomic<bool> has_begun{false};

/// Counts an allocation; true if it has to fail.
bool fails(std::size_t bytes) {
  if (is_examining || !has_begun || !armilla::test::is_counting()) return false;
  const bool is_large = bytes >= armilla::test::least_bytes(), in_region = is_in_region();
  if (!is_large && !in_region) return false;
  is_examining = true;
  std::array<void*, kFrames> frames;
  const int count = ::backtrace(frames.data(), kFrames);
  std::optional<Call> call;
  std::string what = std::to_string(bytes) + " bytes:";
  for (int i = 0, named = 0; i < count && named < kNamedFrames; ++i) {
    Dl_info info;
    if (::dladdr(frames[static_cast<std::size_t>(i)], &info) == 0 || info.dli_fbase == own_object()) continue;
    const std::string_view object = base_name(info.dli_fname);
    if (!call) call = owner_of(object);
    if (!call) continue;
    std::array<char, 32> offset;
    std::snprintf(offset.data(), offset.size(), "+0x%lx",
                  static_cast<unsigned long>(static_cast<char*>(frames[static_cast<std::size_t>(i)]) -
                                             static_cast<char*>(info.dli_fbase)));
    what.append(1, ' ').append(object).append(offset.data());
    ++named;
  }
  if (call == Call::kAllocate && in_region) call = Call::kAllocateInRegion;
  const bool counts = call && (is_large || call == Call::kAllocateInRegion);
  const int error = counts ? armilla::test::failure_of(*call, what) : 0;
  is_examining = false;
  if (error != 0) errno = ENOMEM;
  return error != 0;
}

__attribute__((constructor)) void begin() {
  // backtrace() loads a library when it is first called.
  std::array<void*, 1> frames;
  ::backtrace(frames.data(), 1);
  has_begun = std::getenv("OMPI_COMM_WORLD_RANK") == nullptr;
}

}  // namespace

extern "C" {

int MPI_Init_thread(int* count, char*** arguments, int required, int* provided) {
  const auto next = reinterpret_cast<decltype(MPI_Init_thread)*>(::dlsym(RTLD_NEXT, "MPI_Init_thread"));
  const int result = next(count, arguments, required, provided);
  has_begun = true;
  return result;
}

void* malloc(std::size_t bytes) { return fails(bytes) ? nullptr : __libc_malloc(bytes); }

void* calloc(std::size_t count, std::size_t bytes) {
  std::size_t all = 0;
  if (!__builtin_mul_overflow(count, bytes, &all) && fails(all)) return nullptr;
  return __libc_calloc(count, bytes);
}

void* realloc(void* memory, std::size_t bytes) { return fails(bytes) ? nullptr : __libc_realloc(memory, bytes); }

void* memalign(std::size_t alignment, std::size_t bytes) {
  return fails(bytes) ? nullptr : __libc_memalign(alignment, bytes);
}

void* aligned_alloc(std::size_t alignment, std::size_t bytes) { return memalign(alignment, bytes); }

int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) {
  void* taken = memalign(alignment, bytes);
  if (taken == nullptr) return ENOMEM;
  *memory = taken;
  return 0;
}

// Files that are mapped are not allocations.
void* mmap(void* place, std::size_t bytes, int protection, int flags, int descriptor, off_t offset) noexcept {
  if ((flags & MAP_ANONYMOUS) != 0 && fails(bytes)) return MAP_FAILED;
  return reinterpret_cast<void*>(::syscall(SYS_mmap, place, bytes, protection, flags, descriptor, offset));
}

}  // extern "C"
