#pragma once

#include <armilla/backend/child_check.hpp>

namespace armilla::app {

/// Devices are checked by this program in a child process, with the verb check-device. The environment variable
/// ARMILLA_DEVICE_CHECK_SECONDS sets the time limit; throws InputError where it is not a number between 0 and 86400.
backend::CheckMethod check_in_child();

}  // namespace armilla::app
