// A library to preload (LD_PRELOAD): records calls on files, and makes one of them fail (faults.cpp), or one of the
// large allocations (memory_calls.cpp).
//
// With ARMILLA_CALL_LOG = FILE, it appends a line for each call that writes, syncs or renames a file: the call, and the
// paths. Buffered calls of the C library count when they are requested, because its own calls of read() and write()
// cannot be intercepted.
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "faults.hpp"
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio_ext.h>
#include <sys/sendfile.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

namespace {

using armilla::test::Call;

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

std::string path_of(int descriptor) {
  char path[4096];
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  const ssize_t length = ::readlink(link.c_str(), path, sizeof path);
  return length > 0 ? std::string(path, static_cast<std::size_t>(length)) : "?";
}

std::string path_of(FILE* file) { return path_of(::fileno(file)); }

/// An absolute path without . and .., of a path relative to a folder that is open.
std::string whole_path(const char* path, int folder = AT_FDCWD) {
  std::error_code error;
  if (path[0] == '/') return std::filesystem::path(path).lexically_normal().string();
  const std::string base = folder == AT_FDCWD ? std::filesystem::current_path(error).string() : path_of(folder);
  return (std::filesystem::path(base) / path).lexically_normal().string();
}

void record(const std::string& line) {
  static const int log = armilla::test::open_log("ARMILLA_CALL_LOG");
  if (log >= 0) armilla::test::append_line(log, line);
}

void record_call(const char* name, const std::string& path) {
  if (path.front() == '/' && !path.starts_with("/dev/") && !path.starts_with("/proc/"))
    record(std::string(name) + " " + path);
}

/// Whether the call has to fail; errno is then set.
bool fails(Call call, const std::string& path) {
  const int error = armilla::test::failure_on(call, path);
  if (error != 0) errno = error;
  return error != 0;
}

bool fails_to_write(const std::string& path) {
  record_call("write", path);
  return fails(Call::kWrite, path);
}

bool fails_to_sync(const std::string& path) {
  record_call("sync", path);
  return fails(Call::kSync, path);
}

/// As after a failed read() or write() within the C library.
void set_error(FILE* file) { file->_flags |= 0x20; }

mode_t mode_of(int flags, va_list arguments) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return fails(Call::kOpen, whole_path(path)) ? -1 : next<decltype(::open)>("open")(path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return fails(Call::kOpen, whole_path(path)) ? -1 : next<decltype(::open64)>("open64")(path, flags, mode);
}

int openat(int folder, const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return fails(Call::kOpen, whole_path(path, folder)) ? -1
                                                      : next<decltype(::openat)>("openat")(folder, path, flags, mode);
}

FILE* fopen(const char* path, const char* mode) {
  return fails(Call::kOpen, whole_path(path)) ? nullptr : next<decltype(::fopen)>("fopen")(path, mode);
}

FILE* fopen64(const char* path, const char* mode) {
  return fails(Call::kOpen, whole_path(path)) ? nullptr : next<decltype(::fopen64)>("fopen64")(path, mode);
}

DIR* opendir(const char* path) {
  return fails(Call::kOpen, whole_path(path)) ? nullptr : next<decltype(::opendir)>("opendir")(path);
}

dirent* readdir(DIR* folder) {
  return fails(Call::kRead, path_of(::dirfd(folder))) ? nullptr : next<decltype(::readdir)>("readdir")(folder);
}

ssize_t read(int descriptor, void* data, std::size_t bytes) {
  return fails(Call::kRead, path_of(descriptor)) ? -1 : next<decltype(::read)>("read")(descriptor, data, bytes);
}

ssize_t pread(int descriptor, void* data, std::size_t bytes, off_t offset) {
  if (fails(Call::kRead, path_of(descriptor))) return -1;
  return next<decltype(::pread)>("pread")(descriptor, data, bytes, offset);
}

ssize_t pread64(int descriptor, void* data, std::size_t bytes, off64_t offset) {
  if (fails(Call::kRead, path_of(descriptor))) return -1;
  return next<decltype(::pread64)>("pread64")(descriptor, data, bytes, offset);
}

std::size_t fread(void* data, std::size_t size, std::size_t count, FILE* file) {
  if (!fails(Call::kRead, path_of(file))) return next<decltype(::fread)>("fread")(data, size, count, file);
  set_error(file);
  return 0;
}

// Of getline().
ssize_t __getdelim(char** line, std::size_t* size, int end, FILE* file) {
  if (!fails(Call::kRead, path_of(file))) return next<decltype(::__getdelim)>("__getdelim")(line, size, end, file);
  set_error(file);
  return -1;
}

ssize_t write(int descriptor, const void* data, std::size_t bytes) {
  return fails_to_write(path_of(descriptor)) ? -1 : next<decltype(::write)>("write")(descriptor, data, bytes);
}

ssize_t pwrite(int descriptor, const void* data, std::size_t bytes, off_t offset) {
  if (fails_to_write(path_of(descriptor))) return -1;
  return next<decltype(::pwrite)>("pwrite")(descriptor, data, bytes, offset);
}

ssize_t pwrite64(int descriptor, const void* data, std::size_t bytes, off64_t offset) {
  if (fails_to_write(path_of(descriptor))) return -1;
  return next<decltype(::pwrite64)>("pwrite64")(descriptor, data, bytes, offset);
}

ssize_t writev(int descriptor, const iovec* parts, int count) {
  return fails_to_write(path_of(descriptor)) ? -1 : next<decltype(::writev)>("writev")(descriptor, parts, count);
}

// Of std::filesystem::copy_file().
ssize_t sendfile(int to, int from, off_t* offset, std::size_t bytes) noexcept {
  if (fails_to_write(path_of(to))) return -1;
  return next<decltype(::sendfile)>("sendfile")(to, from, offset, bytes);
}

int fallocate(int descriptor, int mode, off_t offset, off_t bytes) {
  if (fails(Call::kWrite, path_of(descriptor))) return -1;
  return next<decltype(::fallocate)>("fallocate")(descriptor, mode, offset, bytes);
}

std::size_t fwrite(const void* data, std::size_t size, std::size_t count, FILE* file) {
  if (!fails_to_write(path_of(file))) return next<decltype(::fwrite)>("fwrite")(data, size, count, file);
  set_error(file);
  return 0;
}

int fflush(FILE* file) {
  if (file == nullptr || !fails_to_write(path_of(file))) return next<decltype(::fflush)>("fflush")(file);
  set_error(file);
  return EOF;
}

int ftruncate(int descriptor, off_t size) noexcept {
  return fails_to_write(path_of(descriptor)) ? -1 : next<decltype(::ftruncate)>("ftruncate")(descriptor, size);
}

int ftruncate64(int descriptor, off64_t size) noexcept {
  return fails_to_write(path_of(descriptor)) ? -1 : next<decltype(::ftruncate64)>("ftruncate64")(descriptor, size);
}

int close(int descriptor) {
  const bool has_failed = fails(Call::kClose, path_of(descriptor));
  const int error = errno;
  const int result = next<decltype(::close)>("close")(descriptor);
  if (!has_failed) return result;
  errno = error;
  return -1;
}

// Flushes buffered data, so it is a write. What could not be flushed is lost.
int fclose(FILE* file) {
  const std::string path = path_of(file);
  record_call("write", path);
  const bool has_failed = fails(Call::kClose, path);
  const int error = errno;
  if (has_failed) ::__fpurge(file);
  const int result = next<decltype(::fclose)>("fclose")(file);
  if (!has_failed) return result;
  errno = error;
  return EOF;
}

int fsync(int descriptor) {
  return fails_to_sync(path_of(descriptor)) ? -1 : next<decltype(::fsync)>("fsync")(descriptor);
}

int fdatasync(int descriptor) {
  return fails_to_sync(path_of(descriptor)) ? -1 : next<decltype(::fdatasync)>("fdatasync")(descriptor);
}

int rename(const char* from, const char* to) noexcept {
  record(std::string("rename ") + from + " " + to);
  return fails(Call::kRename, whole_path(to)) ? -1 : next<decltype(::rename)>("rename")(from, to);
}

int link(const char* from, const char* to) noexcept {
  return fails(Call::kRename, whole_path(to)) ? -1 : next<decltype(::link)>("link")(from, to);
}

}  // extern "C"
