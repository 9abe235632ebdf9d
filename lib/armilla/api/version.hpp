#pragma once

namespace armilla {

/// Version of the library that the program runs with, such as "0.2.0".
const char* version();

}  // namespace armilla
