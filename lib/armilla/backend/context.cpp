#include <armilla/backend/context.hpp>
#include <armilla/backend/cpu.hpp>
#include <armilla/backend/cuda.hpp>
#include <armilla/core/error.hpp>

#include <array>

#include <fmt/format.h>

namespace armilla::backend {

namespace {

std::string never_unusable() { return {}; }

// One row per backend. "auto" takes the first that can work and deserves trust (transform::choose_backend).
template <class T>
struct Row {
  const char* name;
  std::string (*why_unusable)();
  Device (*device)(const Placement&);  // null where the backend has none
  Index (*room)(const Placement&);     // likewise
  std::unique_ptr<Context<T>> (*make)(const Placement&);
};

template <class T>
constexpr std::array kRows{
    Row<T>{"cuda", why_cuda_unusable, cuda_device, cuda_room, make_cuda_context<T>},
    Row<T>{"cpu", never_unusable, nullptr, nullptr, make_cpu_context<T>},
};

template <class T>
const Row<T>& find_row(const std::string& name) {
  for (const Row<T>& row : kRows<T>)
    if (name == row.name) return row;
  throw core::InputError(
      fmt::format("execution.backend = {} does not exist: give one of {}", name, fmt::join(backend_names(), ", ")));
}

}  // namespace

std::vector<std::string> backend_names() {
  std::vector<std::string> names{kAutoBackend};
  for (const auto& row : kRows<double>) names.emplace_back(row.name);
  return names;
}

bool has_device(const std::string& name) { return find_row<double>(name).device != nullptr; }

std::string why_unusable(const std::string& name) {
  return name == kAutoBackend ? std::string() : find_row<double>(name).why_unusable();
}

void check_backend(const std::string& name) {
  const std::string reason = why_unusable(name);
  if (!reason.empty()) throw core::ResourceError(fmt::format("execution.backend = {}: {}", name, reason));
}

std::optional<Device> device_of(const std::string& name, const Placement& placement) {
  if (!has_device(name) || !why_unusable(name).empty()) return std::nullopt;
  return find_row<double>(name).device(placement);
}

Index device_room(const std::string& name, const Placement& placement) {
  check_backend(name);
  return has_device(name) ? find_row<double>(name).room(placement) : kNoDevice;
}

template <class T>
std::unique_ptr<Context<T>> make_context(const std::string& name, const Placement& placement) {
  check_backend(name);
  return find_row<T>(name).make(placement);
}

template std::unique_ptr<Context<float>> make_context<float>(const std::string&, const Placement&);
template std::unique_ptr<Context<double>> make_context<double>(const std::string&, const Placement&);

}  // namespace armilla::backend
