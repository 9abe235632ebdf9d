#pragma once

#include <stdexcept>
#include <string>

namespace armilla::core {

/// The cause of an error: user input, resources of the machine, a bug, or a signal.
enum class ErrorKind { kInput = 0, kResource = 1, kInternal = 2, kStopped = 3 };

/// Base of all exceptions that Armilla throws. what() states what is wrong, where (file, key, value) and what to do.
class Error : public std::runtime_error {
 public:
  /// Creates an error with this message.
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  /// The cause.
  ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

/// The job, a file or an argument is not valid. Exit code 2.
class InputError : public Error {
 public:
  /// Creates an error with this message.
  explicit InputError(const std::string& message) : Error(ErrorKind::kInput, message) {}
};

/// Memory, disk, a device or a file system is exhausted or failed. Exit code 3.
class ResourceError : public Error {
 public:
  /// Creates an error with this message.
  explicit ResourceError(const std::string& message) : Error(ErrorKind::kResource, message) {}
};

/// A bug in Armilla. Exit code 4.
class InternalError : public Error {
 public:
  /// Creates an error with this message.
  explicit InternalError(const std::string& message) : Error(ErrorKind::kInternal, message) {}
};

/// Stopped by a signal (core::StopSignals). Exit code 5.
class Stopped : public Error {
 public:
  /// Creates an error with this message.
  explicit Stopped(const std::string& message) : Error(ErrorKind::kStopped, message) {}
};

// Exit codes of the program.
inline constexpr int kExitDone = 0;      ///< no error
inline constexpr int kExitInput = 2;     ///< InputError
inline constexpr int kExitResource = 3;  ///< ResourceError
inline constexpr int kExitInternal = 4;  ///< InternalError
inline constexpr int kExitStopped = 5;   ///< Stopped

/// The exit code of an error of this kind.
constexpr int exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kInput:
      return kExitInput;
    case ErrorKind::kResource:
      return kExitResource;
    case ErrorKind::kStopped:
      return kExitStopped;
    case ErrorKind::kInternal:
      break;
  }
  return kExitInternal;
}

/// Throws the exception class that belongs to `kind`.
[[noreturn]] void throw_error(ErrorKind kind, const std::string& message);

/// An error, as kind and message.
struct CaughtError {
  ErrorKind kind;       ///< the cause
  std::string message;  ///< what()
};
/// The exception being handled; call only inside a catch block. std::bad_alloc and errors of std::filesystem are
/// resource errors; any other exception that is not an Error is an internal error.
CaughtError describe_current_exception();

}  // namespace armilla::core
