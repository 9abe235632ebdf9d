#include <armilla/core/error.hpp>

#include <filesystem>
#include <new>
#include <system_error>

namespace armilla::core {

void throw_error(ErrorKind kind, const std::string& message) {
  switch (kind) {
    case ErrorKind::kInput:
      throw InputError(message);
    case ErrorKind::kResource:
      throw ResourceError(message);
    case ErrorKind::kStopped:
      throw Stopped(message);
    case ErrorKind::kInternal:
      break;
  }
  throw InternalError(message);
}

CaughtError describe_current_exception() {
  static constexpr const char* kOutOfMemory =
      "out of memory: use more ranks or nodes, or fewer maps at once (armilla run --dry-run predicts the memory "
      "needed)";
  try {
    throw;
  } catch (const Error& error) {
    return {error.kind(), error.what()};
  } catch (const std::bad_alloc&) {
    return {ErrorKind::kResource, kOutOfMemory};
  } catch (const std::filesystem::filesystem_error& error) {
    if (error.code() == std::errc::not_enough_memory) return {ErrorKind::kResource, kOutOfMemory};
    const std::string place = error.path1().empty() ? "the working folder" : "'" + error.path1().string() + "'";
    return {ErrorKind::kResource,
            place + " cannot be used (" + error.code().message() + "): check the path, its folder and the disk"};
  } catch (const std::system_error& error) {
    if (error.code() == std::errc::not_enough_memory) return {ErrorKind::kResource, kOutOfMemory};
    return {ErrorKind::kInternal, std::string("unexpected exception: ") + error.what()};
  } catch (const std::exception& error) {
    return {ErrorKind::kInternal, std::string("unexpected exception: ") + error.what()};
  } catch (...) {
    return {ErrorKind::kInternal, "unexpected exception of unknown type"};
  }
}

}  // namespace armilla::core
