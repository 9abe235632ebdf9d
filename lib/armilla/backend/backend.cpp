#include <armilla/backend/backend.hpp>
#include <armilla/backend/cpu.hpp>
#include <armilla/core/error.hpp>

#include <array>
#include <utility>

#include <fmt/format.h>

namespace armilla::backend {

namespace {

// One row per backend; `unusable` says why a backend cannot work here, or is empty.
struct Row {
  const char* name;
  const char* unusable;
};

constexpr std::array kRows{
    Row{"cuda", "this version of Armilla transforms on CPUs only: set execution.backend to cpu or auto"},
    Row{"cpu", ""},
};

const Row& find_row(const std::string& name) {
  for (const Row& row : kRows) {
    const bool usable = *row.unusable == '\0';
    if (name == "auto" && usable) return row;
    if (name != row.name) continue;
    if (!usable) throw core::ResourceError(fmt::format("execution.backend = {}: {}", name, row.unusable));
    return row;
  }
  throw core::InputError(
      fmt::format("execution.backend = {} does not exist: give one of {}", name, fmt::join(backend_names(), ", ")));
}

}  // namespace

std::vector<std::string> backend_names() {
  std::vector<std::string> names{"auto"};
  for (const Row& row : kRows) names.emplace_back(row.name);
  return names;
}

void check_backend(const std::string& name) { find_row(name); }

template <class T>
std::unique_ptr<Backend<T>> make_backend(const std::string& name, const Options& options,
                                         const legendre::Task& legendre_task, const fft::RingTask& ring_task,
                                         const math::MeridianCircle& circle, std::shared_ptr<fft::PlanCache<T>> plans) {
  find_row(name);
  return make_cpu_backend<T>(options, legendre_task, ring_task, circle, std::move(plans));
}

template std::unique_ptr<Backend<float>> make_backend<float>(const std::string&, const Options&, const legendre::Task&,
                                                             const fft::RingTask&, const math::MeridianCircle&,
                                                             std::shared_ptr<fft::PlanCache<float>>);
template std::unique_ptr<Backend<double>> make_backend<double>(const std::string&, const Options&,
                                                               const legendre::Task&, const fft::RingTask&,
                                                               const math::MeridianCircle&,
                                                               std::shared_ptr<fft::PlanCache<double>>);

}  // namespace armilla::backend
