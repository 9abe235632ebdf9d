// A library to preload (LD_PRELOAD): appends a line for each call that writes, syncs or renames a file to the file
// named in ARMILLA_CALL_LOG: the call, and the paths. Buffered writes of the C library count when they are requested,
// because its own calls of write() cannot be intercepted.
#include <cstdio>
#include <cstdlib>
#include <string>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

namespace {

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

// One write() per line, in append mode: lines of several ranks do not mix.
void record(const std::string& line) {
  static const int log = [] {
    const char* name = std::getenv("ARMILLA_CALL_LOG");
    return name == nullptr ? -1 : ::open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  }();
  static const auto write_next = next<ssize_t(int, const void*, std::size_t)>("write");
  const std::string text = line + "\n";
  if (log >= 0 && write_next(log, text.data(), text.size()) < 0) std::abort();
}

void record_call(const char* name, int descriptor) {
  const std::string path = path_of(descriptor);
  if (path.front() == '/' && !path.starts_with("/dev/") && !path.starts_with("/proc/"))
    record(std::string(name) + " " + path);
}

}  // namespace

extern "C" {

ssize_t write(int descriptor, const void* data, std::size_t bytes) {
  record_call("write", descriptor);
  static const auto call = next<ssize_t(int, const void*, std::size_t)>("write");
  return call(descriptor, data, bytes);
}

ssize_t pwrite(int descriptor, const void* data, std::size_t bytes, off_t offset) {
  record_call("write", descriptor);
  static const auto call = next<ssize_t(int, const void*, std::size_t, off_t)>("pwrite");
  return call(descriptor, data, bytes, offset);
}

ssize_t pwrite64(int descriptor, const void* data, std::size_t bytes, off64_t offset) {
  record_call("write", descriptor);
  static const auto call = next<ssize_t(int, const void*, std::size_t, off64_t)>("pwrite64");
  return call(descriptor, data, bytes, offset);
}

ssize_t writev(int descriptor, const iovec* parts, int count) {
  record_call("write", descriptor);
  static const auto call = next<ssize_t(int, const iovec*, int)>("writev");
  return call(descriptor, parts, count);
}

std::size_t fwrite(const void* data, std::size_t size, std::size_t count, FILE* file) {
  record_call("write", ::fileno(file));
  static const auto call = next<std::size_t(const void*, std::size_t, std::size_t, FILE*)>("fwrite");
  return call(data, size, count, file);
}

int ftruncate(int descriptor, off_t size) noexcept {
  record_call("write", descriptor);
  static const auto call = next<int(int, off_t)>("ftruncate");
  return call(descriptor, size);
}

int ftruncate64(int descriptor, off64_t size) noexcept {
  record_call("write", descriptor);
  static const auto call = next<int(int, off64_t)>("ftruncate64");
  return call(descriptor, size);
}

// Flushes buffered data, so it is a write.
int fclose(FILE* file) {
  record_call("write", ::fileno(file));
  static const auto call = next<int(FILE*)>("fclose");
  return call(file);
}

int fsync(int descriptor) {
  record_call("sync", descriptor);
  static const auto call = next<int(int)>("fsync");
  return call(descriptor);
}

int fdatasync(int descriptor) {
  record_call("sync", descriptor);
  static const auto call = next<int(int)>("fdatasync");
  return call(descriptor);
}

int rename(const char* from, const char* to) noexcept {
  static const auto call = next<int(const char*, const char*)>("rename");
  record(std::string("rename ") + from + " " + to);
  return call(from, to);
}

}  // extern "C"
