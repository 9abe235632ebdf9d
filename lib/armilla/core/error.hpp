#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace armilla::core {

/// The cause of an error: user input, resources of the machine, a bug, or a signal.
enum class ErrorKind { kInput = 0, kResource = 1, kInternal = 2, kStopped = 3 };

/// The parts of a message about a key of a job, for front ends that word the key in their own way.
struct ErrorContext {
  /// How `text` follows the key and its value: after a colon, or as the predicate of the sentence.
  enum class Form { kStatement, kPredicate };

  std::string where = {};                 ///< file and line, or the option that set the key; may be empty
  std::string section = {};               ///< path of a section of the job: "steps[0].analysis"; may be empty
  std::string key = {};                   ///< path of a key in it: "method.cg.mask"; empty: the section as a whole
  std::optional<std::string> value = {};  ///< of the key, as text
  std::string text = {};                  ///< what is wrong and what to do; may contain mention()
  Form form = Form::kStatement;           ///< of `text`
};

/// Marks a key in ErrorContext::text, such as "execution", "precision". With a value, the advice to set it. An empty
/// section is that of the message.
std::string mention(std::string_view section, std::string_view key, std::string_view value = {});

/// Words a key: its section, its path in the section and a value, as in mention(); section and value may be empty, and
/// so may the key, for a section as a whole.
using KeyWords =
    std::function<std::string(const std::string& section, const std::string& key, const std::string& value)>;

/// The words of job files: "steps[0].analysis.lmax", "execution.precision: double".
std::string job_words(const std::string& section, const std::string& key, const std::string& value);

/// The message, one sentence: "<where>: <key> = <value> <text>", or "<where>: <key>: <text>". Omits empty parts.
std::string sentence(const ErrorContext& context, const KeyWords& words = job_words);

/// Base of all exceptions that Armilla throws. what() states what is wrong, where (file, key, value) and what to do.
class Error : public std::runtime_error {
 public:
  /// Creates an error with this message.
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  /// Creates an error with the message sentence(context).
  Error(ErrorKind kind, ErrorContext context)
      : std::runtime_error(sentence(context)),
        kind_(kind),
        context_(std::make_shared<const ErrorContext>(std::move(context))) {}
  /// The cause.
  ErrorKind kind() const { return kind_; }
  /// The parts of the message; null if they are unknown.
  const std::shared_ptr<const ErrorContext>& context() const { return context_; }

 private:
  ErrorKind kind_;
  std::shared_ptr<const ErrorContext> context_;
};

/// The job, a file or an argument is not valid. Exit code 2.
class InputError : public Error {
 public:
  /// Creates an error with this message.
  explicit InputError(const std::string& message) : Error(ErrorKind::kInput, message) {}
  /// Creates an error from the parts of its message.
  explicit InputError(ErrorContext context) : Error(ErrorKind::kInput, std::move(context)) {}
};

/// Memory, disk, a device or a file system is exhausted or failed. Exit code 3.
class ResourceError : public Error {
 public:
  /// Creates an error with this message.
  explicit ResourceError(const std::string& message) : Error(ErrorKind::kResource, message) {}
  /// Creates an error from the parts of its message.
  explicit ResourceError(ErrorContext context) : Error(ErrorKind::kResource, std::move(context)) {}
};

/// A bug in Armilla. Exit code 4.
class InternalError : public Error {
 public:
  /// Creates an error with this message.
  explicit InternalError(const std::string& message) : Error(ErrorKind::kInternal, message) {}
  /// Creates an error from the parts of its message.
  explicit InternalError(ErrorContext context) : Error(ErrorKind::kInternal, std::move(context)) {}
};

/// Stopped by a signal (core::StopSignals). Exit code 5.
class Stopped : public Error {
 public:
  /// Creates an error with this message.
  explicit Stopped(const std::string& message) : Error(ErrorKind::kStopped, message) {}
  /// Creates an error from the parts of its message.
  explicit Stopped(ErrorContext context) : Error(ErrorKind::kStopped, std::move(context)) {}
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
/// Throws the exception class that belongs to `kind`, with the message sentence(context).
[[noreturn]] void throw_error(ErrorKind kind, ErrorContext context);

/// An error, as kind and message.
struct CaughtError {
  ErrorKind kind;                                         ///< the cause
  std::string message;                                    ///< what()
  std::shared_ptr<const ErrorContext> context = nullptr;  ///< the parts of the message; null if they are unknown
};
/// Throws this error again.
[[noreturn]] void throw_error(const CaughtError& error);
/// The exception being handled; call only inside a catch block. std::bad_alloc and errors of std::filesystem are
/// resource errors; any other exception that is not an Error is an internal error.
CaughtError describe_current_exception();

}  // namespace armilla::core
