#include <armilla/backend/context.hpp>
#include <armilla/backend/cpu.hpp>
#include <armilla/backend/cuda.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>

#include <fmt/format.h>

namespace armilla::backend {

std::string why_unusable(Kind kind) { return kind == Kind::kCuda ? why_cuda_unusable() : std::string(); }

void check_backend(Kind kind) {
  const std::string reason = why_unusable(kind);
  if (!reason.empty()) throw core::ResourceError(fmt::format("backend = {}: {}", name_of(kind), reason));
}

std::optional<Device> device_of(Kind kind, const Placement& placement) {
  if (!has_device(kind) || !why_unusable(kind).empty()) return std::nullopt;
  return cuda_device(placement);
}

Index device_room(Kind kind, const Placement& placement) {
  check_backend(kind);
  return has_device(kind) ? cuda_room(placement) : kNoDevice;
}

template <class T>
std::unique_ptr<Context<T>> make_context(Kind kind, const Placement& placement) {
  check_backend(kind);
  switch (kind) {
    case Kind::kCuda:
      return make_cuda_context<T>(placement);
    case Kind::kCpu:
      return make_cpu_context<T>();
    case Kind::kAuto:
      break;
  }
  throw core::InternalError("make_context: no backend was chosen");
}

ARMILLA_INSTANTIATE(make_context);

}  // namespace armilla::backend
