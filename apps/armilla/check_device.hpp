#pragma once

#include <armilla/backend/child_check.hpp>

namespace armilla::app {

/// Returns a method that checks devices in a child process: this program, started with the verb check-device. The
/// environment variable ARMILLA_DEVICE_CHECK_SECONDS sets the time limit. Throws InputError if its value is not a
/// number between 0 and 86400.
backend::CheckMethod check_in_child();

}  // namespace armilla::app
