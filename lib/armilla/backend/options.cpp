#include <armilla/backend/options.hpp>
#include <armilla/core/error.hpp>
#include <armilla/resample/cost_model.hpp>

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace armilla::backend {

namespace {

constexpr std::array kKindNames{"auto", "cuda", "cpu"};

}  // namespace

std::vector<std::string> kind_names() { return {kKindNames.begin(), kKindNames.end()}; }

const char* name_of(Kind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }

Kind kind_of(const std::string& name) {
  const auto found = std::ranges::find(kKindNames, name);
  if (found == kKindNames.end())
    throw core::InputError(fmt::format("backend {} does not exist: use one of {}", name, fmt::join(kKindNames, ", ")));
  return static_cast<Kind>(found - kKindNames.begin());
}

std::vector<std::string> theta_resampling_names() {
  return {name_of(ThetaResampling::kAuto), name_of(ThetaResampling::kOn), name_of(ThetaResampling::kOff)};
}

const char* name_of(ThetaResampling choice) {
  switch (choice) {
    case ThetaResampling::kOn:
      return "on";
    case ThetaResampling::kOff:
      return "off";
    case ThetaResampling::kAuto:
      break;
  }
  return "auto";
}

std::string why_cpu(const Options& options) {
  return options.engine == "auto" ? std::string() : "the engine " + options.engine + " is one for CPUs";
}

resample::FineGrid fine_grid(const Options& options, Index lmax) {
  return options.deconvolved.length > 0 ? options.deconvolved : resample::fine_grid_of(lmax);
}

bool is_resampled(const Options& options, Index lmax, Index pairs) {
  if (options.deconvolved.length > 0) return true;
  if (options.theta_resampling != ThetaResampling::kAuto) return options.theta_resampling == ThetaResampling::kOn;
  return options.engine != "reference" && resample::pays(lmax, pairs);
}

}  // namespace armilla::backend
