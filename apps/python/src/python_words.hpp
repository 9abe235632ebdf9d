#pragma once

#include <armilla/core/error.hpp>

#include <map>
#include <string>

namespace armilla::python {

/// A call of a function of the package that runs a job of its own, for messages.
struct PythonCall {
  enum class Kind {
    kStep,  ///< a step of a job; its only step is that of the job
    kRead,  ///< armilla.read(); the keys of the input are its arguments
    kWrite  ///< write() of an object; the keys of the output are its arguments
  };

  Kind kind = Kind::kStep;
  std::string function = {};  ///< as called: "analysis"
  /// For each input of the job: the argument that gave it, "map" or "method.cg.mask".
  std::map<std::string, std::string> arguments = {};
  std::map<std::string, std::string> files = {};  ///< for inputs that are files: their paths
};

/// The message of an error or a warning about a key of the job of a call, with keys as arguments of the call:
/// "analysis(lmax=4000) exceeds ...: lower lmax or set allow_aliasing=True" (core::KeyWords). `job`: the name of the
/// job, which the message omits.
std::string python_message(const PythonCall& call, core::ErrorContext context, const std::string& job);

/// The name of a key as an argument: reserved words of Python get an underscore.
std::string argument_name(const std::string& key);

/// The value of a key, YAML in flow style, as Python writes it.
std::string python_value(const std::string& yaml);

}  // namespace armilla::python
