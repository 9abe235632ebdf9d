#include "version.hpp"

#include <armilla/backend/devices.hpp>
#include <armilla/core/build_info.hpp>
#include <armilla/job/report/versions.hpp>
#include <armilla/legendre/scalar_kernel.hpp>

#include <fmt/format.h>

namespace armilla::app {

namespace {

std::string gpus() {
  if (std::string(core::kCudaBuild) != "ON") return "built without CUDA";
  std::string text;
  for (const backend::Device& device : backend::visible_devices())
    text += fmt::format("{}{} ({}.{}, {} GiB)", text.empty() ? "" : ", ", device.name, device.compute_major,
                        device.compute_minor, device.memory_bytes >> 30);
  return text.empty() ? "built with CUDA, no GPU visible" : "built with CUDA, visible: " + text;
}

}  // namespace

std::string version_text() {
  std::string libraries;
  for (const auto& [name, version] : job::library_versions())
    libraries += fmt::format("{}{} {}", libraries.empty() ? "" : "; ", name, version);
  return fmt::format("armilla {}\ncompiler: {}, {}, {}\nGPUs: {}\nlibraries: {}", core::kVersion, core::kCompiler,
                     core::kBuildType, legendre::kernel_instruction_set(), gpus(), libraries);
}

}  // namespace armilla::app
