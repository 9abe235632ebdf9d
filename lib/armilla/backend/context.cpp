#include <armilla/backend/context.hpp>
#include <armilla/backend/cpu.hpp>
#include <armilla/backend/cuda.hpp>
#include <armilla/core/error.hpp>

#include <array>

#include <fmt/format.h>

namespace armilla::backend {

namespace {

std::string never_unusable() { return {}; }
Index no_room(const Placement&) { return kNoDevice; }

// One row per backend. "auto" takes the first that can work: the CPU, until the CUDA backend has been tried on GPUs
// (docs/decisions/0013-cuda-backend.md).
template <class T>
struct Row {
  const char* name;
  std::string (*why_unusable)();
  Index (*room)(const Placement&);
  std::unique_ptr<Context<T>> (*make)(const Placement&);
};

template <class T>
constexpr std::array kRows{
    Row<T>{"cpu", never_unusable, no_room, make_cpu_context<T>},
    Row<T>{"cuda", why_cuda_unusable, cuda_room, make_cuda_context<T>},
};

template <class T>
const Row<T>& find_row(const std::string& name) {
  for (const Row<T>& row : kRows<T>)
    if (name == row.name || (name == "auto" && row.why_unusable().empty())) return row;
  throw core::InputError(
      fmt::format("execution.backend = {} does not exist: give one of {}", name, fmt::join(backend_names(), ", ")));
}

}  // namespace

std::vector<std::string> backend_names() {
  std::vector<std::string> names{"auto"};
  for (const auto& row : kRows<double>) names.emplace_back(row.name);
  return names;
}

std::string why_unusable(const std::string& name) { return find_row<double>(name).why_unusable(); }

void check_backend(const std::string& name) {
  const std::string reason = why_unusable(name);
  if (!reason.empty()) throw core::ResourceError(fmt::format("execution.backend = {}: {}", name, reason));
}

Index device_room(const std::string& name, const Placement& placement) {
  check_backend(name);
  return find_row<double>(name).room(placement);
}

template <class T>
std::unique_ptr<Context<T>> make_context(const std::string& name, const Placement& placement) {
  check_backend(name);
  return find_row<T>(name).make(placement);
}

template std::unique_ptr<Context<float>> make_context<float>(const std::string&, const Placement&);
template std::unique_ptr<Context<double>> make_context<double>(const std::string&, const Placement&);

}  // namespace armilla::backend
