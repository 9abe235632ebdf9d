#include <armilla/backend/devices.hpp>

namespace armilla::backend {

std::vector<Device> visible_devices() { return {}; }

}  // namespace armilla::backend
