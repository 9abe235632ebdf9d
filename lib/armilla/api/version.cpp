#include <armilla/api/version.hpp>
#include <armilla/core/build_info.hpp>

namespace armilla {

const char* version() { return core::kVersion; }

}  // namespace armilla
