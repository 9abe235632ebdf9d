#pragma once

#include <string>

namespace armilla::python {

/// The keys of steps, methods, inputs, outputs and execution, as JSON: what generate_steps.py and armilla/calls.py know
/// of the job language.
std::string key_table();

}  // namespace armilla::python
