// The emulated device: the host, one thread after the other. For tests on machines without a GPU.
#include <armilla/core/error.hpp>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>
#include <kernels/core/device.hpp>
#include <kernels/core/device_account.hpp>
#include <kernels/core/emulation.hpp>

namespace armilla::kernels {

namespace {

constexpr Index kMemory = Index{2} << 30;

thread_local int chosen_device = 0;

template <class Number>
void take(std::string_view word, std::string_view value, Number& setting) {
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), setting);
  if (error != std::errc() || end != value.data() + value.size())
    throw core::InputError(fmt::format("ARMILLA_EMULATION: '{}' is not valid: use a number after '='", word));
}

void take(std::string_view word, std::string_view value, bool& setting) {
  if (value != "0" && value != "1")
    throw core::InputError(fmt::format("ARMILLA_EMULATION: '{}' is not valid: use 0 or 1 after '='", word));
  setting = value == "1";
}

void parse_setting(std::string_view word, Emulation& settings) {
  const std::size_t sign = std::min(word.find('='), word.size());
  const std::string_view name = word.substr(0, sign);
  const std::string_view value = word.substr(std::min(sign + 1, word.size()));
  if (name == "visible") return take(word, value, settings.visible);
  if (name == "single_to_double") return take(word, value, settings.single_to_double);
  if (name == "row_error") return take(word, value, settings.row_error);
  if (name == "transform_error") return take(word, value, settings.transform_error);
  if (name == "fails") return take(word, value, settings.fails);
  if (name == "fft_needs_work") return take(word, value, settings.fft_needs_work);
  if (name == "devices") return take(word, value, settings.devices);
  if (name == "first_device") return take(word, value, settings.first_device);
  if (name == "opens_peers") return take(word, value, settings.opens_peers);
  throw core::InputError(
      fmt::format("ARMILLA_EMULATION: unknown setting '{}': use visible, fft_needs_work, single_to_double, row_error, "
                  "transform_error, fails, devices, first_device or opens_peers, with '=' and a value",
                  word));
}

/// Settings from ARMILLA_EMULATION, separated by commas, for tests of whole programs: visible=0, devices=N,
/// first_device=N, single_to_double=N, row_error=X, transform_error=X, fails=1, fft_needs_work=1, opens_peers=0.
Emulation environment_settings() {
  Emulation settings;
  const char* text = std::getenv("ARMILLA_EMULATION");
  std::string_view rest = text == nullptr ? "" : text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    parse_setting(rest.substr(0, end), settings);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return settings;
}

}  // namespace

Emulation& emulation() {
  static Emulation settings = environment_settings();
  return settings;
}

std::vector<DeviceProperties> devices() {
  if (!emulation().visible || emulation().has_old_driver) return {};
  std::vector<DeviceProperties> devices;
  for (int i = 0; i < emulation().devices; ++i)
    devices.push_back({.name = "emulated",
                       .uuid = fmt::format("emulated-{}", emulation().first_device + i),
                       .compute_major = 0,
                       .compute_minor = 0,
                       .memory_bytes = kMemory,
                       .multiprocessors = 4,
                       .single_to_double = emulation().single_to_double});
  return devices;
}

std::string why_no_devices() {
  return emulation().has_old_driver ? "CUDA cannot use the GPUs of this machine: the emulated driver is too old" : "";
}

void set_device(int index) { chosen_device = index; }

// The emulated device has no work of other libraries.
void wait_for_device(int index) { set_device(index); }
int current_device() { return chosen_device; }

bool has_tensor_cores() { return true; }

DeviceMemory device_memory() {
  auto& account = detail::device_account();
  return {account.within_limit(std::max<Index>(0, kMemory - account.usage().held)), kMemory};
}

DeviceUsage device_usage() { return detail::device_account().usage(); }
void forget_peak() { detail::device_account().forget_peak(); }
void limit_device_memory(Index bytes) { detail::device_account().limit(bytes); }

}  // namespace armilla::kernels
